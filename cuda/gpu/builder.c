#include "builder.h"
#include "error.h"
#include "trace.h"

#include <glib/gi18n-lib.h>

#define BUILT_MAX 64    /* results that wait to be asked for; the disk has them as well */
#define PATIENCE  10000 /* milliseconds; on a busy machine a program takes some hundred */

/* A text to compile; NULL: none. */
typedef struct {
  const FxProgram *program;
  char *text;
} Order;

/* What came of it: one of the two. */
typedef struct {
  GBytes *code;
  GError *error;
} Result;

struct FxBuilder {
  int arch, major;
  gboolean ptx;
  gint64 patience; /* microseconds */
  FxCache *cache;
  FxCompiler *compiler; /* neither it nor target changes once it is opened */
  FxTarget target;

  GThread *thread; /* opens the compiler, then compiles; NULL: it could not be started yet */
  GMutex mutex;    /* over what follows */
  GCond changed;
  gboolean opened; /* or failed to */
  GError *error;   /* why it did */
  gboolean stop, ended;
  gboolean left;     /* nobody but the thread has the builder any more */
  gboolean late;     /* somebody gave up waiting for what is under way */
  Order asked;       /* by who waits for it */
  Order wanted;      /* in the background */
  char *current;     /* text under way, or NULL */
  GHashTable *built; /* text -> Result that nobody has asked for since */
};

static void
free_result (gpointer data)
{
  Result *result = data;

  g_clear_pointer (&result->code, g_bytes_unref);
  g_clear_error (&result->error);
  g_free (result);
}

static void
destroy (FxBuilder *builder)
{
  g_clear_error (&builder->error);
  g_free (builder->asked.text);
  g_free (builder->wanted.text);
  g_hash_table_unref (builder->built);
  g_mutex_clear (&builder->mutex);
  g_cond_clear (&builder->changed);
  fx_compiler_close (builder->compiler);
  fx_cache_free (builder->cache);
  g_free (builder);
}

/* The thread. */

static FxCompiler *
find_compiler (FxBuilder *builder, GError **error)
{
  FxCompiler *compiler = fx_compiler_open (builder->major, error);
  const int *archs;
  int n;

  if (! compiler)
    return NULL;
  archs = fx_compiler_get_archs (compiler, &n);
  if (! fx_target_choose (archs, n, fx_compiler_get_version (compiler), builder->arch, builder->ptx,
                          &builder->target, error))
    g_clear_pointer (&compiler, fx_compiler_close);
  return compiler;
}

/* For the time that it takes, this and build give up the mutex. */
static void
open_compiler (FxBuilder *builder)
{
  GError *error = NULL;

  g_mutex_unlock (&builder->mutex);
  builder->compiler = find_compiler (builder, &error);
  g_mutex_lock (&builder->mutex);
  builder->error = error;
  builder->opened = TRUE;
}

static void
build (FxBuilder *builder, Order *order)
{
  const FxProgram *program = order->program;
  Result *result = g_new0 (Result, 1);

  builder->current = g_steal_pointer (&order->text);
  g_mutex_unlock (&builder->mutex);
  result->code = fx_program_get (program, builder->compiler, builder->cache, builder->current,
                                 &builder->target, &result->error);
  if (! result->code)
    fx_trace ("compile", g_get_monotonic_time (), 0, "%s", result->error->message);
  g_mutex_lock (&builder->mutex);
  if (g_hash_table_size (builder->built) >= BUILT_MAX)
    g_hash_table_remove_all (builder->built);
  g_hash_table_replace (builder->built, g_steal_pointer (&builder->current), result);
}

static void
step (FxBuilder *builder)
{
  if (! builder->opened)
    open_compiler (builder);
  else if (builder->asked.text)
    build (builder, &builder->asked);
  else if (builder->wanted.text)
    build (builder, &builder->wanted);
  else
    {
      g_cond_wait (&builder->changed, &builder->mutex);
      return;
    }
  builder->late = FALSE;
  g_cond_broadcast (&builder->changed);
}

static gpointer
work (gpointer data)
{
  FxBuilder *builder = data;
  gboolean left;

  g_mutex_lock (&builder->mutex);
  while (! builder->stop)
    step (builder);
  builder->ended = TRUE;
  left = builder->left;
  g_cond_broadcast (&builder->changed);
  g_mutex_unlock (&builder->mutex);
  if (left)
    destroy (builder);
  return NULL;
}

/* Beside it. */

FxBuilder *
fx_builder_new (int arch, int major, const FxConfig *config)
{
  FxBuilder *builder = g_new0 (FxBuilder, 1);

  builder->arch = arch;
  builder->major = major;
  builder->ptx = config->ptx;
  builder->patience = (config->patience > 0 ? config->patience : PATIENCE) * (gint64) 1000;
  builder->cache = fx_cache_new (config->cache_dir, FX_CACHE_LIMIT);
  builder->built = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_result);
  g_mutex_init (&builder->mutex);
  g_cond_init (&builder->changed);
  builder->thread = g_thread_try_new ("cuda-blur-nvrtc", work, builder, NULL);
  return builder;
}

