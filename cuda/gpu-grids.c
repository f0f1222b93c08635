/* The multi-resolution method on the GPU. The source is decimated along both axes as it comes in, into
 * a grid that is kept whole; that goes down to the coarsest, through the FIR, and up again; the
 * result's rows are interpolated from it. An axis without stages stays as it is until the FIR. */
#include "gpu-run.h"

/* As kernels/multires.cuh has them. */
#define REACH         (BLUR_ORDER / 2)
#define STAGE_THREADS 256

#define INTERPOLATE_WARM 16 /* rows of the result that filling the window costs as much as */

static int
get_stages (const BlurPlan *plan)
{
  return MAX (plan->x.n_stages, plan->y.n_stages);
}

static int
get_radius (const BlurAxis *axis)
{
  return axis->n_stages ? axis->stages[0].radius : 0;
}

static int
grids_get_source_rows (const BlurPlan *plan, const BlurStrip *strip)
{
  return 2 * get_radius (&plan->y) + 1;
}

/* The largest of the grids, in bytes; there are two buffers of it. */
static gsize
get_most (const BlurPlan *plan, const BlurLevels *x, const BlurLevels *y)
{
  gsize most = 0;
  int i;

  for (i = 1; i <= get_stages (plan); i++)
    most = MAX (most, blur_gpu_get_grid_bytes (plan, x->spans[i].count, y->spans[i].count));
  return most;
}

static gsize
grids_get_bytes (const BlurPlan *plan, const BlurStrip *strip)
{
  BlurLevels x, y;

  blur_levels_init (&x, &plan->x, blur_strip_get_columns (strip));
  blur_levels_init (&y, &plan->y, blur_strip_get_rows (strip));
  return 2 * get_most (plan, &x, &y);
}

static int
grids_get_programs (const BlurPlan *plan, BlurProgramKind *kinds)
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
grids_begin (BlurGpuRun *run, GError **error)
{
  gsize most = get_most (run->base.plan, &run->x, &run->y);

  if (! blur_gpu_get_buffer (run->gpu, BLUR_BUFFER_GRID_0, most, error) ||
      ! blur_gpu_get_buffer (run->gpu, BLUR_BUFFER_GRID_1, most, error) ||
      ! blur_gpu_run_get_grid (run, BLUR_BUFFER_GRID_0, run->x.spans[1], run->y.spans[1],
                               &run->grid, error))
    return FALSE;
  run->next = run->grid.y_first;
  return TRUE;
}

/* Down. */

static unsigned
get_cell_blocks (int columns, int factor)
{
  return blur_ceil_div (columns, (STAGE_THREADS - 2 * REACH * (factor - 1) - 1) / factor + 1);
}

/* Rows first to end - 1 of the coarser grid. from: the source or a grid. */
static gboolean
decimate (BlurGpuRun *run, BlurProgramKind kind, void *from, BlurGrid *to, int stage, int first,
          int end, GError **error)
{
  BlurStageWeights *x = &run->x.stages[stage], *y = &run->y.stages[stage];
  BlurLaunch launch = {
    .x = get_cell_blocks (to->columns, x->factor),
    .threads = STAGE_THREADS,
  };
  int warm = y->factor == 1 ? 0 : 2 * REACH - 1;
  int rows_a_block;
  void *args[] = { from, to, x, y, &first, &end, &rows_a_block };

  return blur_gpu_run_launch (run, kind, launch, end - first, warm, 1, &rows_a_block, args, error);
}

/* Makes the rows of the finest grid that the source is complete for. */
static gboolean
grids_take (BlurGpuRun *run, int y, int rows, GError **error)
{
  int factor = run->y.stages[0].factor, radius = REACH * (factor - 1), first = run->next;
  int last = run->grid.y_first + run->grid.rows;

  while (run->next < last && (y + rows == run->base.strip.source_y1 ||
                              run->next * factor + radius < y + rows))
    run->next++;
  return run->next == first || decimate (run, BLUR_PROGRAM_DECIMATE_SOURCE, &run->source,
                                         &run->grid, 0, first, run->next, error);
}

