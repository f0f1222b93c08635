#include "cpu.h"

#define RUN_COST      0.09 /* milliseconds to start and end a run; measured */
#define THREAD_PIXELS 8192 /* pixels of an image per thread */

int
fx_cpu_get_threads (const FxCpu *cpu, double pixels)
{
  return (int) CLAMP (pixels / THREAD_PIXELS, 1, cpu->threads);
}

double
fx_cpu_get_work (const FxPlan *plan, double pixels)
{
  return pixels * plan->codec.format.channels * plan->filter->get_cpu_cost (plan) / 1e6;
}

double
fx_cpu_get_cost (const FxCpu *cpu, const FxPlan *plan, double pixels)
{
  return RUN_COST + fx_cpu_get_work (plan, pixels) / fx_cpu_get_threads (cpu, pixels);
}
