#include "cpu-preview.h"
#include "backend.h"
#include "pyramid.h"
#include "view.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define DRAFT_COST  60.0 /* milliseconds that a draft may cost by the estimate */
#define REDUCE_COST 2.0  /* nanoseconds to show a sample; measured, to a factor of two */
#define PACE_COST   5.0  /* milliseconds: what costs less says nothing of the next one's pace */
#define PACE_MAX    8.0

static const FxFormat mask_format = { FX_SAMPLE_U8, 1 };

struct FxCpuPreview {
  FxEngine *engine;
  const FxStored *stored;
  FxPyramid *image;
  FxPyramid *mask; /* or NULL */
  double pace;     /* what renderings take, to the estimate */
};

/* One rendering, from a level of the image. Coordinates are those of the level, whose first stored
 * pixel is 0, 0. */
typedef struct {
  FxCpuPreview *preview;
  const FxPreviewJob *job;
  int level;
  BlurParams params; /* scaled to the level */
  int width, height;
  int grow_x, grow_y; /* the engine's image has so many pixels more on each side */
  FxFrame frame;
  FxRect source; /* what the frame's region reaches of the stored image */
  double cost;   /* milliseconds, by the estimate */
  gconstpointer pixels;
  FxReduction *reduction;
} Rendering;

FxCpuPreview *
fx_cpu_preview_new (FxEngine *engine, const FxStored *stored)
{
  FxCpuPreview *preview = g_new0 (FxCpuPreview, 1);

  preview->engine = engine;
  preview->stored = stored;
  preview->image = fx_pyramid_new (&stored->format, stored->width, stored->height, stored->pixels);
  preview->pace = 1.0;
  return preview;
}

void
fx_cpu_preview_free (FxCpuPreview *preview)
{
  fx_pyramid_free (preview->image);
  fx_pyramid_free (preview->mask);
  g_free (preview);
}

void
fx_cpu_preview_change (FxCpuPreview *preview, int y, int rows)
{
  fx_pyramid_change (preview->image, y, rows);
}

void
fx_cpu_preview_change_mask (FxCpuPreview *preview)
{
  const FxStored *stored = preview->stored;

  g_clear_pointer (&preview->mask, fx_pyramid_free);
  if (stored->mask)
    preview->mask = fx_pyramid_new (&mask_format, stored->width, stored->height, stored->mask);
}

/* The choice of a level. */

static BlurParams
scale_params (const BlurParams *params, int level)
{
  BlurParams scaled = *params;

  scaled.device = FX_DEVICE_CPU;
  scaled.sigma_x = ldexp (params->sigma_x, -level);
  scaled.sigma_y = ldexp (params->sigma_y, -level);
  if (params->kernel_size > 0)
    scaled.kernel_size = params->kernel_size >> level | 1;
  return scaled;
}

/* Pixels of a level for so many of the image. */
static int
scale_up (int pixels, int level)
{
  return (int) (((gint64) pixels + (1 << level) - 1) >> level);
}

/* Pixels first to first + count - 1, and what they reach of length there are. */
static FxSpan
get_reach (int first, int count, int reach, int length)
{
  int start = MAX (0, first - reach);
  int end = (int) MIN ((gint64) length, (gint64) first + count + reach);

  return (FxSpan) { start, MAX (0, end - start) };
}

static void
estimate (Rendering *rendering)
{
  const FxRect *region = &rendering->frame.region;
  const FxFormat *format = &rendering->job->stored->blurred;
  double pixels = (double) region->width * region->height;
  g_autoptr (BlurPlan) plan = blur_plan_new (&rendering->params, format);
  FxSpan columns = get_reach (region->x, region->width, plan->x.reach, rendering->width);
  FxSpan rows = get_reach (region->y, region->height, plan->y.reach, rendering->height);

  rendering->source = (FxRect) { columns.first, rows.first, columns.count, rows.count };
  rendering->cost = pixels * format->channels * REDUCE_COST / fx_cpu_get_threads () / 1e6;
  if (! blur_params_is_identity (&rendering->params))
    rendering->cost += fx_cpu_get_cost (plan, MAX (pixels, (double) columns.count * rows.count));
}

static void
set_level (Rendering *rendering, int level)
{
  const FxPreviewJob *job = rendering->job;
  const FxView *view = job->view;
  double grow_x = ldexp (view->grow_x, -level), grow_y = ldexp (view->grow_y, -level);

  fx_frame_clear (&rendering->frame);
  fx_frame_init (&rendering->frame, ldexp (view->scale, level), &view->rect, -grow_x, -grow_y,
                 ldexp (job->stored->width, -level) + grow_x,
                 ldexp (job->stored->height, -level) + grow_y);
  rendering->level = level;
  rendering->params = scale_params (&job->params, level);
  rendering->grow_x = scale_up (view->grow_x, level);
  rendering->grow_y = scale_up (view->grow_y, level);
  fx_pyramid_get_size (rendering->preview->image, level, &rendering->width, &rendering->height);
  estimate (rendering);
}

