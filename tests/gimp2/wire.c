#define _GNU_SOURCE /* RTLD_NEXT */

#include "wire.h"

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

/* The messages of libgimpbase's protocol, which has no public header; their other members are not
 * used. */
typedef struct {
  char *name;
} ProcRun;

typedef struct {
  gint32 drawable;
} TileData;

typedef gboolean (*Write) (gpointer channel, gpointer message, gpointer data);

gboolean gp_proc_run_write (gpointer channel, ProcRun *message, gpointer data);
gboolean gp_tile_req_write (gpointer channel, gpointer message, gpointer data);
gboolean gp_tile_data_write (gpointer channel, TileData *message, gpointer data);

static GHashTable *calls, *tiles; /* how many, by name and by drawable */
static int n_messages, deadly;

static const char *awaited; /* a procedure, or NULL */
static int n_awaited;       /* calls of it, until */
static void (*call_back) (void);

static int n_between; /* messages, until */
static void (*call_back_between) (void);

static void
add (GHashTable **table, gpointer key)
{
  if (! *table)
    *table = g_hash_table_new (table == &calls ? g_str_hash : g_direct_hash,
                               table == &calls ? g_str_equal : g_direct_equal);
  g_hash_table_insert (*table, key,
                       GINT_TO_POINTER (GPOINTER_TO_INT (g_hash_table_lookup (*table, key)) + 1));
}

/* Before a message that GIMP is not waiting for. */
static void
look_between (void)
{
  if (n_between > 0 && --n_between == 0)
    call_back_between ();
}

static gboolean
pass_on (const char *function, gpointer channel, gpointer message, gpointer data)
{
  Write next = (Write) dlsym (RTLD_NEXT, function);

  if (++n_messages == deadly)
    kill (getpid (), SIGKILL);
  return next (channel, message, data);
}

gboolean
gp_proc_run_write (gpointer channel, ProcRun *message, gpointer data)
{
  look_between ();
  if (g_strcmp0 (message->name, awaited) == 0 && --n_awaited == 0)
    {
      awaited = NULL;
      call_back ();
    }
  add (&calls, (gpointer) g_intern_string (message->name));
  return pass_on ("gp_proc_run_write", channel, message, data);
}

gboolean
gp_tile_req_write (gpointer channel, gpointer message, gpointer data)
{
  look_between ();
  return pass_on ("gp_tile_req_write", channel, message, data);
}

gboolean
gp_tile_data_write (gpointer channel, TileData *message, gpointer data)
{
  add (&tiles, GINT_TO_POINTER (message->drawable));
  add (&tiles, GINT_TO_POINTER (-1));
  return pass_on ("gp_tile_data_write", channel, message, data);
}

void
wire_forget (void)
{
  g_clear_pointer (&calls, g_hash_table_unref);
  g_clear_pointer (&tiles, g_hash_table_unref);
  n_messages = deadly = 0;
}

int
wire_count (const char *procedure)
{
  return calls ? GPOINTER_TO_INT (g_hash_table_lookup (calls, procedure)) : 0;
}

int
wire_count_tiles (gint32 drawable)
{
  return tiles ? GPOINTER_TO_INT (g_hash_table_lookup (tiles, GINT_TO_POINTER (drawable))) : 0;
}

void
wire_call_before (const char *procedure, int n, void (*callback) (void))
{
  awaited = procedure;
  n_awaited = n;
  call_back = callback;
}

void
wire_call_between (int n, void (*callback) (void))
{
  n_between = n;
  call_back_between = callback;
}

void
wire_kill_at (int message)
{
  deadly = message;
}
