#include "cpu-preview.h"

#include "cpu.h"
#include "devices.h"
#include "error.h"
#include "pyramid.h"

#include <math.h>
#include <string.h>

#define DRAFT_COST       60.0 /* milliseconds: the highest estimated cost of a draft */
#define REDUCE_COST      2.0  /* nanoseconds to reduce a sample; measured to a factor of two */
#define CALIBRATION_COST 5.0  /* milliseconds: cheaper renderings do not change time_ratio */
#define TIME_RATIO_MAX   8.0

static const FxFormat mask_format = { FX_SAMPLE_U8, 1 };

struct FxCpuPreview {
  FxEngine *engine;
  const FxStored *stored;
  double time_ratio; /* of the measured time of renderings to the estimate */

  /* NULL until a rendering needs them. */
  FxTeam *team;
  FxPyramid *image;
  FxPyramid *mask;
};

/* One rendering from a level of the image. Coordinates are those of the level, whose first stored
 * pixel is 0, 0. */
typedef struct {
  FxCpuPreview *preview;
  const FxViewJob *job;
  int level;
  FxPlan *plan; /* scaled to the level */
  int width, height;
  int grow_x, grow_y; /* pixels that extend the engine's image on each side */
  FxFrame frame;
  FxRect source; /* the stored pixels that the frame's region depends on */
  double cost;   /* estimated milliseconds */
  gconstpointer pixels;
  FxReduction *reduction;
} Drawing;

FxCpuPreview *
fx_cpu_preview_new (FxEngine *engine, const FxStored *stored)
{
  FxCpuPreview *preview = g_new0 (FxCpuPreview, 1);

  preview->engine = engine;
  preview->stored = stored;
  preview->time_ratio = 1.0;
  return preview;
}

void
fx_cpu_preview_free (FxCpuPreview *preview)
{
  fx_pyramid_free (preview->image);
  fx_pyramid_free (preview->mask);
  fx_team_free (preview->team);
  g_free (preview);
}

void
fx_cpu_preview_change (FxCpuPreview *preview, int y, int rows)
{
  if (preview->image)
    fx_pyramid_change (preview->image, y, rows);
}

void
fx_cpu_preview_change_mask (FxCpuPreview *preview)
{
  g_clear_pointer (&preview->mask, fx_pyramid_free);
}

static void
cpu_preview_prepare (FxCpuPreview *preview)
{
  const FxStored *stored = preview->stored;

  if (! preview->team)
    preview->team = fx_team_new (fx_engine_get_cpu (preview->engine)->threads);
  if (! preview->image)
    preview->image = fx_pyramid_new (&stored->format, stored->width, stored->height, stored->pixels,
                                     preview->team);
  if (! preview->mask && stored->mask)
    preview->mask = fx_pyramid_new (&mask_format, stored->width, stored->height, stored->mask,
                                    preview->team);
}

/* Choosing a level. */

/* Returns the pixels of a level for pixels of the image, rounded up. */
static int
scale_up (int pixels, int level)
{
  return (int) (((gint64) pixels + (1 << level) - 1) >> level);
}

static void
estimate (Drawing *drawing)
{
  const FxCpu *cpu = fx_engine_get_cpu (drawing->preview->engine);
  const FxPlan *plan = drawing->plan;
  const FxRect *region = &drawing->frame.region;
  double pixels = (double) region->width * region->height;
  const FxRect source = fx_reach_get_source (&plan->reach, region);
  FxSpan columns = fx_span_clip ((FxSpan) { source.x, source.width }, 0, drawing->width);
  FxSpan rows = fx_span_clip ((FxSpan) { source.y, source.height }, 0, drawing->height);

  drawing->source = (FxRect) { columns.first, rows.first, columns.count, rows.count };
  drawing->cost = pixels * plan->codec.format.channels * REDUCE_COST / cpu->threads / 1e6;
  if (! plan->identity)
    drawing->cost += fx_cpu_get_cost (cpu, plan, MAX (pixels, (double) columns.count * rows.count));
}

/* Level 0 is the image itself. plan is scaled to the level; drawing takes ownership of it. */
static void
set_level (Drawing *drawing, int level, FxPlan *plan)
{
  const FxView *view = drawing->job->view;

  fx_frame_clear (&drawing->frame);
  fx_frame_init (&drawing->frame, drawing->job->stored, view, level);
  drawing->level = level;
  fx_plan_free (drawing->plan);
  drawing->plan = plan;
  drawing->grow_x = scale_up (view->grow_x, level);
  drawing->grow_y = scale_up (view->grow_y, level);
  fx_pyramid_get_size (drawing->preview->image, level, &drawing->width, &drawing->height);
  estimate (drawing);
}

static gboolean
is_last (const Drawing *drawing)
{
  return drawing->level == FX_PYRAMID_LEVELS - 1 || (drawing->width == 1 && drawing->height == 1);
}

/* If memory for a level's plan runs out, uses the level before it. */
static void
choose_level (Drawing *drawing)
{
  const FxPlan *plan = drawing->job->plan;
  FxPlan *draft;

  set_level (drawing, 0, fx_plan_ref (drawing->job->plan));
  while (drawing->job->view->draft && plan->filter->get_draft && ! is_last (drawing) &&
         drawing->cost * drawing->preview->time_ratio > DRAFT_COST &&
         (draft = plan->filter->get_draft (plan, drawing->level + 1)))
    set_level (drawing, drawing->level + 1, draft);
}