static gboolean
is_last (const Rendering *rendering)
{
  return rendering->level == FX_PYRAMID_LEVELS - 1 ||
         (rendering->width == 1 && rendering->height == 1);
}

static void
choose_level (Rendering *rendering)
{
  set_level (rendering, 0);
  while (rendering->job->view->draft && ! is_last (rendering) &&
         rendering->cost * rendering->preview->pace > DRAFT_COST)
    set_level (rendering, rendering->level + 1);
}

/* The run. */

static gboolean
report_step (gpointer data, GError **error)
{
  return fx_preview_job_report (((Rendering *) data)->job, 0.0, error);
}

static gboolean
report_progress (gpointer data, double fraction)
{
  const FxPreviewJob *job = ((Rendering *) data)->job;

  return ! job->progress || job->progress (job->data, fraction);
}

/* Outside the level there are zeros, which is what an image grows by. */
static gboolean
read_level (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Rendering *rendering = data;
  gsize size = fx_format_size (&rendering->job->stored->format);
  int x = rect->x - rendering->grow_x, y = rect->y - rendering->grow_y, row;
  int left = MAX (x, 0), right = MIN (x + rect->width, rendering->width);

  for (row = 0; row < rect->height; row++)
    {
      guint8 *to = (guint8 *) pixels + row * stride;
      gboolean there = y + row >= 0 && y + row < rendering->height && left < right;

      if (! there || right - left < rect->width)
        memset (to, 0, rect->width * size);
      if (there)
        memcpy (to + (left - x) * size,
                (const guint8 *) rendering->pixels +
                  ((gsize) (y + row) * rendering->width + left) * size,
                (right - left) * size);
    }
  return TRUE;
}

static gboolean
reduce (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Rendering *rendering = data;
  const FxRect moved = { rect->x - rendering->grow_x, rect->y - rendering->grow_y, rect->width,
                         rect->height };

  fx_reduction_add (rendering->reduction, &moved, pixels, stride);
  return TRUE;
}

static gboolean
run (Rendering *rendering, FxReport *report, GError **error)
{
  const FxPreviewJob *job = rendering->job;
  const FxRect *region = &rendering->frame.region;
  FxImage image = {
    .format = job->stored->blurred,
    .width = rendering->width + 2 * rendering->grow_x,
    .height = rendering->height + 2 * rendering->grow_y,
    .region = { region->x + rendering->grow_x, region->y + rendering->grow_y, region->width,
                region->height },
    .read = read_level,
    .write = reduce,
    .progress = report_progress,
    .data = rendering,
  };

  return fx_engine_run (rendering->preview->engine, &rendering->params, &image, report, error);
}

/* Learns what renderings take on this machine, to the estimate. */
static void
learn (Rendering *rendering, gint64 since)
{
  FxCpuPreview *preview = rendering->preview;
  double milliseconds = (g_get_monotonic_time () - since) / 1000.0;

  if (MAX (milliseconds, rendering->cost) >= PACE_COST)
    preview->pace = CLAMP ((preview->pace + milliseconds / rendering->cost) / 2.0, 1.0 / PACE_MAX,
                           PACE_MAX);
}

/* From a level that is up to date. */
static gboolean
run_and_reduce (Rendering *rendering, const guint8 *mask, FxReport *report, GError **error)
{
  const FxPreviewJob *job = rendering->job;
  const FxBefore before = { rendering->pixels, mask, job->stored->kept, rendering->width,
                            rendering->height };
  g_autoptr (FxReduction) reduction = fx_reduction_new (&job->stored->format, job->stored->coverage,
                                                        &rendering->frame, &before);
  gint64 start = g_get_monotonic_time ();

  if (! reduction)
    {
      g_set_error (error, FX_ERROR, FX_ERROR_MEMORY, _("There is not enough memory for the blur"));
      return FALSE;
    }
  rendering->reduction = reduction;
  if (rendering->frame.region.width > 0 && ! run (rendering, report, error))
    return FALSE;
  fx_reduction_finish (reduction, job->rgba);
  learn (rendering, start);
  return TRUE;
}

static gboolean
render (Rendering *rendering, FxReport *report, GError **error)
{
  FxCpuPreview *preview = rendering->preview;
  const FxRect *source = &rendering->source;
  const guint8 *mask = NULL;

  rendering->pixels = fx_pyramid_get (preview->image, rendering->level, source->y, source->height,
                                      report_step, rendering, error);
  if (! rendering->pixels ||
      (preview->mask && ! (mask = fx_pyramid_get (preview->mask, rendering->level, source->y,
                                                  source->height, report_step, rendering, error))))
    return FALSE;
  return run_and_reduce (rendering, mask, report, error);
}

gboolean
fx_cpu_preview_render (FxCpuPreview *preview, const FxPreviewJob *job, FxReport *report,
                       gboolean *draft, GError **error)
{
  Rendering rendering = { .preview = preview, .job = job };
  gboolean done;

  fx_cpu_report (report); /* of a view beside the image there is no run */
  choose_level (&rendering);
  *draft = rendering.level > 0;
  done = render (&rendering, report, error);
  fx_frame_clear (&rendering.frame);
  return done;
}
