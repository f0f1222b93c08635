#include "run.h"

#include "copy.h"
#include "engine.h"
#include "engines.h"
#include "message.h"
#include "rectangles.h"
#include "threads.h"
#include "trace.h"

#include <glib/gi18n-lib.h>

/* Times in milliseconds: what takes no longer than CALL_MAX is one call; a call that
 * takes at least PROGRESS_FROM shows its progress. The estimate for a large matrix, whose
 * transforms leave the cache, may be a third of the time. */
#define CALL_MAX       1000.0
#define LARGE_CALL_MAX (CALL_MAX / 3.0)
#define PROGRESS_FROM  300.0
#define WHOLE_MAX      10000.0 /* that one call takes for the sake of the total */

/* Nanoseconds on a thread to read and to decode a sample of the source; estimated: with the rest of
 * a spin whose paths have one sample, they take 14. */
#define SOURCE_COST 4.0

/* A part may take so many times as long as its share of the whole. */
#define WASTE 5.0

#define BAND_ROWS 512 /* a few rows of tiles, so that all threads can copy at the same time */

/* A run at its level. */
typedef struct {
  const Run *run;
  Copied input, output;
  GeglRectangle frame, result; /* in the level's pixels */
  FxResidentSource *resident;
  gint64 reading, writing; /* in microseconds so far */
} Work;

/* Cutting. */

/* Estimates the time for region on the CPU. */
static double
get_milliseconds (const FxPlan *plan, const GeglRectangle *region)
{
  double samples = (double) region->width * region->height * plan->codec.format.channels;

  return plan->cpu_cost * samples / fx_threads_get_default () / 1e6;
}

/* Returns how many times its share of the whole a part takes that is computed by itself: the
 * others read some of its source again. */
static double
get_waste (const FxPlan *plan, const GeglRectangle *part, const GeglRectangle *frame)
{
  GeglRectangle source = rectangles_get_source (part, &plan->reach);
  double cost = plan->cpu_cost;

  gegl_rectangle_intersect (&source, &source, frame);
  return 1.0 +
         SOURCE_COST * source.width * source.height / ((double) part->width * part->height * cost);
}

/* Returns part, at least as wide as its reach to both sides if region is. */
static GeglRectangle
widen (const GeglRectangle *part, const FxReach *reach, const GeglRectangle *region)
{
  gint64 right = MIN ((gint64) part->x + reach->left + reach->right,
                      (gint64) region->x + region->width);

  return rectangles_between (part->x, part->y, MAX (right, (gint64) part->x + part->width),
                             (gint64) part->y + part->height);
}

/* Returns whether the GPU is ready, and computes all of region in a moment. */
static gboolean
is_fast_on_gpu (FxPlan *plan, FxDevice device, const GeglRectangle *region)
{
  const FxImage image = { .format = plan->codec.format,
                          .width = region->width,
                          .height = region->height,
                          .region = { 0, 0, region->width, region->height } };
  FxEngine *engine = engines_borrow ();
  gboolean fast = fx_engine_expect_gpu (engine, plan, device, &image) <= CALL_MAX;

  engines_return (engine);
  return fast;
}

/* A caller such as GIMP measures how long its last rectangles took, row by row of them, and handles
 * events in between. It would ask for all of the rest if these had been there already, so a part
 * has no rows but theirs. */
GeglRectangle
run_cut (FxPlan *plan, FxDevice device, const GeglRectangle *region, const GeglRectangle *roi,
         const GeglRectangle *frame)
{
  gboolean large = plan->reach.worthwhile_rows > 0; /* a matrix: transforms want to be wide, too */
  double call_max = large ? LARGE_CALL_MAX : CALL_MAX;
  double all = get_milliseconds (plan, region);
  GeglRectangle wide;

  if (all <= call_max || is_fast_on_gpu (plan, device, region))
    return *region;
  if (! large && get_waste (plan, roi, frame) <= WASTE / 2.0)
    return *roi;
  wide = widen (roi, &plan->reach, region);
  return get_waste (plan, &wide, frame) <= WASTE || all > WHOLE_MAX ? wide : *region;
}

/* The engine. */

/* Converts rect from the frame's coordinates to the buffer's. */
static GeglRectangle
to_buffer (const Work *work, const FxRect *rect)
{
  return (GeglRectangle) { rect->x + work->frame.x, rect->y + work->frame.y, rect->width,
                           rect->height };
}

static gboolean
gegl_run_read_pixels (gpointer data, const FxRect *rect, gpointer pixels, gsize stride,
                      GError **error)
{
  Work *work = data;
  const GeglRectangle part = to_buffer (work, rect);
  gint64 start = g_get_monotonic_time ();

  copy_from_buffer (&work->input, &part, pixels, stride);
  work->reading += g_get_monotonic_time () - start;
  return TRUE;
}

static gboolean
write_pixels (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Work *work = data;
  const GeglRectangle part = to_buffer (work, rect);
  gint64 start = g_get_monotonic_time ();

  copy_to_buffer (&work->output, &part, pixels, stride);
  work->writing += g_get_monotonic_time () - start;
  return TRUE;
}

/* Shows the progress, but only on the thread that owns the windows. */
static gboolean
gegl_run_show_progress (gpointer data, double fraction)
{
  const Work *work = data;

  if (g_main_context_is_owner (NULL))
    gegl_operation_progress (work->run->operation, fraction, (char *) "");
  return TRUE;
}