/* The run. */

static gboolean
cpu_preview_report_progress (gpointer data, double fraction)
{
  const FxViewJob *job = ((Drawing *) data)->job;

  return ! job->progress || job->progress (job->data, fraction);
}

/* Pixels outside of the level are zeros: they extend the image. */
static gboolean
read_level (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Drawing *drawing = data;
  gsize size = fx_format_size (&drawing->job->stored->format);
  int x = rect->x - drawing->grow_x, y = rect->y - drawing->grow_y;
  int left = MAX (x, 0), right = MIN (x + rect->width, drawing->width);

  for (int row = 0; row < rect->height; row++)
    {
      guint8 *to = (guint8 *) pixels + row * stride;
      gboolean there = y + row >= 0 && y + row < drawing->height && left < right;

      if (! there || right - left < rect->width)
        memset (to, 0, rect->width * size);
      if (there)
        memcpy (to + (left - x) * size,
                (const guint8 *) drawing->pixels +
                  ((gsize) (y + row) * drawing->width + left) * size,
                (right - left) * size);
    }
  return TRUE;
}

static gboolean
cpu_preview_reduce (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride,
                    GError **error)
{
  Drawing *drawing = data;
  const FxRect moved = { rect->x - drawing->grow_x, rect->y - drawing->grow_y, rect->width,
                         rect->height };

  fx_reduction_add (drawing->reduction, &moved, pixels, stride);
  return TRUE;
}

static gboolean
cpu_preview_run (Drawing *drawing, FxReport *report, GError **error)
{
  const FxViewJob *job = drawing->job;
  const FxRect *region = &drawing->frame.region;
  FxImage image = {
    .format = job->stored->processed,
    .width = drawing->width + 2 * drawing->grow_x,
    .height = drawing->height + 2 * drawing->grow_y,
    .x = -drawing->grow_x,
    .y = -drawing->grow_y,
    .region = { region->x + drawing->grow_x, region->y + drawing->grow_y, region->width,
                region->height },
    .read = read_level,
    .write = cpu_preview_reduce,
    .source = drawing->grow_x || drawing->grow_y ? NULL : drawing->pixels,
    .progress = cpu_preview_report_progress,
    .data = drawing,
  };

  return fx_engine_run (drawing->preview->engine, drawing->plan, FX_DEVICE_CPU, &image, report,
                        error);
}

/* Updates time_ratio from a rendering that began at since. */
static void
calibrate (Drawing *drawing, gint64 since)
{
  FxCpuPreview *preview = drawing->preview;
  double milliseconds = (g_get_monotonic_time () - since) / 1000.0;

  if (MAX (milliseconds, drawing->cost) >= CALIBRATION_COST)
    preview->time_ratio = CLAMP ((preview->time_ratio + milliseconds / drawing->cost) / 2.0,
                                 1.0 / TIME_RATIO_MAX, TIME_RATIO_MAX);
}

/* Renders from a level that is up to date. */
static gboolean
run_and_reduce (Drawing *drawing, const guint8 *mask, FxReport *report, GError **error)
{
  const FxViewJob *job = drawing->job;
  FxStored level = *job->stored;
  g_autoptr (FxReduction) reduction = NULL;
  gint64 start = g_get_monotonic_time ();

  level.width = drawing->width;
  level.height = drawing->height;
  level.pixels = drawing->pixels;
  level.mask = mask;
  drawing->reduction = reduction = fx_reduction_new (&level, &drawing->frame,
                                                     drawing->preview->team);
  if (! reduction)
    return fx_set_no_memory (error);
  if (drawing->frame.region.width > 0 && ! cpu_preview_run (drawing, report, error))
    return FALSE;
  fx_reduction_finish (reduction, job->rgba);
  calibrate (drawing, start);
  return TRUE;
}

static gboolean
cpu_preview_render (Drawing *drawing, FxReport *report, GError **error)
{
  FxCpuPreview *preview = drawing->preview;
  const FxViewJob *job = drawing->job;
  const FxRect *source = &drawing->source;
  const guint8 *mask = NULL;

  drawing->pixels = fx_pyramid_get (preview->image, drawing->level, source->y, source->height,
                                    job->progress, job->data, error);
  if (! drawing->pixels ||
      (preview->mask &&
       ! (mask = fx_pyramid_get (preview->mask, drawing->level, source->y, source->height,
                                 job->progress, job->data, error))))
    return FALSE;
  return run_and_reduce (drawing, mask, report, error);
}

gboolean
fx_cpu_preview_render (FxCpuPreview *preview, const FxViewJob *job, FxReport *report,
                       gboolean *draft, GError **error)
{
  const FxCpu *cpu = fx_engine_get_cpu (preview->engine);
  Drawing drawing = { .preview = preview, .job = job };
  gboolean done;

  fx_report_set_cpu (report, cpu); /* a view outside the image needs no run */
  cpu_preview_prepare (preview);
  choose_level (&drawing);
  *draft = drawing.level > 0;
  done = cpu_preview_render (&drawing, report, error);
  fx_frame_clear (&drawing.frame);
  fx_plan_free (drawing.plan);
  return done;
}
