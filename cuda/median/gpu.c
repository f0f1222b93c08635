/* A median blur on the GPU, from cells: order codes with weights (kernels/cells.cuh). */
#include "gpu-run.h"
#include "light-codes.h"
#include "median-kernels.h"
#include "median-plan.h"

enum { CELLS, MEDIAN, THRESHOLD }; /* the programs; the last only if there is one */

/* A block processes PIXEL_THREADS pixels of a row, or computes THREADS samples of each of its
 * rows. */
enum { PIXEL_THREADS = 256, THREADS = 32 };

/* The bits of a code's digits but the first. Each of them takes a pass over the window; with fewer
 * bits, a multiprocessor has room for more blocks. */
#define FINE 6

/* The columns of cells on each side that are read but not used. */
#define SLACK 7

/* The cost in taps of a cell that enters or leaves a window, or is counted for a digit. */
#define TAPS 8

/* The most blocks of a launch, whose counters are kept for the next one; they have a multiple of
 * ROWS rows. */
enum { BLOCKS_MAX = 4096, ROWS = 32 };

#define LIGHTS_BYTES (FX_LIGHT_CODES * sizeof (float))

typedef struct {
  FxGpuRun base;
  MedianWindow window;
  FxRect around; /* the area, and what its windows need */
  char *cells;   /* of that, on the device */
  gpointer lights;
} MedianRun;

/* How a thread of the kernel counts. */
typedef struct {
  int first;       /* bits of the first digit */
  int digits;      /* further ones */
  gboolean narrow; /* counters of 16 bits, not 32 */
  int words;       /* of a thread */
} Counters;

static Counters
get_counters (const MedianPlan *plan)
{
  const FxFormat *format = &plan->base.codec.format;
  int bits = 8 * (int) fx_sample_size (format->sample),
      most = fx_format_has_alpha (format) ? 255 : 1;
  Counters counters = { .first = bits == 8 ? 8 : bits == 16 ? 4 : 2 };

  counters.digits = (int) fx_ceil_div (bits - counters.first, FINE);
  /* A cell enters before the one in its place leaves. */
  counters.narrow = bits == 8 && (plan->window.size + 1) * most <= G_MAXUINT16;
  counters.words = (1 << counters.first >> counters.narrow) + (counters.digits > 0 ? 1 << FINE : 0);
  return counters;
}

static void
define_cells (const FxProgramCase *program_case, GString *text)
{
  fx_define_source (program_case, text);
  g_string_append_printf (text, "#define THREADS %d\n", PIXEL_THREADS);
}

static void
define_median (const FxProgramCase *program_case, GString *text)
{
  Counters counters = get_counters ((const MedianPlan *) program_case->plan);

  fx_define_codec (program_case, text);
  g_string_append_printf (text,
                          "#define THREADS %d\n#define FIRST %d\n#define FINE %d\n"
                          "#define NARROW %d\n",
                          THREADS, counters.first, FINE, counters.narrow);
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

/* Returns the rectangle of cells that area takes. It may extend beyond the picture. */
static FxRect
get_around (const MedianPlan *plan, const FxRect *area)
{
  int radius = plan->window.radius, across = radius + SLACK;

  return (FxRect) { area->x - across, area->y - radius, area->width + 2 * across,
                    area->height + 2 * radius };
}

static gsize
get_cells_bytes (const MedianPlan *plan, const FxRect *around)
{
  return get_cells_size (&plan->base.codec.format) * around->width * around->height;
}

/* Returns the bytes that so many blocks keep. */
static gsize
get_kept_bytes (const MedianPlan *plan, gsize blocks)
{
  return blocks * (get_counters (plan).words + MEDIAN_KEPT) * THREADS * sizeof (guint32);
}

static gsize
median_gpu_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const MedianPlan *plan = (const MedianPlan *) base;
  const FxRect area = { 0, 0, strip->x1 - strip->x0, strip->chunk_rows };
  gsize across = fx_ceil_div ((gsize) area.width * base->codec.format.channels, THREADS);
  FxRect around = get_around (plan, &area);

  return get_cells_bytes (plan, &around) + (plan->lights ? LIGHTS_BYTES : 0) +
         get_kept_bytes (plan, MIN (across * fx_ceil_div (area.height, ROWS), BLOCKS_MAX));
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

/* The launches over a part of the area: each of their blocks has rows of it, and goes through so
 * many steps (kernels/median.cu). */
typedef struct {
  FxLaunch launch;
  int rows, steps;
  double cost; /* of a step of all blocks */
} Launches;

static gboolean
plan_launches (FxGpuRun *base, const FxRect *part, Launches *launches, GError **error)
{
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  Counters counters = get_counters (plan);
  int side = 2 * plan->window.radius + 1, width = part->width * plan->base.codec.format.channels;
  int across = (int) fx_ceil_div (width, THREADS), cells = counters.digits > 0 ? side : 2 * side;
  int warm = counters.digits > 0 ? 1 : plan->window.size / cells, capacity, rows;
  gsize shared = counters.words * THREADS * sizeof (guint32);

  if (! fx_gpu_get_capacity (base->gpu, base->kernels[MEDIAN], THREADS, shared, &capacity, error))
    return FALSE;
  rows = fx_gpu_choose_rows (capacity, across, part->height, warm, ROWS);
  rows = MAX (rows, (int) fx_ceil_div (part->height, BLOCKS_MAX / across));
  launches->launch = (FxLaunch) { across, fx_ceil_div (part->height, rows), THREADS, shared };
  launches->rows = rows;
  launches->steps = side + rows * (1 + counters.digits * side);
  launches->cost = (double) TAPS * cells * width * launches->launch.y;
  return TRUE;
}

static gboolean
find_ranks (FxGpuRun *base, const FxRect *part, GError **error)
{
  MedianRun *run = (MedianRun *) base;
  const MedianPlan *plan = (const MedianPlan *) base->base.plan;
  int channels = plan->base.codec.format.channels, width = part->width * channels;
  int pitch = run->around.width * channels, stride = base->area.width * channels, first, last, most;
  gpointer cells = get_cells (run, part->x, part->y), result = get_result (base, part), kept = NULL;
  Launches launches;
  void *args[] = { &run->window,   &cells, &pitch, &width, (void *) &part->height,
                   &launches.rows, &first, &last,  &kept,  &stride,
                   &result };

  if (! plan_launches (base, part, &launches, error))
    return FALSE;
  most = (int) CLAMP (fx_gpu_get_launch_limit (base->gpu) / launches.cost, 1.0, launches.steps);
  if (most < launches.steps &&
      ! (kept = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_2,
                                   get_kept_bytes (plan,
                                                   (gsize) launches.launch.x * launches.launch.y),
                                   error)))
    return FALSE;
  for (first = 0; first < launches.steps; first = last)
    {
      last = MIN (first + most, launches.steps);
      if (! fx_gpu_run_throttle (base, launches.cost * (last - first), error) ||
          ! fx_gpu_launch (base->gpu, base->kernels[MEDIAN], &launches.launch, args, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
queue_ranks (FxGpuRun *base, const FxRect *area, GError **error)
{
  int columns = BLOCKS_MAX * THREADS / base->base.plan->codec.format.channels;
  int right = area->x + area->width;
  FxRect part = *area;

  for (; part.x < right; part.x += columns)
    {
      part.width = MIN (columns, right - part.x);
      if (! find_ranks (base, &part, error))
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
  run->cells = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_0, get_cells_bytes (plan, &run->around),
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
