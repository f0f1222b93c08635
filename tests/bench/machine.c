#include "machine.h"

#define WARM_UP 2

FxPlan *
machine_new_plan (const FxFormat *format, FxLight light, double sigma, int kernel_size)
{
  const BlurParams params = {
    .sigma_x = sigma, .sigma_y = sigma, .kernel_size = kernel_size, .light = light
  };

  return blur_plan_new (&params, format, NULL);
}

gboolean
machine_time_blur (const Machine *machine, FxGpu *gpu, const BenchCase *about, const FxPlan *plan,
                   gconstpointer pixels, GError **error)
{
  g_autofree double *milliseconds = g_new (double, MAX (machine->repeats, WARM_UP));

  if (! fx_gpu_use (gpu, error) || /* another may have been closed on this thread */
      ! fx_gpu_time (gpu, plan, about->width, about->height, pixels, NULL, milliseconds, WARM_UP,
                     error) ||
      ! fx_gpu_time (gpu, plan, about->width, about->height, pixels, NULL, milliseconds,
                     machine->repeats, error))
    return FALSE;
  bench_print (about, milliseconds, machine->repeats);
  return TRUE;
}
