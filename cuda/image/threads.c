#include "threads.h"

#include <glib.h>
#include <omp.h>

int
fx_threads_get_default (void)
{
  int cores = omp_get_num_procs ();

  return MIN (omp_get_max_threads (), cores - (cores + 4) / 8);
}

void
fx_threads_rest (void)
{
  omp_pause_resource (omp_pause_soft, omp_get_initial_device ());
}
