/* The multi-resolution method on the GPU. The source is decimated along both axes as it comes in,
 * into a grid that is kept whole; that goes down to the coarsest, through the FIR, and up again;
 * the result's rows are interpolated from it. An axis without stages stays as it is until the FIR.
 */
#include "blur-plan.h"
#include "gpu-run.h"

G_STATIC_ASSERT (ORDER == BLUR_ORDER && FACTOR_MAX == BLUR_FACTOR_MAX);

#define STAGE_TAPS       16 /* a sample of the finer grid's, of both axes */
#define INTERPOLATE_WARM 16 /* rows of the result that filling the window costs as much as */

static int
get_stages (const FxPlan *plan)
{
  return MAX (blur_plan_get (plan)->x.n_stages, blur_plan_get (plan)->y.n_stages);
}

static int
get_radius (const BlurAxis *axis)
{
  return axis->n_stages ? axis->stages[0].radius : 0;
}

static int
grids_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return 2 * get_radius (&blur_plan_get (plan)->y) + 1;
}

/* The largest of the grids, in bytes; there are two buffers of it. */
static gsize
get_most (const FxPlan *plan, const BlurLevels *x, const BlurLevels *y)
{
  gsize most = 0;
  int i;

  for (i = 1; i <= get_stages (plan); i++)
    most = MAX (most, fx_gpu_get_grid_bytes (plan, x->spans[i].count, y->spans[i].count));
  return most;
}

static gsize
grids_get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  BlurLevels x, y;

  blur_levels_init (&x, &blur_plan_get (plan)->x, fx_strip_get_columns (strip));
  blur_levels_init (&y, &blur_plan_get (plan)->y, fx_strip_get_rows (strip));
  return 2 * get_most (plan, &x, &y);
}

static int
grids_get_programs (const FxPlan *plan, FxProgramKind *kinds)
{
  int n = 0;

  kinds[n++] = BLUR_PROGRAM_DECIMATE_SOURCE;
  kinds[n++] = BLUR_PROGRAM_CONVOLVE_GRID;
  kinds[n++] = BLUR_PROGRAM_INTERPOLATE_RESULT;
  if (get_stages (plan) > 1)
    {
      kinds[n++] = BLUR_PROGRAM_DECIMATE_GRID;
      kinds[n++] = BLUR_PROGRAM_INTERPOLATE_GRID;
    }
  return n;
}

static gboolean
grids_begin (FxGpuRun *run, GError **error)
{
  gsize most = get_most (run->base.plan, &run->x, &run->y);

  if (! fx_gpu_get_buffer (run->gpu, FX_BUFFER_GRID_0, most, error) ||
      ! fx_gpu_get_buffer (run->gpu, FX_BUFFER_GRID_1, most, error) ||
      ! fx_gpu_run_get_grid (run, FX_BUFFER_GRID_0, run->x.spans[1], run->y.spans[1], &run->grid,
                             error))
    return FALSE;
  run->next = run->grid.y_first;
  return TRUE;
}

/* Down. */

static unsigned
get_cell_blocks (int columns, int factor)
{
  return fx_ceil_div (columns, (STAGE_THREADS - 2 * REACH * (factor - 1) - 1) / factor + 1);
}

/* What a kernel works on, at a stage. */
typedef struct {
  FxProgramKind kind;
  void *from; /* the source or a grid */
  FxGrid *to;
  BlurStageWeights *x, *y;
  int first; /* row of the result */
} Step;

static Step
get_step (FxGpuRun *run, FxProgramKind kind, void *from, FxGrid *to, int stage)
{
  return (Step) { kind, from, to, &run->x.stages[stage], &run->y.stages[stage], 0 };
}

static gboolean
decimate_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Step *step = data;
  FxLaunch launch = {
    .x = get_cell_blocks (part->width, step->x->factor),
    .threads = STAGE_THREADS,
  };
  int warm = step->y->factor == 1 ? 0 : 2 * REACH - 1;
  int first = part->y, end = part->y + part->height, rows_a_block;
  void *args[] = { step->from, step->to, step->x, step->y, &first, &end, &rows_a_block };

  return fx_gpu_run_launch (run, step->kind, launch, part->height, warm, 1, &rows_a_block, args,
                            error);
}

/* Rows first to end - 1 of the coarser grid. */
static gboolean
decimate (FxGpuRun *run, Step *step, int first, int end, GError **error)
{
  const FxRect area = { step->to->x_first, first, step->to->columns, end - first };
  int samples = step->x->factor * step->y->factor; /* of the finer grid, a cell */

  return fx_gpu_run_queue (run, &area, samples * STAGE_TAPS, 0, 1, decimate_part, step, error);
}

/* Makes the rows of the finest grid that the source is complete for. */
static gboolean
grids_take (FxGpuRun *run, int y, int rows, GError **error)
{
  int factor = run->y.stages[0].factor, radius = REACH * (factor - 1), first = run->next;
  int last = run->grid.y_first + run->grid.rows;
  Step step;

  while (run->next < last &&
         (y + rows == run->base.strip.source_y1 || run->next * factor + radius < y + rows))
    run->next++;
  step = get_step (run, BLUR_PROGRAM_DECIMATE_SOURCE, &run->source, &run->grid, 0);
  return run->next == first || decimate (run, &step, first, run->next, error);
}

/* From grid to grid; each takes the place of what it was made of. */

