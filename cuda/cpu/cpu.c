#include "cpu.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

#define RUN_COST      0.09              /* milliseconds to start and end a run; measured */
#define THREAD_PIXELS 8192              /* pixels of an image per thread */
#define LARGE_PAGE    ((gsize) 2 << 20) /* bytes */

int
fx_cpu_get_threads (const FxCpu *cpu, double pixels)
{
  return (int) CLAMP (pixels / THREAD_PIXELS, 1, cpu->threads);
}

double
fx_cpu_get_cost (const FxCpu *cpu, const FxPlan *plan, double pixels)
{
  double nanoseconds = plan->filter->get_cpu_cost (plan);

  return RUN_COST + pixels * plan->codec.format.channels * nanoseconds /
                      fx_cpu_get_threads (cpu, pixels) / 1e6;
}

/* Uses large pages if the system has them. Otherwise the page faults, one for each 4096 bytes of
 * rows that live for a single run, would cost as much as a filter. */
float *
fx_cpu_allocate (gsize floats)
{
  gsize size = floats * sizeof (float);
  float *memory = g_try_malloc (size);

#ifdef MADV_HUGEPAGE
  if (memory && size >= LARGE_PAGE)
    madvise ((gpointer) (((gsize) memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE),
             size / LARGE_PAGE * LARGE_PAGE - LARGE_PAGE, MADV_HUGEPAGE);
#endif
  return memory;
}
