#include "preview.h"

#include "cpu-preview.h"
#include "devices.h"
#include "error.h"
#include "gpu-view.h"
#include "calibration.h"
#include "trace.h"

#include <glib/gi18n-lib.h>

#define SCALE_MAX 1024.0
#define SIDE_MAX  16384 /* the largest side of a view, in pixels */

/* If a GPU takes longer for a view, in milliseconds, the view may be a draft. */
#define DRAFT_THRESHOLD 60.0

/* The initial estimate of how much faster a GPU is than a thread of a CPU: an H200 at long paths of
 * bilinear samples. For other work it is even faster. */
#define GPU_SPEED 400.0

struct FxPreview {
  FxEngine *engine;
  FxStored stored;
  FxCpuPreview *cpu;
  FxDeviceImage image;
  gboolean used_gpu;             /* rendered by the GPU at least once */
  FxCalibration gpu_calibration; /* of the GPU, for long renderings */
};

FxPreview *
fx_preview_new (FxEngine *engine, const FxFormat *format, gboolean coverage, int width, int height,
                gconstpointer pixels)
{
  FxPreview *preview = g_new0 (FxPreview, 1);

  preview->engine = engine;
  preview->stored = (FxStored) {
    .format = *format,
    .processed = *format,
    .coverage = coverage,
    .width = width,
    .height = height,
    .pixels = pixels,
  };
  preview->stored.processed.gamma = format->gamma && ! coverage;
  preview->cpu = fx_cpu_preview_new (engine, &preview->stored);
  preview->image.source = fx_resident_source_new (height);
  if (! preview->image.source)
    g_clear_pointer (&preview, fx_preview_free);
  return preview;
}

/* Waits for the GPU, which may be warming up for the next view. */
static void
release_image (FxPreview *preview)
{
  FxGpu *gpu = preview->used_gpu ? fx_gpu_owner_wait (fx_engine_get_gpu_owner (preview->engine))
                                 : NULL;

  if (gpu)
    fx_gpu_end_lease (gpu, preview->image.source);
}

void
fx_preview_free (FxPreview *preview)
{
  if (! preview)
    return;
  release_image (preview);
  fx_cpu_preview_free (preview->cpu);
  fx_resident_source_free (preview->image.source);
  g_free (preview);
}

const FxFormat *
fx_preview_get_format (const FxPreview *preview)
{
  return &preview->stored.processed;
}

void
fx_preview_change (FxPreview *preview, int y, int rows)
{
  int first = MAX (y, 0), end = (int) MIN ((gint64) y + rows, preview->stored.height);

  if (first >= end)
    return;
  fx_cpu_preview_change (preview->cpu, first, end - first);
  fx_resident_source_change (preview->image.source, first, end - first);
}

void
fx_preview_set_mask (FxPreview *preview, const guint8 *mask)
{
  preview->stored.mask = mask;
  preview->image.mask = FALSE;
  fx_cpu_preview_change_mask (preview->cpu);
}

void
fx_preview_set_locked (FxPreview *preview, guint channels)
{
  preview->stored.locked = channels;
}

/* Checking. */

static gboolean
check_view (const FxPreview *preview, const FxView *view, GError **error)
{
  const FxRect *r = &view->rect;
  int most_x = (FX_SIZE_MAX - preview->stored.width) / 2;
  int most_y = (FX_SIZE_MAX - preview->stored.height) / 2;

  if (! (view->scale >= 1.0 / SCALE_MAX && view->scale <= SCALE_MAX)) /* refuses NaN too */
    return fx_refuse (error, _ ("scale is %g, but must be 1/%g to %g"), view->scale, SCALE_MAX,
                      SCALE_MAX);
  if (r->width < 1 || r->height < 1 || r->width > SIDE_MAX || r->height > SIDE_MAX)
    return fx_refuse (error, _ ("the view is %d x %d pixels, but must be 1 x 1 to %d x %d"),
                      r->width, r->height, SIDE_MAX, SIDE_MAX);
  if (view->grow_x < 0 || view->grow_y < 0 || view->grow_x > most_x || view->grow_y > most_y)
    return fx_refuse (error,
                      _ ("the image grows by %d x %d pixels, but must grow by 0 x 0 to %d x %d"),
                      view->grow_x, view->grow_y, most_x, most_y);
  return TRUE;
}

static gboolean
check_light (const FxPreview *preview, const FxPlan *plan, GError **error)
{
  if (! preview->stored.coverage || plan->codec.curve == FX_CURVE_NONE)
    return TRUE;
  return fx_refuse (error,
                    _ ("plan is for perceptual light, but coverage must be processed as it is"));
}