/* Traces the device used, and the time that copying from and to GEGL's buffers took. */
static void
trace (const Work *work, gint64 start, const FxReport *report)
{
  const GeglRectangle *result = &work->result;
  gsize bytes = fx_format_size (&work->run->pixels.format) * result->width * result->height;
  char reading[G_ASCII_DTOSTR_BUF_SIZE], writing[G_ASCII_DTOSTR_BUF_SIZE];

  fx_trace ("process", start, bytes, "%s %dx%d at %d %d, %s, read %s ms, written %s ms",
            work->run->filter->operation, result->width, result->height, result->x, result->y,
            report->device_name,
            g_ascii_formatd (reading, sizeof reading, "%.3f", work->reading / 1000.0),
            g_ascii_formatd (writing, sizeof writing, "%.3f", work->writing / 1000.0));
}

static gboolean
run_engine (Work *work, FxEngine *engine, FxPlan *plan, FxDevice device, GError **error)
{
  const FxImage image = {
    .format = work->run->pixels.format,
    .width = work->frame.width,
    .height = work->frame.height,
    .x = work->frame.x,
    .y = work->frame.y,
    .region = { work->result.x - work->frame.x, work->result.y - work->frame.y, work->result.width,
                work->result.height },
    .band_rows = BAND_ROWS,
    .resident = work->resident,
    .read = gegl_run_read_pixels,
    .write = write_pixels,
    .progress = get_milliseconds (plan, &work->result) >= PROGRESS_FROM ? gegl_run_show_progress
                                                                        : NULL,
    .data = work,
  };

  gint64 start = g_get_monotonic_time ();
  FxReport report;

  if (! fx_engine_run (engine, plan, device, &image, &report, error))
    return FALSE;
  trace (work, start, &report);
  return TRUE;
}

/* Shows why the device is not used. format is translated. */
static void
report_failure (const GError *error, const char *format, void (*show) (const char *text))
{
  g_autofree char *message = g_strdup_printf (format, error->message);

  show (message);
  fx_trace ("fallback", g_get_monotonic_time (), 0, "%s", error->message);
  fx_warn_of_failure (error);
}

/* Runs the plan on the requested device, or else on the CPU. (The configuration may replace the
 * requested device by the GPU.) Returns FALSE if both fail. */
static gboolean
run_devices (Work *work, FxPlan *plan)
{
  FxDevice device = filter_settings_get_device (work->run->settings);
  FxEngine *engine = engines_borrow ();
  g_autoptr (GError) error = NULL;
  gboolean theirs = work->run->theirs;
  gboolean done = run_engine (work, engine, plan, device, &error);

  if (! done && device != FX_DEVICE_CPU && ! plan->missing)
    {
      report_failure (error, _ ("%s: the CPU does the work"), message_show_once);
      g_clear_error (&error);
      done = run_engine (work, engine, plan, FX_DEVICE_CPU, &error);
    }
  engines_return (engine);
  if (! done)
    report_failure (error, theirs ? "%s" : _ ("%s: the pixels stay as they are"),
                    theirs ? message_show_once : message_show);
  return done;
}

/* Levels. */

static GeglRectangle
scale (const GeglRectangle *rect, int level)
{
  gint64 x1 = (gint64) rect->x + rect->width, y1 = (gint64) rect->y + rect->height;
  int x = rect->x >> level, y = rect->y >> level;

  return rectangles_between (x, y, MAX (x1 >> level, x + 1), MAX (y1 >> level, y + 1));
}

/* Reduces an infinite frame to what the result needs. */
static void
cut_frame (GeglRectangle *frame, const GeglRectangle *result, const FxReach *reach)
{
  GeglRectangle needed = rectangles_get_source (result, reach);

  if (frame->width > FX_SIZE_MAX)
    {
      frame->x = needed.x;
      frame->width = needed.width;
    }
  if (frame->height > FX_SIZE_MAX)
    {
      frame->y = needed.y;
      frame->height = needed.height;
    }
}

static GeglAbyssPolicy
get_abyss (FxAbyss abyss)
{
  static const GeglAbyssPolicy policies[] = {
    [FX_ABYSS_CLAMP] = GEGL_ABYSS_CLAMP,
    [FX_ABYSS_NONE] = GEGL_ABYSS_NONE,
    [FX_ABYSS_BLACK] = GEGL_ABYSS_BLACK,
    [FX_ABYSS_WHITE] = GEGL_ABYSS_WHITE,
  };

  return policies[abyss];
}

/* Returns the plan for the level's pixels, or NULL if the filter has none or memory runs out. */
static FxPlan *
get_level_plan (const Run *run)
{
  const FxPlan *plan = run->plan;

  if (run->level == 0)
    return fx_plan_ref (run->plan);
  return plan->filter->get_draft ? plan->filter->get_draft (plan, run->level) : NULL;
}

gboolean
run_process (const Run *run)
{
  g_autoptr (FxPlan) plan = get_level_plan (run);
  const Copied at = { .level = run->level,
                      .format = run->pixels.babl,
                      .abyss = get_abyss (run->plan->abyss) };
  Work work = { .run = run,
                .input = at,
                .output = at,
                .frame = scale (&run->frame, run->level),
                .result = scale (&run->result, run->level) };

  work.input.buffer = run->input;
  work.output.buffer = run->output;
  if (plan)
    cut_frame (&work.frame, &work.result, &plan->reach);
  if (gegl_rectangle_equal (&work.frame, &run->frame))
    work.resident = run->resident;
  return plan && run_devices (&work, plan);
}
