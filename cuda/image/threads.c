#include "threads.h"

#include <glib.h>
#include <omp.h>

int
fx_threads_get_default (void)
{
  int cores = omp_get_num_procs ();

  return MIN (omp_get_max_threads (), cores - (cores + 4) / 8);
}