/* Rendering. */

/* Returns the estimated milliseconds of a view on the GPU. */
static double
get_gpu_cost (const FxViewJob *job)
{
  g_auto (FxFrame) frame = { 0 };
  double pixels;

  fx_frame_init (&frame, job->stored, job->view, 0);
  pixels = (double) frame.region.width * frame.region.height;
  return fx_cpu_get_work (job->plan, pixels) * fx_plan_get_gpu_factor (job->plan) / GPU_SPEED;
}

static gboolean
render_on (FxGpu *gpu, FxPreview *preview, const FxViewJob *job, double cost, FxReport *report,
           GError **error)
{
  gint64 start = g_get_monotonic_time ();

  preview->used_gpu = TRUE;
  if (! fx_gpu_render_view (gpu, &preview->image, job, error))
    {
      fx_gpu_owner_check_gpu (fx_engine_get_gpu_owner (preview->engine), error);
      return FALSE;
    }
  /* In a short rendering, the upload of the picture may take longer than the filter. */
  if (fx_calibration_expect (&preview->gpu_calibration, cost) >= DRAFT_THRESHOLD / 10.0)
    fx_calibration_add (&preview->gpu_calibration, cost,
                        (g_get_monotonic_time () - start) / 1000.0);
  fx_report_set_gpu (report, gpu);
  return TRUE;
}

/* Returns FALSE without an error if the GPU is not ready, or if the CPU should render a draft, in
 * which case it sets slow. */
static gboolean
render_on_gpu (FxPreview *preview, const FxViewJob *job, FxDevice device, FxReport *report,
               gboolean *slow, GError **error)
{
  FxGpuOwner *owner = fx_engine_get_gpu_owner (preview->engine);
  const FxUse use = {
    .plan = job->plan,
    .program = &fx_program_reduce,
    .format = preview->stored.format,
  };
  double cost = job->plan->identity ? 0.0 : get_gpu_cost (job);
  FxGpu *gpu;

  if (device == FX_DEVICE_GPU)
    gpu = fx_gpu_owner_get_gpu (owner, error);
  else if (! (gpu = fx_gpu_owner_find_gpu (owner, &use)))
    fx_gpu_owner_warm_up (owner, &use);
  else if (! fx_gpu_use (gpu, error))
    return FALSE;
  *slow = gpu && device == FX_DEVICE_AUTO && job->view->draft && job->plan->filter->get_draft &&
          fx_calibration_expect (&preview->gpu_calibration, cost) > DRAFT_THRESHOLD;
  return gpu && ! *slow && render_on (gpu, preview, job, cost, report, error);
}

static gboolean
render_on_any (FxPreview *preview, const FxViewJob *job, FxDevice device, FxViewReport *done,
               GError **error)
{
  FxGpuOwner *owner = fx_engine_get_gpu_owner (preview->engine);
  g_autoptr (GError) failure = NULL;
  gboolean slow = FALSE;

  if (device != FX_DEVICE_CPU &&
      render_on_gpu (preview, job, device, &done->report, &slow, &failure))
    return TRUE;
  if (device == FX_DEVICE_GPU || g_error_matches (failure, FX_ERROR, FX_ERROR_CANCELLED))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (failure)
    fx_warn_of_failure (failure);
  if (! fx_cpu_preview_render (preview->cpu, job, &done->report, &done->draft, error))
    return FALSE;
  if (device == FX_DEVICE_CPU || slow)
    return TRUE;
  done->draft = done->draft || fx_gpu_owner_is_warming_up (owner);
  fx_report_fall_back (&done->report, failure ? failure->message : fx_gpu_owner_get_reason (owner));
  return TRUE;
}

gboolean
fx_preview_render (FxPreview *preview, FxPlan *plan, FxDevice device, const FxView *view,
                   guint8 *rgba, FxProgressFunc progress, gpointer data, FxViewReport *report,
                   GError **error)
{
  gint64 start = g_get_monotonic_time ();
  FxViewJob job = {
    .stored = &preview->stored,
    .plan = plan,
    .view = view,
    .rgba = rgba,
    .progress = progress,
    .data = data,
  };
  FxViewReport done = { 0 };

  if (! fx_engine_configure (preview->engine, plan, &preview->stored.processed, &device, &job.limit,
                             error) ||
      ! check_light (preview, plan, error) || ! check_view (preview, view, error) ||
      ! render_on_any (preview, &job, device, &done, error))
    return FALSE;
  done.report.milliseconds = (g_get_monotonic_time () - start) / 1000.0;
  if (report)
    *report = done;
  return TRUE;
}
