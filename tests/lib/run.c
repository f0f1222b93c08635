#include "run.h"

gboolean
run_blur (FxEngine *engine, const BlurParams *params, FxDevice device, const FxImage *image,
          FxReport *report, GError **error)
{
  g_autoptr (FxPlan) plan = blur_plan_new (params, &image->format, error);

  return plan && fx_engine_run (engine, plan, device, image, report, error);
}

gboolean
run_view (FxPreview *preview, const BlurParams *params, FxDevice device, const FxView *view,
          guint8 *rgba, FxProgressFunc progress, gpointer data, FxViewReport *report,
          GError **error)
{
  g_autoptr (FxPlan) plan = blur_plan_new (params, fx_preview_get_format (preview), error);

  return plan &&
         fx_preview_render (preview, plan, device, view, rgba, progress, data, report, error);
}