static gboolean
get_next_grid (FxGpuRun *run, int level, FxGrid *to, GError **error)
{
  gpointer first = fx_gpu_get_buffer (run->gpu, FX_BUFFER_GRID_0, 0, error);

  return fx_gpu_run_get_grid (run, run->grid.cells == first ? FX_BUFFER_GRID_1 : FX_BUFFER_GRID_0,
                              run->x.spans[level], run->y.spans[level], to, error);
}

static gboolean
step_down (FxGpuRun *run, int stage, GError **error)
{
  FxGrid to;
  Step step = get_step (run, BLUR_PROGRAM_DECIMATE_GRID, &run->grid, &to, stage);

  if (! get_next_grid (run, stage + 1, &to, error) ||
      ! decimate (run, &step, to.y_first, to.y_first + to.rows, error))
    return FALSE;
  run->grid = to;
  return TRUE;
}

/* What the FIR works on; x, y: the weights along an axis, or one of 1. */
typedef struct {
  FxGrid *to;
  const BlurTaps *x, *y;
} Fir;

/* The kernel takes the rows of the grid that it fills. */
static gboolean
convolve_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  const Fir *fir = data;
  BlurTaps x = *fir->x, y = *fir->y;
  FxGrid to = *fir->to;
  int rows_a_block;
  void *args[] = { &run->grid, &to, &x, &y, &rows_a_block };

  to.y_first = part->y;
  to.rows = part->height;
  return fx_gpu_run_launch (run, BLUR_PROGRAM_CONVOLVE_GRID,
                            blur_gpu_run_get_tiles (run, &x, &y, to.columns), to.rows, 2 * y.radius,
                            RUN, &rows_a_block, args, error);
}

static gboolean
convolve_along (FxGpuRun *run, const BlurTaps *x, const BlurTaps *y, GError **error)
{
  FxGrid to;
  Fir fir = { &to, x, y };
  FxRect area;

  if (! get_next_grid (run, get_stages (run->base.plan), &to, error))
    return FALSE;
  area = (FxRect) { to.x_first, to.y_first, to.columns, to.rows };
  if (! fx_gpu_run_queue (run, &area, blur_gpu_get_taps (x) + blur_gpu_get_taps (y), 0, RUN,
                          convolve_part, &fir, error))
    return FALSE;
  run->grid = to;
  return TRUE;
}

/* Both axes at once, or, where shared memory is too small for that, one after the other. */
static gboolean
convolve (FxGpuRun *run, GError **error)
{
  if (blur_gpu_run_has_room (run, &run->x.taps, &run->y.taps))
    return convolve_along (run, &run->x.taps, &run->y.taps, error);
  return convolve_along (run, &run->x.taps, &run->one, error) &&
         convolve_along (run, &run->one, &run->y.taps, error);
}

static gboolean
step_up_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Step *step = data;
  FxLaunch launch = {
    .x = fx_ceil_div (part->width, STAGE_THREADS),
    .threads = STAGE_THREADS,
  };
  int first = part->y, end = part->y + part->height, rows_a_block;
  void *args[] = { step->from, step->to, step->x, step->y, &first, &end, &rows_a_block };

  return fx_gpu_run_launch (run, step->kind, launch, part->height, INTERPOLATE_WARM, 1,
                            &rows_a_block, args, error);
}

static gboolean
step_up (FxGpuRun *run, int stage, GError **error)
{
  FxGrid to;
  Step step = get_step (run, BLUR_PROGRAM_INTERPOLATE_GRID, &run->grid, &to, stage);
  FxRect area;

  if (! get_next_grid (run, stage, &to, error))
    return FALSE;
  area = (FxRect) { to.x_first, to.y_first, to.columns, to.rows };
  if (! fx_gpu_run_queue (run, &area, STAGE_TAPS, 0, 1, step_up_part, &step, error))
    return FALSE;
  run->grid = to;
  return TRUE;
}

/* From the finest grid down to the coarsest, through the FIR, and up to the finest again. */
static gboolean
solve (FxGpuRun *run, GError **error)
{
  int stages = get_stages (run->base.plan), i;

  for (i = 1; i < stages; i++)
    if (! step_down (run, i, error))
      return FALSE;
  if (! convolve (run, error))
    return FALSE;
  for (i = stages - 1; i >= 1; i--)
    if (! step_up (run, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
give_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Step *step = data;
  int left = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, y, step->first);
  FxLaunch launch = {
    .x = fx_ceil_div (part->width, STAGE_THREADS),
    .threads = STAGE_THREADS,
  };
  int rows_a_block;
  void *args[] = { step->from, step->x, step->y, &left, &right, &y, &end, &rows_a_block, &result };

  return fx_gpu_run_launch (run, step->kind, launch, part->height, INTERPOLATE_WARM, 1,
                            &rows_a_block, args, error);
}

/* Up to the result. */
static gboolean
grids_give (FxGpuRun *run, int y, int rows, GError **error)
{
  const FxRect area = fx_gpu_run_get_area (run, y, rows);
  Step step;

  if (! run->solved && ! solve (run, error))
    return FALSE;
  run->solved = TRUE;
  step = get_step (run, BLUR_PROGRAM_INTERPOLATE_RESULT, &run->grid, NULL, 0);
  step.first = y;
  return fx_gpu_run_queue (run, &area, STAGE_TAPS, 0, 1, give_part, &step, error);
}

const FxGpuWay blur_gpu_grids = {
  .get_source_rows = grids_get_source_rows,
  .get_bytes = grids_get_bytes,
  .get_programs = grids_get_programs,
  .begin = grids_begin,
  .take = grids_take,
  .give = grids_give,
  .needs_all = TRUE,
};
