#include "cpu.h"

#define RUN_COST      0.09 /* milliseconds to start and end a run; measured */
#define THREAD_PIXELS 8192 /* pixels of an image per thread */

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
