#include "cpu-preview.h"
#include "engine-gpu.h"
#include "show.h"

#include <glib/gi18n-lib.h>

#define SCALE_MAX 1024.0
#define SIDE_MAX  16384 /* pixels of a view */

struct FxPreview {
  FxEngine *engine;
  FxStored stored;
  FxCpuPreview *cpu;
  FxResident resident;
  gboolean shown; /* by the GPU, once at least */
};

FxPreview *
fx_preview_new (FxEngine *engine, const FxFormat *format, gboolean coverage, int width, int height,
                gconstpointer pixels)
{
  FxPreview *preview = g_new0 (FxPreview, 1);

  preview->engine = engine;
  preview->stored = (FxStored) {
    .format = *format,
    .blurred = *format,
    .coverage = coverage,
    .width = width,
    .height = height,
    .pixels = pixels,
  };
  preview->stored.blurred.gamma = format->gamma && ! coverage;
  preview->cpu = fx_cpu_preview_new (engine, &preview->stored);
  preview->resident.stale = g_new0 (gboolean, height);
  return preview;
}

/* The GPU may be away, being made ready for the next view. */
static void
forget (FxPreview *preview)
{
  FxGpu *gpu = preview->shown ? fx_engine_wait_for_gpu (preview->engine) : NULL;

  if (gpu)
    fx_gpu_forget (gpu, &preview->resident);
}

void
fx_preview_free (FxPreview *preview)
{
  if (! preview)
    return;
  forget (preview);
  fx_cpu_preview_free (preview->cpu);
  g_free (preview->resident.stale);
  g_free (preview);
}

void
fx_preview_change (FxPreview *preview, int y, int rows)
{
  int first = MAX (y, 0), end = (int) MIN ((gint64) y + rows, preview->stored.height), i;

  if (first >= end)
    return;
  fx_cpu_preview_change (preview->cpu, first, end - first);
  for (i = first; i < end; i++)
    preview->resident.stale[i] = TRUE;
}

void
fx_preview_set_mask (FxPreview *preview, const guint8 *mask)
{
  preview->stored.mask = mask;
  preview->resident.mask_stale = TRUE;
  fx_cpu_preview_change_mask (preview->cpu);
}

void
fx_preview_set_kept (FxPreview *preview, guint channels)
{
  preview->stored.kept = channels;
}

/* Checking. */

static gboolean
check_view (const FxPreview *preview, const FxView *view, GError **error)
{
  const FxRect *r = &view->rect;
  int most_x = (FX_SIZE_MAX - preview->stored.width) / 2;
  int most_y = (FX_SIZE_MAX - preview->stored.height) / 2;

  if (! (view->scale >= 1.0 / SCALE_MAX && view->scale <= SCALE_MAX)) /* NaN neither */
    g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT, _("scale is %g, but must be 1/%g to %g"),
                 view->scale, SCALE_MAX, SCALE_MAX);
  else if (r->width < 1 || r->height < 1 || r->width > SIDE_MAX || r->height > SIDE_MAX)
    g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                 _("the view is %d x %d pixels, but must be 1 x 1 to %d x %d"), r->width, r->height,
                 SIDE_MAX, SIDE_MAX);
  else if (view->grow_x < 0 || view->grow_y < 0 || view->grow_x > most_x || view->grow_y > most_y)
    g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT,
                 _("the image is to grow by %d x %d pixels, but must by 0 x 0 to %d x %d"),
                 view->grow_x, view->grow_y, most_x, most_y);
  else
    return TRUE;
  return FALSE;
}

/* Rendering. */

gboolean
fx_preview_job_report (const FxPreviewJob *job, double fraction, GError **error)
{
  if (! job->progress || job->progress (job->data, fraction))
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_CANCELLED, _("The blur was cancelled"));
  return FALSE;
}

static gboolean
render_on (FxGpu *gpu, FxPreview *preview, const BlurPlan *plan, const FxPreviewJob *job,
           FxReport *report, GError **error)
{
  preview->shown = TRUE;
  if (! fx_gpu_show (gpu, &preview->resident, plan, job, error))
    {
      fx_engine_check_gpu (preview->engine);
      return FALSE;
    }
  report->device = FX_DEVICE_GPU;
  g_strlcpy (report->device_name, fx_gpu_get_name (gpu), sizeof report->device_name);
  return TRUE;
}

static gboolean
render_on_gpu (FxPreview *preview, const FxPreviewJob *job, FxDevice device, FxReport *report,
               GError **error)
{
  FxEngine *engine = preview->engine;
  g_autoptr (BlurPlan) plan = blur_plan_new (&job->params, &preview->stored.blurred);
  FxGpu *gpu;

  plan->grown = job->view->grow_x > 0 || job->view->grow_y > 0;
  if (device == FX_DEVICE_GPU)
    gpu = fx_engine_get_gpu (engine, error);
  else
    gpu = fx_engine_find_gpu (engine, plan, &preview->stored.format, error);
  return gpu && render_on (gpu, preview, plan, job, report, error);
}

static gboolean
render (FxPreview *preview, const FxPreviewJob *job, FxDevice device, FxViewReport *done,
        GError **error)
{
  g_autoptr (GError) failure = NULL;

  if (device != FX_DEVICE_CPU && render_on_gpu (preview, job, device, &done->report, &failure))
    return TRUE;
  if (device == FX_DEVICE_GPU || g_error_matches (failure, FX_ERROR, FX_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (! fx_cpu_preview_render (preview->cpu, job, &done->report, &done->draft, error))
    return FALSE;
  if (failure)
    {
      fx_report_fall_back (&done->report, failure->message);
      done->draft = done->draft || fx_engine_is_warming (preview->engine);
    }
  return TRUE;
}

gboolean
fx_preview_render (FxPreview *preview, const BlurParams *params, const FxView *view, guint8 *rgba,
                   FxProgressFunc progress, gpointer data, FxViewReport *report, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  FxPreviewJob job = {
    .stored = &preview->stored,
    .params = *params,
    .view = view,
    .rgba = rgba,
    .progress = progress,
    .data = data,
  };
  FxViewReport done = { 0 };
  FxDevice device;

  if (! blur_params_check (params, error) || ! check_view (preview, view, error) ||
      ! fx_engine_get_device (params->device, &device, error) ||
      ! fx_engine_get_memory_limit (&job.limit, error))
    return FALSE;
  if (preview->stored.coverage)
    job.params.light = FX_LIGHT_LINEAR;
  if (! render (preview, &job, device, &done, error))
    return FALSE;
  done.report.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  if (report)
    *report = done;
  return TRUE;
}
