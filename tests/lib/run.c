#include "run.h"

gboolean
run_blur (FxEngine *engine, const BlurParams *params, FxDevice device, const FxImage *image,
          FxReport *report, GError **error)
{
  BlurParams p = *params;

  p.device = device;
  return fx_engine_run (engine, &p, image, report, error);
}

gboolean
run_view (FxPreview *preview, const BlurParams *params, FxDevice device, const FxView *view,
          guint8 *rgba, FxProgressFunc progress, gpointer data, FxViewReport *report,
          GError **error)
{
  BlurParams p = *params;

  p.device = device;
  return fx_preview_render (preview, &p, view, rgba, progress, data, report, error);
}
