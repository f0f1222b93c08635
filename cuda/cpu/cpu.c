#include "cpu.h"

#define RUN_COST      0.09 /* milliseconds to start and end a run; measured */
#define THREAD_PIXELS 8192 /* pixels of an image per thread */

/* How much longer a thread takes for each other thread, with which it shares cores, memory and
 * clock: with 14 threads on 16 cores, which may be halves of 8, all filters took 1.5 to 2.1 times
 * as long for each as with 2. */
#define SHARING 0.065

int
fx_cpu_get_threads (const FxCpu *cpu, double pixels)
{
  return (int) CLAMP (pixels / THREAD_PIXELS, 1, cpu->threads);
}

double
fx_cpu_get_work (const FxPlan *plan, double pixels)
{
  return pixels * plan->codec.format.channels * plan->cpu_cost / 1e6;
}

double
fx_cpu_get_cost (const FxCpu *cpu, const FxPlan *plan, double pixels)
{
  int threads = fx_cpu_get_threads (cpu, pixels);

  return RUN_COST + fx_cpu_get_work (plan, pixels) * (1.0 + SHARING * (threads - 1)) / threads;
}