/* From grid to grid; each takes the place of what it was made of. */

static gboolean
get_next_grid (BlurGpuRun *run, int level, BlurGrid *to, GError **error)
{
  gpointer first = blur_gpu_get_buffer (run->gpu, BLUR_BUFFER_GRID_0, 0, error);

  return blur_gpu_run_get_grid (run,
                                run->grid.cells == first ? BLUR_BUFFER_GRID_1 : BLUR_BUFFER_GRID_0,
                                run->x.spans[level], run->y.spans[level], to, error);
}

static gboolean
step_down (BlurGpuRun *run, int stage, GError **error)
{
  BlurGrid to;

  if (! get_next_grid (run, stage + 1, &to, error) ||
      ! decimate (run, BLUR_PROGRAM_DECIMATE_GRID, &run->grid, &to, stage, to.y_first,
                  to.y_first + to.rows, error))
    return FALSE;
  run->grid = to;
  return TRUE;
}

static gboolean
convolve (BlurGpuRun *run, GError **error)
{
  int rows_a_block;
  BlurGrid to;
  void *args[] = { &run->grid, &to, &run->x.taps, &run->y.taps, &rows_a_block };

  if (! get_next_grid (run, get_stages (run->base.plan), &to, error) ||
      ! blur_gpu_run_launch (run, BLUR_PROGRAM_CONVOLVE_GRID,
                             blur_gpu_run_get_tiles (run, to.columns), to.rows,
                             2 * run->y.taps.radius, BLUR_GPU_TILE_ROWS, &rows_a_block, args, error))
    return FALSE;
  run->grid = to;
  return TRUE;
}

static gboolean
step_up (BlurGpuRun *run, int stage, GError **error)
{
  BlurStageWeights *x = &run->x.stages[stage], *y = &run->y.stages[stage];
  int first, end, rows_a_block;
  BlurGrid to;
  void *args[] = { &run->grid, &to, x, y, &first, &end, &rows_a_block };
  BlurLaunch launch = { .threads = STAGE_THREADS };

  if (! get_next_grid (run, stage, &to, error))
    return FALSE;
  first = to.y_first;
  end = to.y_first + to.rows;
  launch.x = blur_ceil_div (to.columns, STAGE_THREADS);
  if (! blur_gpu_run_launch (run, BLUR_PROGRAM_INTERPOLATE_GRID, launch, to.rows, INTERPOLATE_WARM,
                             1, &rows_a_block, args, error))
    return FALSE;
  run->grid = to;
  return TRUE;
}

/* From the finest grid down to the coarsest, through the FIR, and up to the finest again. */
static gboolean
solve (BlurGpuRun *run, GError **error)
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

/* Up to the result. */
static gboolean
grids_give (BlurGpuRun *run, int y, int rows, GError **error)
{
  int left = run->base.strip.x0, right = run->base.strip.x1, end = y + rows;
  int rows_a_block;
  void *args[] = { &run->grid, &run->x.stages[0], &run->y.stages[0], &left,       &right,
                   &y,         &end,              &rows_a_block,     &run->result };
  BlurLaunch launch = {
    .x = blur_ceil_div (right - left, STAGE_THREADS),
    .threads = STAGE_THREADS,
  };

  if (! run->solved && ! solve (run, error))
    return FALSE;
  run->solved = TRUE;
  return blur_gpu_run_launch (run, BLUR_PROGRAM_INTERPOLATE_RESULT, launch, rows, INTERPOLATE_WARM,
                              1, &rows_a_block, args, error);
}

const BlurGpuWay blur_gpu_grids = {
  .get_source_rows = grids_get_source_rows,
  .get_bytes = grids_get_bytes,
  .get_programs = grids_get_programs,
  .begin = grids_begin,
  .take = grids_take,
  .give = grids_give,
};
