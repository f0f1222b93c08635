#define _GNU_SOURCE /* prlimit */
#include "soak-fault.h"

#include <sys/resource.h>

#include "processes.h"
#include "watch.h"

#define FIRST_MOMENT 0.0003 /* seconds into a call */
#define LAST_MOMENT  0.3
#define ROOM_MAX     (64 << 20) /* bytes that a process may still have */

const char *const soak_fault_names[N_SOAK_FAULTS] = {
  [SOAK_NO_FAULT] = "no fault",
  [SOAK_KILL_BEFORE] = "resident process killed before",
  [SOAK_KILL_DURING] = "resident process killed during",
  [SOAK_KILL_CALLED] = "called process killed",
  [SOAK_MEMORY] = "memory limit",
  [SOAK_CACHE_DAMAGED] = "cache damaged",
  [SOAK_CACHE_EMPTY] = "cache emptied",
  [SOAK_CACHE_CLOSED] = "cache closed",
  [SOAK_BAD_ARGUMENT] = "bad argument",
  [SOAK_LOCKED] = "locked",
};

struct SoakTrouble {
  SoakFault fault;
  pid_t resident;
  Killer *killer;
  struct rlimit limit; /* the one that it had */
};

gboolean
soak_fault_strikes (SoakFault fault)
{
  return fault >= SOAK_KILL_BEFORE && fault <= SOAK_MEMORY;
}

gboolean
soak_fault_kills (SoakFault fault)
{
  return soak_fault_strikes (fault) && fault != SOAK_KILL_CALLED;
}

gboolean
soak_fault_breaks (SoakFault fault)
{
  return soak_fault_strikes (fault) && fault != SOAK_KILL_BEFORE;
}

/* Arguments */

void
soak_fault_spoil (SoakCall *call, GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 5))
    {
    case 0:
      call->args.sigma_x = -1.0;
      call->own.rows = 2;
      break;
    case 1:
      call->args.kernel_size = 4;
      call->own.channels = 16;
      break;
    case 2:
      call->args.abyss = call->own.abyss = 4;
      break;
    case 3:
      call->args.light = call->own.light = 2;
      break;
    default:
      soak_call_set_device (call, 3);
    }
}

/* The cache */

static const char *
get_cache (void)
{
  return g_getenv ("CUDA_BLUR_CACHE_DIR");
}

/* Removes a file, or writes over a part of it. */
static void
damage (const char *path, gboolean remove, GRand *rand)
{
  guint8 noise[16];
  GStatBuf about;
  FILE *file;

  if (remove)
    {
      g_unlink (path);
      return;
    }
  file = g_stat (path, &about) == 0 && about.st_size > 0 ? fopen (path, "r+b") : NULL;
  if (! file)
    return;
  for (guint i = 0; i < sizeof noise; i++)
    noise[i] = (guint8) g_rand_int (rand);
  fseek (file, g_rand_int_range (rand, 0, (gint32) MIN (about.st_size, G_MAXINT32)), SEEK_SET);
  fwrite (noise, 1, sizeof noise, file);
  fclose (file);
}

static void
damage_cache (gboolean remove, GRand *rand)
{
  g_autoptr (GDir) folder = g_dir_open (get_cache (), 0, NULL);
  const char *name;

  while (folder && (name = g_dir_read_name (folder)))
    {
      g_autofree char *path = g_build_filename (get_cache (), name, NULL);

      damage (path, remove, rand);
    }
}

/* Memory */

static rlim_t
get_size (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/statm", (int) pid);
  g_autofree char *text = NULL;

  if (! g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  return (rlim_t) g_ascii_strtoull (text, NULL, 10) * (rlim_t) sysconf (_SC_PAGESIZE);
}

static void
limit_memory (SoakTrouble *trouble, GRand *rand)
{
  struct rlimit limit;

  prlimit (trouble->resident, RLIMIT_AS, NULL, &trouble->limit);
  limit = trouble->limit;
  limit.rlim_cur = get_size (trouble->resident) + (rlim_t) g_rand_int_range (rand, 0, ROOM_MAX);
  prlimit (trouble->resident, RLIMIT_AS, &limit, NULL);
}

/* Faults */

static void
lock (Subject subject)
{
  gint32 item = subject.drawable;

  if (gimp_item_is_layer_mask (item))
    item = gimp_layer_from_mask (item);
  gimp_item_set_lock_content (item, TRUE);
  gimp_image_clean_all (subject.image);
}

SoakTrouble *
soak_fault_begin (SoakFault fault, const SoakScene *scene, GRand *rand)
{
  SoakTrouble *trouble = g_new0 (SoakTrouble, 1);
  double moment = exp (g_rand_double_range (rand, log (FIRST_MOMENT), log (LAST_MOMENT)));

  trouble->fault = fault;
  if (soak_fault_strikes (fault))
    trouble->resident = need_resident ();
  if (fault == SOAK_KILL_BEFORE)
    kill_resident ();
  else if (fault == SOAK_KILL_DURING)
    trouble->killer = killer_new (trouble->resident, moment);
  else if (fault == SOAK_KILL_CALLED)
    trouble->killer = killer_new_for_child (getppid (), PLUGIN, trouble->resident, moment);
  else if (fault == SOAK_MEMORY)
    limit_memory (trouble, rand);
  else if (fault == SOAK_CACHE_DAMAGED || fault == SOAK_CACHE_EMPTY)
    damage_cache (fault == SOAK_CACHE_EMPTY, rand);
  else if (fault == SOAK_CACHE_CLOSED)
    g_chmod (get_cache (), g_rand_boolean (rand) ? 0500 : 0777);
  else if (fault == SOAK_LOCKED)
    lock (scene->subject);
  return trouble;
}

void
soak_fault_end (SoakTrouble *trouble)
{
  pid_t killed = trouble->killer ? killer_end (trouble->killer) : 0;

  if (trouble->fault == SOAK_MEMORY)
    prlimit (trouble->resident, RLIMIT_AS, &trouble->limit, NULL);
  if (trouble->fault == SOAK_CACHE_CLOSED)
    g_chmod (get_cache (), 0700);
  /* GIMP is to know that it is gone before the next call. */
  if (soak_fault_kills (trouble->fault) &&
      (killed || (trouble->resident && ! process_lives (trouble->resident))))
    wait_for_resident (FALSE);
  g_free (trouble);
}
