#include "runs.h"
#include "../lib/run.h"

gboolean
engine_blur (FxEngine *engine, FxDevice device, const Memory *memory, double sigma,
             double *milliseconds, FxReport *report, GError **error)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  const FxImage image = memory_get_image (memory);
  FxReport done;

  if (! run_blur (engine, &params, device, &image, &done, error))
    return FALSE;
  if (milliseconds)
    *milliseconds = done.milliseconds;
  if (report)
    *report = done;
  return TRUE;
}
