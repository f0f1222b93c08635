#define _GNU_SOURCE /* sched_getaffinity */

#include "threads.h"

#include <glib.h>
#ifdef __linux__
#include <sched.h>
#endif

/* Returns the cores that this process may use. GLib counts those of the computer. */
static int
get_cores (void)
{
#ifdef __linux__
  cpu_set_t set;

  if (sched_getaffinity (0, sizeof set, &set) == 0)
    return CPU_COUNT (&set);
#endif
  return (int) g_get_num_processors ();
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
  int cores = get_cores (), wanted = get_wanted ();
  int most = cores - (cores + 4) / 8;

  return wanted > 0 ? MIN (wanted, most) : most;
}
