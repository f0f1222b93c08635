/* The multi-resolution method on the GPU. Incoming source rows are decimated along both axes into
 * the finest grid, which is held as a whole. It is decimated down to the coarsest grid, filtered
 * and interpolated up again; the result's rows are interpolated from it. An axis without stages is
 * unchanged until the FIR. */
#include "blur-gpu.h"
#include "blur-kernels.h"
#include "gpu-tile.h"

#define STAGE_TAPS       16 /* per sample of the finer grid, for both axes */
#define INTERPOLATE_WARM 16 /* cost of filling the window, in rows of the result */

#define BUFFER_0 FX_BUFFER_PATH_0
#define BUFFER_1 FX_BUFFER_PATH_1

typedef struct {
  BlurGpuRun base;
  FxGrid grid;     /* the finest grid, later the one to interpolate from */
  FxGrid to;       /* the one that is computed from it */
  int next;        /* the next row of the finest grid to compute */
  gboolean solved; /* the coarser grids are done */
} GridsRun;

/* Programs. */

/* In the order of a run. */
enum {
  DECIMATE_SOURCE,
  FILTER_GRID,
  INTERPOLATE_RESULT,
  DECIMATE_GRID, /* only with more than one stage */
  INTERPOLATE_GRID,
};

static void
define_convolve (const FxProgramCase *program_case, GString *text)
{
  fx_define_grid (program_case, text);
  blur_define_tile (program_case, text);
}

const FxProgram blur_program_decimate_source = { "blur-decimate-source", "decimate-source.cu",
                                                 blur_kernels_get_resource, fx_define_source };
const FxProgram blur_program_decimate_grid = { "blur-decimate-grid", "decimate-grid.cu",
                                               blur_kernels_get_resource, fx_define_grid };
const FxProgram blur_program_filter_grid = { "blur-convolve-grid", "filter-grid.cu",
                                             blur_kernels_get_resource, define_convolve };
const FxProgram blur_program_interpolate_grid = { "blur-interpolate-grid", "interpolate-grid.cu",
                                                  blur_kernels_get_resource, fx_define_grid };
const FxProgram blur_program_interpolate_result = { "blur-interpolate-result",
                                                    "interpolate-result.cu",
                                                    blur_kernels_get_resource, fx_define_codec };

static int
get_stages (const FxPlan *plan)
{
  const BlurPlan *blur = blur_plan_get (plan);

  return MAX (blur->x->n_stages, blur->y->n_stages);
}

static int
gpu_grids_get_source_rows (const FxPlan *plan, const FxStrip *strip)
{
  return 2 * blur_plan_get (plan)->y->stages[0].radius + 1; /* 1 without stages */
}

/* Returns the bytes of the largest grid, for which there are two buffers. */
static gsize
get_most (const FxPlan *plan, const BlurLevels *x, const BlurLevels *y)
{
  gsize most = 0;

  for (int i = 1; i <= get_stages (plan); i++)
    most = MAX (most, fx_gpu_get_grid_bytes (plan, x->spans[i].count, y->spans[i].count));
  return most;
}

static gsize
gpu_grids_get_bytes (const FxPlan *plan, const FxStrip *strip)
{
  BlurLevels x, y;

  blur_levels_init (&x, blur_plan_get (plan)->x, fx_strip_get_columns (strip));
  blur_levels_init (&y, blur_plan_get (plan)->y, fx_strip_get_rows (strip));
  return 2 * get_most (plan, &x, &y);
}

static int
gpu_grids_get_programs (const FxPlan *plan, FxVariants variants, const FxProgram **programs)
{
  programs[DECIMATE_SOURCE] = &blur_program_decimate_source;
  programs[FILTER_GRID] = &blur_program_filter_grid;
  programs[INTERPOLATE_RESULT] = &blur_program_interpolate_result;
  if (get_stages (plan) == 1)
    return 3;
  programs[DECIMATE_GRID] = &blur_program_decimate_grid;
  programs[INTERPOLATE_GRID] = &blur_program_interpolate_grid;
  return 5;
}