/* Waits, with the mutex, until is_done or for as long as one waits. FALSE if it is not done. */
static gboolean
wait_for (FxBuilder *builder, gboolean (*is_done) (FxBuilder *builder, const char *text),
          const char *text)
{
  gint64 end = g_get_monotonic_time () + (builder->late ? 0 : builder->patience);

  while (! is_done (builder, text))
    if (! g_cond_wait_until (&builder->changed, &builder->mutex, end))
      {
        builder->late = ! is_done (builder, text);
        return ! builder->late;
      }
  return TRUE;
}

static gboolean
is_ended (FxBuilder *builder, const char *text)
{
  return builder->ended;
}

static gboolean
is_opened (FxBuilder *builder, const char *text)
{
  return builder->opened;
}

static gboolean
is_built (FxBuilder *builder, const char *text)
{
  return g_hash_table_contains (builder->built, text);
}

/* What does not end is left to itself, with the thread that is in it. */
void
fx_builder_free (FxBuilder *builder)
{
  GThread *thread;

  if (! builder)
    return;
  thread = builder->thread;
  g_mutex_lock (&builder->mutex);
  builder->stop = TRUE;
  g_cond_broadcast (&builder->changed);
  builder->left = thread && ! wait_for (builder, is_ended, NULL);
  if (builder->left)
    {
      g_mutex_unlock (&builder->mutex);
      g_thread_unref (thread);
      return;
    }
  g_mutex_unlock (&builder->mutex);
  if (thread)
    g_thread_join (thread);
  destroy (builder);
}

static gboolean
fail_late (FxBuilder *builder, GError **error)
{
  g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
               _("NVRTC has taken more than %.3g seconds to compile a program"),
               builder->patience / 1e6);
  return FALSE;
}

static gboolean
ensure_thread (FxBuilder *builder, GError **error)
{
  if (! builder->thread)
    builder->thread = g_thread_try_new ("cuda-blur-nvrtc", work, builder, error);
  return builder->thread != NULL;
}

/* With the mutex: the compiler, waited for; one that was not found is looked for again. FALSE with
 * error if there is none. */
static gboolean
wait_for_compiler (FxBuilder *builder, GError **error)
{
  if (builder->error)
    {
      g_clear_error (&builder->error);
      builder->opened = FALSE;
      g_cond_broadcast (&builder->changed);
    }
  if (! ensure_thread (builder, error))
    return FALSE;
  if (! wait_for (builder, is_opened, NULL))
    return fail_late (builder, error);
  if (builder->error && error)
    *error = g_error_copy (builder->error);
  return ! builder->error;
}

static gboolean
has_compiler (FxBuilder *builder, GError **error)
{
  gboolean has;

  g_mutex_lock (&builder->mutex);
  has = wait_for_compiler (builder, error);
  g_mutex_unlock (&builder->mutex);
  return has;
}

static void
place (FxBuilder *builder, Order *order, const FxProgram *program, const char *text)
{
  if (g_strcmp0 (order->text, text) == 0 || g_strcmp0 (builder->current, text) == 0)
    return;
  g_free (order->text);
  order->program = program;
  order->text = g_strdup (text);
  g_cond_broadcast (&builder->changed);
}

/* Takes the code out of what the background has done; a failure stays there. Returns whether it is
 * done with text. */
static gboolean
collect (FxBuilder *builder, const char *text, GBytes **code)
{
  Result *result = g_hash_table_lookup (builder->built, text);

  *code = result ? g_steal_pointer (&result->code) : NULL;
  if (*code)
    g_hash_table_remove (builder->built, text);
  return result != NULL;
}

/* With the mutex: has text compiled, and waits for it. */
static GBytes *
compile (FxBuilder *builder, const FxProgram *program, const char *text, GError **error)
{
  const Result *result;
  GBytes *code;

  collect (builder, text, &code);
  if (code)
    return code;
  g_hash_table_remove (builder->built, text); /* what failed once is tried again */
  place (builder, &builder->asked, program, text);
  if (! wait_for (builder, is_built, text))
    {
      fail_late (builder, error);
      return NULL;
    }
  result = g_hash_table_lookup (builder->built, text);
  if (result->error && error)
    *error = g_error_copy (result->error);
  collect (builder, text, &code);
  return code;
}

GBytes *
fx_builder_get (FxBuilder *builder, const FxProgram *program, const char *text, GError **error)
{
  GBytes *code;

  if (! has_compiler (builder, error))
    return NULL;
  code = fx_program_find (program, builder->compiler, builder->cache, text, &builder->target);
  if (code)
    return code;
  g_mutex_lock (&builder->mutex);
  code = compile (builder, program, text, error);
  g_mutex_unlock (&builder->mutex);
  return code;
}

GBytes *
fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text)
{
  GBytes *code = NULL;
  gboolean done;

  if (! has_compiler (builder, NULL)) /* fx_builder_get says why */
    return NULL;
  g_mutex_lock (&builder->mutex);
  done = collect (builder, text, &code);
  g_mutex_unlock (&builder->mutex);
  if (done)
    return code;
  code = fx_program_find (program, builder->compiler, builder->cache, text, &builder->target);
  if (code)
    return code;
  g_mutex_lock (&builder->mutex);
  place (builder, &builder->wanted, program, text);
  g_mutex_unlock (&builder->mutex);
  return NULL;
}
