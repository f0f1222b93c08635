/* A median blur on the GPU, from cells: order codes with weights (kernels/cells.cuh). */
#include "gpu-run.h"
#include "light-codes.h"
#include "median-kernels.h"
#include "median-plan.h"

enum { CELLS, MEDIAN, THRESHOLD }; /* the programs; the last only if there is one */

/* A block processes PIXEL_THREADS pixels of a row, or computes THREADS samples of each of its rows.
 * Its counters, of the first digit and of a further one of FINE bits, fill the shared memory of any
 * device. */
enum { PIXEL_THREADS = 256, THREADS = 32, FIRST = 8, FINE = 7 };

/* The columns of cells that a batch may read beyond the window. */
#define SLACK 7

/* The cost in taps of a cell that enters or leaves a window, or is visited for a further digit. */
#define TAPS 4

#define LIGHTS_BYTES (FX_LIGHT_CODES * sizeof (float))

typedef struct {
  FxGpuRun base;
  MedianWindow window;
  FxRect around; /* the area, and what its windows need */
  char *cells;   /* of that, on the device */
  gpointer lights;
} MedianRun;

static void
define_cells (const FxProgramCase *program_case, GString *text)
{
  fx_define_source (program_case, text);
  g_string_append_printf (text, "#define THREADS %d\n", PIXEL_THREADS);
}

static void
define_median (const FxProgramCase *program_case, GString *text)
{
  fx_define_codec (program_case, text);
  g_string_append_printf (text, "#define THREADS %d\n#define FIRST %d\n#define FINE %d\n", THREADS,
                          FIRST, FINE);
}

static void
define_threshold (const FxProgramCase *program_case, GString *text)
{
  const MedianPlan *plan = (const MedianPlan *) program_case->plan;

  define_cells (program_case, text);
  if (plan->compared == MEDIAN_CODES)
    fx_define_trc (text, &program_case->codec.format.trc);
  g_string_append_printf (text, "#define COMPARED %d\n", plan->compared);
}

static const FxProgram program_cells = { "median-cells", "median-cells.cu",
                                         median_kernels_get_resource, define_cells };
static const FxProgram program_median = { "median", "median.cu", median_kernels_get_resource,
                                          define_median };
static const FxProgram program_threshold = { "median-threshold", "median-threshold.cu",
                                             median_kernels_get_resource, define_threshold };

static int
median_gpu_get_programs (const FxPlan *base, FxVariants variants, const FxProgram **programs)
{
  programs[CELLS] = &program_cells;
  programs[MEDIAN] = &program_median;
  programs[THRESHOLD] = &program_threshold;
  return ((const MedianPlan *) base)->compared == MEDIAN_NOTHING ? THRESHOLD : THRESHOLD + 1;
}

/* Returns the bytes of the cells of a pixel. */
static gsize
get_cells_size (const FxFormat *format)
{
  return fx_format_size (format) * (fx_format_has_alpha (format) ? 2 : 1);
}

/* Returns the rectangle whose cells area depends on. It may extend beyond the picture. */
static FxRect
get_around (const MedianPlan *plan, const FxRect *area)
{
  int radius = plan->window.radius;

  return (FxRect) { area->x - radius, area->y - radius, area->width + 2 * radius + SLACK,
                    area->height + 2 * radius };
}

static gsize
get_bytes (const MedianPlan *plan, const FxRect *around)
{
  return get_cells_size (&plan->base.codec.format) * around->width * around->height;
}

static gsize
median_gpu_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const MedianPlan *plan = (const MedianPlan *) base;
  const FxRect area = { 0, 0, strip->x1 - strip->x0, strip->chunk_rows };
  FxRect around = get_around (plan, &area);

  return get_bytes (plan, &around) + (plan->lights ? LIGHTS_BYTES : 0);
}

static gboolean
median_gpu_begin (FxGpuRun *base, GError **error)
{
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  MedianRun *run = (MedianRun *) base;

  run->window = plan->window;
  if (! plan->lights)
    return TRUE;
  run->lights = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1, LIGHTS_BYTES, error);
  return run->lights && fx_gpu_upload (base->gpu, run->lights, plan->lights, LIGHTS_BYTES, error);
}

/* Returns the address of the cells of pixel x, y. */
static gpointer
get_cells (const MedianRun *run, int x, int y)
{
  gsize pixel = (gsize) (y - run->around.y) * run->around.width + (x - run->around.x);

  return run->cells + pixel * get_cells_size (&run->base.base.plan->codec.format);
}

