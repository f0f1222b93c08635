#include "engine.h"

gboolean
engine_blur (BlurEngine *engine, BlurDevice device, const Memory *memory, double sigma,
             double *milliseconds, BlurReport *report, GError **error)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma, .device = device };
  const BlurImage image = memory_get_image (memory);
  BlurReport done;

  if (! blur_engine_run (engine, &params, &image, &done, error))
    return FALSE;
  if (milliseconds)
    *milliseconds = done.milliseconds;
  if (report)
    *report = done;
  return TRUE;
}
