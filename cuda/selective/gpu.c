/* A selective blur on the GPU, straight from the source's ring. */
#include "gpu-run.h"
#include "light-codes.h"
#include "selective-kernels.h"
#include "selective-plan.h"

/* A block has THREADS columns of RUN pixels each, and loads as many rows of the source at a time as
 * fit into STAGE bytes of shared memory, but at least one and at most STAGE_ROWS. */
enum { THREADS = 128, RUN = 4, STAGE = 24 << 10, STAGE_ROWS = 8 };

enum {
  WHOLE_RADIUS = 24,     /* up to which a launch over all of the window's rows fills the device */
  WAVES = 2,             /* a launch should have as many pixels as fill the device so many times */
  SUMS_PIXELS = 1 << 20, /* about the most pixels that a launch leaves sums of */
};

typedef struct {
  FxGpuRun base;
  SelectiveWindow window;
  gpointer lights; /* on the device */
  int rows;        /* of the source, for a launch */
} SelectiveRun;

static void
define_selective (const FxProgramCase *program_case, GString *text)
{
  const SelectivePlan *plan = (const SelectivePlan *) program_case->plan;

  fx_define_source (program_case, text);
  if (program_case->codec.curve == FX_CURVE_NONE && plan->perceptual.curve != FX_CURVE_NONE)
    fx_define_trc (text, &program_case->codec.format.trc);
  g_string_append_printf (text,
                          "#define THREADS %d\n#define RUN %d\n#define COMPARED %d\n"
                          "#define SOFT %d\n#define COMPARES_OTHERS %d\n#define LINEAR %d\n",
                          THREADS, RUN, plan->compared, plan->params.edges == SELECTIVE_SOFT,
                          plan->compares_others, plan->perceptual.curve != FX_CURVE_NONE);
}

static const FxProgram program = { "selective", "selective.cu", selective_kernels_get_resource,
                                   define_selective };

/* A launch over all rows of a large window has too few pixels to fill the device. Such a window is
 * cut into launches over some of its rows, which leave their sums to the next one. */
static gboolean
is_cut (const SelectivePlan *plan)
{
  return plan->window.radius > WHOLE_RADIUS;
}

/* Returns the bytes of the sums of that many pixels. */
static gsize
get_sums_bytes (const SelectivePlan *plan, gsize pixels)
{
  return pixels * 2 * selective_plan_get_colors (plan) * sizeof (float);
}

static gsize
selective_gpu_get_bytes (const FxPlan *base, const FxStrip *strip)
{
  const SelectivePlan *plan = (const SelectivePlan *) base;
  gsize pixels = (gsize) (strip->x1 - strip->x0 + THREADS) * (strip->chunk_rows + RUN);

  return (plan->lights ? FX_LIGHT_CODES * sizeof (float) : 0) +
         (is_cut (plan) ? get_sums_bytes (plan, MIN (pixels, SUMS_PIXELS)) : 0);
}

static gboolean
selective_gpu_begin (FxGpuRun *base, GError **error)
{
  const SelectivePlan *plan = (const SelectivePlan *) base->base.plan;
  SelectiveRun *run = (SelectiveRun *) base;
  const gsize size = FX_LIGHT_CODES * sizeof (float);

  run->window = plan->window;
  if (! plan->lights)
    return TRUE;
  run->lights = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_0, size, error);
  return run->lights && fx_gpu_upload (base->gpu, run->lights, plan->lights, size, error);
}

/* Returns how many rows of the source a block loads at a time, and sets shared to its memory. */
static int
get_stage (const SelectivePlan *plan, gsize *shared)
{
  int radius = plan->window.radius, grey = selective_plan_get_colors (plan) == 1;
  gsize cell = (grey ? 2 : 4) * sizeof (float) +
               (plan->compares_others ? (grey ? 1 : 4) : 0) * sizeof (float);
  gsize row = (THREADS + 2 * radius) * cell;
  int stage = (int) CLAMP (STAGE / row, 1, STAGE_ROWS);

  *shared = (2 * radius + 4) / 4 * 4 * sizeof (float) + stage * row;
  return stage;
}

/* Returns the cost of a row of a pixel's window, as fx_gpu_run_throttle counts it: a pixel of a
 * window costs a sample as much as a product. */
static double
get_row_cost (const SelectiveRun *run)
{
  return (2.0 * run->window.radius + 1.0) * run->base.base.plan->codec.format.channels;
}

/* Queues the launches over the rows of the windows of part. */
static gboolean
selective_gpu_pull_part (FxGpuRun *base, const FxRect *part, gpointer data, GError **error)
{
  const SelectivePlan *plan = (const SelectivePlan *) base->base.plan;
  SelectiveRun *run = (SelectiveRun *) base;
  gpointer result = fx_gpu_run_get_row (base, part->y);
  int x = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, THREADS, RUN, THREADS);
  int stage = get_stage (plan, &launch.shared), radius = run->window.radius;
  SelectiveRows rows = { .across = (int) launch.x, .pitch = (int) (launch.x * launch.y) * THREADS };
  double cost = get_row_cost (run) * run->rows * part->width * part->height;
  void *args[] = { &base->source, &run->window,      &rows,  &run->lights, &x, &right, &y, &end,
                   &base->area.x, &base->area.width, &stage, &result };

  if (run->rows < 2 * radius + RUN)
    {
      rows.sums = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1,
                                     get_sums_bytes (plan, (gsize) rows.pitch * RUN), error);
      if (! rows.sums)
        return FALSE;
    }
  for (rows.low = -radius; rows.low < radius + RUN; rows.low = rows.high)
    {
      rows.high = MIN (rows.low + run->rows, radius + RUN);
      if ((rows.low > -radius && ! fx_gpu_run_throttle (base, cost, error)) ||
          ! fx_gpu_launch (base->gpu, base->kernels[0], &launch, args, error))
        return FALSE;
    }
  return TRUE;
}

/* Sets how many rows of the source a launch goes through. */
static gboolean
set_rows (SelectiveRun *run, const FxRect *area, GError **error)
{
  const SelectivePlan *plan = (const SelectivePlan *) run->base.base.plan;
  int all = 2 * run->window.radius + RUN, blocks;
  double pixels = (double) area->width * area->height;
  gsize shared;

  run->rows = all;
  if (! is_cut (plan))
    return TRUE;
  get_stage (plan, &shared);
  if (! fx_gpu_get_capacity (run->base.gpu, run->base.kernels[0], THREADS, shared, &blocks, error))
    return FALSE;
  pixels = MIN (pixels, (double) WAVES * blocks * THREADS * RUN);
  run->rows = (int) CLAMP (fx_gpu_get_launch_limit (run->base.gpu) / get_row_cost (run) / pixels,
                           1.0, all);
  return TRUE;
}

static gboolean
selective_gpu_pull (FxGpuRun *base, const FxRect *area, GError **error)
{
  SelectiveRun *run = (SelectiveRun *) base;

  return set_rows (run, area, error) &&
         fx_gpu_run_queue (base, area, (2 * run->window.radius + 1) * run->rows, THREADS, RUN,
                           selective_gpu_pull_part, NULL, error);
}

const FxGpuPath selective_gpu_path = {
  .size = sizeof (SelectiveRun),
  .get_bytes = selective_gpu_get_bytes,
  .programs = { &program },
  .begin = selective_gpu_begin,
  .pull = selective_gpu_pull,
};
