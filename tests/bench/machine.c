#include "device.h"

#define WARM_UP 2

/* Of gpu.h, which does not have it yet: weak, so that this builds and runs without. Blurs an image that
 * lies in device memory, whole, into device memory, n times, and says how long each took on the
 * device. */
gboolean blur_gpu_time (BlurGpu *gpu, const BlurPlan *plan, int width, int height,
                        gconstpointer pixels, gpointer result, double *milliseconds, int n,
                        GError **error) __attribute__ ((weak));

BlurPlan *
machine_new_plan (const BlurFormat *format, BlurLight light, double sigma, int kernel_size)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma, .kernel_size = kernel_size,
                              .light = light };

  return blur_plan_new (&params, format);
}

gboolean
machine_time_blur (const Machine *machine, BlurGpu *gpu, const BenchCase *about,
                   const BlurPlan *plan, gconstpointer pixels, GError **error)
{
  g_autofree double *milliseconds = g_new (double, MAX (machine->repeats, WARM_UP));

  if (! blur_gpu_time)
    {
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE,
                   "this engine has no blur_gpu_time: it cannot be timed on the device");
      return FALSE;
    }
  if (! blur_gpu_time (gpu, plan, about->width, about->height, pixels, NULL, milliseconds, WARM_UP,
                       error) ||
      ! blur_gpu_time (gpu, plan, about->width, about->height, pixels, NULL, milliseconds,
                       machine->repeats, error))
    return FALSE;
  bench_print (about, milliseconds, machine->repeats);
  return TRUE;
}