/* Returns the address of the first pixel of a part of the area. */
static gpointer
get_result (const FxGpuRun *base, const FxRect *part)
{
  return (char *) fx_gpu_run_get_row (base, part->y) +
         (part->x - base->area.x) * fx_format_size (&base->base.plan->codec.format);
}

static gboolean
make_cells (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  MedianRun *run = (MedianRun *) base;
  gpointer cells = get_cells (run, part->x, part->y);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, PIXEL_THREADS, 1, PIXEL_THREADS);
  void *args[] = { &base->source, &x, &right, &y, &end, &run->around.width, &cells };

  return fx_gpu_launch (base->gpu, base->kernels[CELLS], &launch, args, error);
}

/* Returns the bytes of a block's counters. */
static gsize
get_shared (const FxFormat *format)
{
  gboolean has_digits = fx_sample_size (format->sample) > 1;

  return ((1 << FIRST) + (has_digits ? 1 << FINE : 0)) * THREADS * sizeof (guint32);
}

/* Returns how many cells a row of a window costs: those of the outline, and the whole window for
 * each further digit. */
static double
get_visits (const MedianPlan *plan)
{
  int bits = 8 * (int) fx_sample_size (plan->base.codec.format.sample);

  return 2.0 * (2 * plan->window.radius + 1) +
         (double) fx_ceil_div (bits - FIRST, FINE) * plan->window.size;
}

static gboolean
find_ranks (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  MedianRun *run = (MedianRun *) base;
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  const FxFormat *format = &plan->base.codec.format;
  int channels = format->channels, rows, warm = (int) (plan->window.size / get_visits (plan)) + 1;
  int width = part->width * channels, pitch = run->around.width * channels;
  int stride = base->area.width * channels;
  gpointer cells = get_cells (run, part->x, part->y);
  gpointer result = get_result (base, part);
  FxLaunch launch = { .x = fx_ceil_div (width, THREADS),
                      .threads = THREADS,
                      .shared = get_shared (format) };
  void *args[] = { &run->window,           &cells, &pitch,  &width,
                   (void *) &part->height, &rows,  &stride, &result };

  return fx_gpu_run_launch (base, base->kernels[MEDIAN], launch, part->height, warm, 1, &rows, args,
                            error);
}

/* Each launch begins with the whole windows of its first row, so it has no more columns than fill
 * the device, and many rows. */
static gboolean
queue_ranks (FxGpuRun *base, const FxRect *area, GError **error)
{
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  const FxFormat *format = &plan->base.codec.format;
  int taps = (int) (TAPS * get_visits (plan)), right = area->x + area->width, blocks, columns;
  FxRect strip = *area;

  if (! fx_gpu_get_capacity (base->gpu, base->kernels[MEDIAN], THREADS, get_shared (format),
                             &blocks, error))
    return FALSE;
  columns = MAX (blocks / format->channels, 1) * THREADS;
  for (; strip.x < right; strip.x += columns)
    {
      strip.width = MIN (columns, right - strip.x);
      if (! fx_gpu_run_queue (base, &strip, taps, THREADS, 1, find_ranks, NULL, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
keep_colors (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  MedianRun *run = (MedianRun *) base;
  gpointer result = get_result (base, part);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, PIXEL_THREADS, 1, PIXEL_THREADS);
  void *args[] = { &base->source, &run->window,      &run->lights, &x, &right, &y,
                   &end,          &base->area.width, &result };

  return fx_gpu_launch (base->gpu, base->kernels[THRESHOLD], &launch, args, error);
}

static gboolean
median_gpu_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  MedianRun *run = (MedianRun *) base;
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;

  run->around = get_around (plan, area);
  run->cells = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_0, get_bytes (plan, &run->around),
                                  error);
  return run->cells && fx_gpu_run_queue (base, &run->around, 1, 0, 1, make_cells, NULL, error) &&
         queue_ranks (base, area, error) &&
         (plan->compared == MEDIAN_NOTHING ||
          fx_gpu_run_queue (base, area, 1, 0, 1, keep_colors, NULL, error));
}

const FxGpuPath median_gpu_path = {
  .size = sizeof (MedianRun),
  .get_bytes = median_gpu_get_bytes,
  .get_programs = median_gpu_get_programs,
  .begin = median_gpu_begin,
  .pull = median_gpu_pull,
};
