#define _GNU_SOURCE /* sched_getaffinity */

#include "threads.h"

#include "machine.h"

#include <math.h>
#ifdef __linux__
#include <sched.h>
#endif

/* Returns the cores that this process may run on. GLib counts those of the computer. */
static int
get_affinity (void)
{
#ifdef __linux__
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return CPU_COUNT (&set);
#endif
  return (int) g_get_num_processors ();
}

/* Returns the limit in whole cores. It is read once, because each run asks. */
static int
get_limit (void)
{
  static gsize limit;

  if (g_once_init_enter (&limit))
    {
      double cores = ceil (fx_machine_get_cores ("/"));

      g_once_init_leave (&limit, (gsize) CLAMP (cores, 1.0, G_MAXINT));
    }
  return (int) limit;
}

int
fx_threads_get_cores (void)
{
  return MIN (get_affinity (), get_limit ());
}

/* Returns OMP_NUM_THREADS, or the first number of its list; 0 if it has none. */
static int
get_wanted (void)
{
  const char *value = g_getenv ("OMP_NUM_THREADS");

  return value ? (int) MIN (g_ascii_strtoull (value, NULL, 10), G_MAXINT) : 0;
}

int
fx_threads_get_default (void)
{
  int cores = fx_threads_get_cores (), wanted = get_wanted ();
  int most = cores - (cores + 4) / 8;

  return wanted > 0 ? MIN (wanted, most) : most;
}