static gboolean
make_grids (GridsRun *grids, GError **error)
{
  FxGpuRun *run = &grids->base.base;
  const BlurLevels *x = &grids->base.x, *y = &grids->base.y;
  gsize most = get_most (run->base.plan, x, y);

  return fx_gpu_get_buffer (run->gpu, BUFFER_0, most, error) &&
         fx_gpu_get_buffer (run->gpu, BUFFER_1, most, error) &&
         fx_gpu_run_get_grid (run, BUFFER_0, x->spans[1], y->spans[1], &grids->grid, error);
}

static gboolean
gpu_grids_begin (FxGpuRun *run, GError **error)
{
  GridsRun *grids = (GridsRun *) run;

  if (! blur_gpu_run_begin (&grids->base, error) || ! make_grids (grids, error))
    return FALSE;
  grids->next = grids->grid.y_first;
  return TRUE;
}

/* Stages. */

/* A kernel at one stage. */
typedef struct {
  FxKernel *kernel;
  void *from; /* the source or a grid */
  FxGrid *to;
  BlurStageWeights *x, *y;
  int columns; /* that a block computes */
  int warm;    /* a block's start-up cost, in rows */
  int taps;    /* the cost of a cell, or of a pixel of the result */
} Stage;

static Stage
gpu_grids_get_stage (GridsRun *grids, int program, void *from, FxGrid *to, int number)
{
  BlurStageWeights *x = &grids->base.x.stages[number], *y = &grids->base.y.stages[number];
  Stage stage = { grids->base.base.kernels[program], from, to, x, y };

  stage.columns = STAGE_THREADS;
  stage.warm = INTERPOLATE_WARM;
  stage.taps = STAGE_TAPS;
  if (program == INTERPOLATE_GRID || program == INTERPOLATE_RESULT)
    return stage;
  stage.columns = (STAGE_THREADS - 2 * REACH * (x->factor - 1) - 1) / x->factor + 1;
  stage.warm = y->factor == 1 ? 0 : 2 * REACH - 1;
  stage.taps = x->factor * y->factor * STAGE_TAPS; /* samples of the finer grid, per cell */
  return stage;
}

static gboolean
stage_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Stage *stage = data;
  FxLaunch launch = { .x = fx_ceil_div (part->width, stage->columns), .threads = STAGE_THREADS };
  int first = part->y, end = part->y + part->height, rows_a_block;
  void *args[] = { stage->from, stage->to, stage->x, stage->y, &first, &end, &rows_a_block };

  return fx_gpu_run_launch (run, stage->kernel, launch, part->height, stage->warm, 1, &rows_a_block,
                            args, error);
}

/* Computes the rows of the finest grid whose source rows are all there. */
static gboolean
gpu_grids_push (FxGpuRun *run, int y, int rows, GError **error)
{
  GridsRun *grids = (GridsRun *) run;
  FxGrid *grid = &grids->grid;
  Stage stage = gpu_grids_get_stage (grids, DECIMATE_SOURCE, &run->source, grid, 0);
  int radius = REACH * (stage.y->factor - 1), first = grids->next;
  FxRect area;

  while (
    grids->next < grid->y_first + grid->rows &&
    (y + rows == run->base.strip.source_y1 || grids->next * stage.y->factor + radius < y + rows))
    grids->next++;
  area = (FxRect) { grid->x_first, first, grid->columns, grids->next - first };
  return grids->next == first ||
         fx_gpu_run_queue (run, &area, stage.taps, 0, 1, stage_part, &stage, error);
}

/* From grid to grid. */

/* Replaces the grid by one of another level, which part computes from it. */
static gboolean
replace_grid (GridsRun *grids, int level, int taps, int multiple, FxGpuPart part, gpointer data,
              GError **error)
{
  FxGpuRun *run = &grids->base.base;
  gpointer first = fx_gpu_get_buffer (run->gpu, BUFFER_0, 0, error);
  FxGrid *to = &grids->to;
  FxRect area;

  if (! fx_gpu_run_get_grid (run, grids->grid.cells == first ? BUFFER_1 : BUFFER_0,
                             grids->base.x.spans[level], grids->base.y.spans[level], to, error))
    return FALSE;
  area = (FxRect) { to->x_first, to->y_first, to->columns, to->rows };
  if (! fx_gpu_run_queue (run, &area, taps, 0, multiple, part, data, error))
    return FALSE;
  grids->grid = *to;
  return TRUE;
}

