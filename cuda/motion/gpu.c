/* A spin or a zoom on the GPU: all of a strip's source is decoded first, to a grid. */
#include "gpu-run.h"
#include "motion-kernels.h"
#include "motion-plan.h"

enum { DECODE, FILTER }; /* the programs */

/* A block decodes a row of THREADS pixels, or filters COLUMNS x ROWS. If each of its warps has a
 * slice of the paths, it filters SLICED_COLUMNS x SLICED_ROWS. */
enum { THREADS = 256, COLUMNS = 32, ROWS = 8, SLICES = 8, SLICED_COLUMNS = 8, SLICED_ROWS = 4 };

/* The number of samples from which paths are sliced: a launch within the limit then has too few
 * pixels to use the whole device. */
#define MANY 1000

/* The cost of a bilinear sample in taps, for all channels together. It limits a launch to 1.25e9
 * samples. An H200 takes some 140 samples a nanosecond on the longest paths in RGBA. */
#define TAPS 8

typedef struct {
  FxGpuRun base;
  MotionPath path; /* in the image's pixels */
  FxGrid grid;
} MotionRun;

static void
define_motion (const FxProgramCase *program_case, GString *text)
{
  fx_define_source (program_case, text);
  g_string_append_printf (text, "#define THREADS %d\n", THREADS);
}

static void
define_filter (const FxProgramCase *program_case, GString *text)
{
  const MotionPlan *plan = (const MotionPlan *) program_case->plan;

  define_motion (program_case, text);
  g_string_append_printf (text, "#define SPIN %d\n", plan->path.spin != 0.0);
}

static const FxProgram program_decode = { "motion-decode", "decode.cu", motion_kernels_get_resource,
                                          define_motion };
static const FxProgram program_filter = { "motion", "motion.cu", motion_kernels_get_resource,
                                          define_filter };

/* None: push decodes the rows of each chunk. */
static int
motion_gpu_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return 0;
}

static gsize
motion_gpu_get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  return fx_gpu_get_grid_bytes (plan, strip->source_x1 - strip->source_x0,
                                strip->source_y1 - strip->source_y0);
}

static gboolean
motion_gpu_begin (FxGpuRun *base, GError **error)
{
  MotionRun *run = (MotionRun *) base;
  const FxStrip *strip = &base->base.strip;

  run->path = motion_path_move (&((const MotionPlan *) base->base.plan)->path, strip->x, strip->y);
  return fx_gpu_run_get_grid (base, FX_BUFFER_PATH_0, fx_strip_get_columns (strip),
                              fx_strip_get_rows (strip), &run->grid, error);
}

static gboolean
motion_gpu_push_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  MotionRun *run = (MotionRun *) base;
  int y = part->y;
  FxLaunch launch = fx_gpu_get_launch (part, THREADS, 1, THREADS);
  void *args[] = { &base->source, &run->grid, &y };

  return fx_gpu_launch (base->gpu, base->kernels[DECODE], &launch, args, error);
}

static gboolean
motion_gpu_push (FxGpuRun *base, int y, int rows, GError **error)
{
  const FxStrip *strip = &base->base.strip;
  const FxRect area = { strip->source_x0, y, strip->source_x1 - strip->source_x0, rows };

  return fx_gpu_run_queue (base, &area, 1, 0, 1, motion_gpu_push_part, NULL, error);
}

typedef struct {
  int slices, columns, rows;
} Block;

static gboolean
motion_gpu_pull_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  MotionRun *run = (MotionRun *) base;
  Block *block = data;
  gpointer result = fx_gpu_run_get_row (base, part->y);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, block->columns, block->rows, THREADS);
  void *args[] = { &base->source, &run->grid,        &run->path,     &x,     &right, &y, &end,
                   &base->area.x, &base->area.width, &block->slices, &result };

  return fx_gpu_launch (base->gpu, base->kernels[FILTER], &launch, args, error);
}

static gboolean
motion_gpu_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  const MotionRun *run = (const MotionRun *) base;
  int most = motion_path_count_most (&run->path, area);
  int taps = (int) MIN ((gint64) most * TAPS / base->base.plan->codec.format.channels,
                        G_MAXINT / 2);
  Block block = { 1, COLUMNS, ROWS };

  if (most >= MANY)
    block = (Block) { SLICES, SLICED_COLUMNS, SLICED_ROWS };
  return fx_gpu_run_queue (base, area, taps, block.columns, block.rows, motion_gpu_pull_part,
                           &block, error);
}

const FxGpuPath motion_gpu_path = {
  .size = sizeof (MotionRun),
  .needs_all = TRUE,
  .get_source_rows = motion_gpu_get_source_rows,
  .get_bytes = motion_gpu_get_bytes,
  .programs = { [DECODE] = &program_decode, [FILTER] = &program_filter },
  .begin = motion_gpu_begin,
  .push = motion_gpu_push,
  .pull = motion_gpu_pull,
};