static gboolean
change_level (GridsRun *grids, int program, int number, int level, GError **error)
{
  Stage stage = gpu_grids_get_stage (grids, program, &grids->grid, &grids->to, number);

  return replace_grid (grids, level, stage.taps, 1, stage_part, &stage, error);
}

/* The weights of the FIR along each axis, or a single 1. */
typedef struct {
  const BlurTaps *x, *y;
} Fir;

/* The kernel computes the rows of the grid that it receives. */
static gboolean
convolve_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  GridsRun *grids = (GridsRun *) run;
  const Fir *fir = data;
  BlurTaps x = *fir->x, y = *fir->y;
  FxGrid to = grids->to;
  int rows_a_block;
  void *args[] = { &grids->grid, &to, &x, &y, &rows_a_block };

  to.y_first = part->y;
  to.rows = part->height;
  return fx_gpu_run_launch (run, run->kernels[FILTER_GRID],
                            blur_tile_get_launch (&grids->base, &x, &y, to.columns), to.rows,
                            2 * y.radius, RUN, &rows_a_block, args, error);
}

static gboolean
convolve_along (GridsRun *grids, const BlurTaps *x, const BlurTaps *y, GError **error)
{
  Fir fir = { x, y };

  return replace_grid (grids, get_stages (grids->base.base.base.plan),
                       blur_taps_count (x) + blur_taps_count (y), RUN, convolve_part, &fir, error);
}

/* Filters both axes in one kernel or, if shared memory is too small for that, one after the
 * other. */
static gboolean
convolve (GridsRun *grids, GError **error)
{
  const BlurTaps *x = &grids->base.x.taps, *y = &grids->base.y.taps, *one = &grids->base.one;

  if (blur_tile_has_room (&grids->base, x, y))
    return convolve_along (grids, x, y, error);
  return convolve_along (grids, x, one, error) && convolve_along (grids, one, y, error);
}

/* Decimates from the finest grid to the coarsest, filters it, and interpolates up to the finest
 * again. */
static gboolean
gpu_grids_solve (GridsRun *grids, GError **error)
{
  int stages = get_stages (grids->base.base.base.plan), i;

  for (i = 1; i < stages; i++)
    if (! change_level (grids, DECIMATE_GRID, i, i + 1, error))
      return FALSE;
  if (! convolve (grids, error))
    return FALSE;
  for (i = stages - 1; i >= 1; i--)
    if (! change_level (grids, INTERPOLATE_GRID, i, i, error))
      return FALSE;
  return TRUE;
}

static gboolean
gpu_grids_pull_part (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Stage *stage = data;
  int left = part->x, right = part->x + part->width, y = part->y, end = part->y + part->height;
  gpointer result = fx_gpu_run_get_row (run, y);
  FxLaunch launch = { .x = fx_ceil_div (part->width, stage->columns), .threads = STAGE_THREADS };
  int rows_a_block;
  void *args[] = {
    stage->from, stage->x, stage->y, &left, &right, &y, &end, &rows_a_block, &result
  };

  return fx_gpu_run_launch (run, stage->kernel, launch, part->height, stage->warm, 1, &rows_a_block,
                            args, error);
}

/* Interpolates to the result. */
static gboolean
gpu_grids_pull (FxGpuRun *run, const FxRect *area, GError **error)
{
  GridsRun *grids = (GridsRun *) run;
  Stage stage = gpu_grids_get_stage (grids, INTERPOLATE_RESULT, &grids->grid, NULL, 0);

  if (! grids->solved && ! gpu_grids_solve (grids, error))
    return FALSE;
  grids->solved = TRUE;
  return fx_gpu_run_queue (run, area, stage.taps, 0, 1, gpu_grids_pull_part, &stage, error);
}

const FxGpuPath blur_gpu_grids = {
  .size = sizeof (GridsRun),
  .needs_all = TRUE,
  .get_source_rows = gpu_grids_get_source_rows,
  .get_bytes = gpu_grids_get_bytes,
  .get_programs = gpu_grids_get_programs,
  .begin = gpu_grids_begin,
  .push = gpu_grids_push,
  .pull = gpu_grids_pull,
};
