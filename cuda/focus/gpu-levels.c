#include "gpu-levels.h"
#include "focus-kernels.h"

/* Programs. */

static void
define_cells (const FxProgramCase *program_case, GString *text)
{
  fx_define_grid (program_case, text);
  g_string_append_printf (text, "#define THREADS %d\n", FOCUS_THREADS);
}

/* w is like a picture of one channel. */
static void
define_cells_of_w (const FxProgramCase *program_case, GString *text)
{
  FxProgramCase grey = *program_case;

  grey.codec.format.channels = 1;
  define_cells (&grey, text);
}

const FxProgram focus_program_columns = { "focus-columns", "level-columns.cu",
                                          focus_kernels_get_resource, define_cells };
const FxProgram focus_program_rows = { "focus-rows", "level-rows.cu", focus_kernels_get_resource,
                                       define_cells };
const FxProgram focus_program_columns_of_w = { "focus-columns-of-w", "level-columns.cu",
                                               focus_kernels_get_resource, define_cells_of_w };
const FxProgram focus_program_rows_of_w = { "focus-rows-of-w", "level-rows.cu",
                                            focus_kernels_get_resource, define_cells_of_w };

/* Memory. */

/* Returns the cells of a level along an axis: with its margins, and with what is read beside the
 * last cell that is summed. */
static FxSpan
get_span (const FocusLevel *level, FxSpan source)
{
  int last = source.first + source.count - 1;
  int first = fx_floor_div (source.first, level->factor) - level->margin;
  int end = fx_floor_div (last, level->factor) + 1 + level->margin + GATHER_CELLS;

  return (FxSpan) { first, end - first };
}

/* Sets grid to a level, without memory. */
static void
set_level (const FocusPlan *plan, int n, const FxStrip *strip, FxGrid *grid)
{
  FxSpan columns = get_span (&plan->levels[n], fx_strip_get_columns (strip));
  FxSpan rows = get_span (&plan->levels[n], fx_strip_get_rows (strip));

  *grid = (FxGrid) {
    .slots = rows.count,
    .offset = -rows.first,
    .x_first = columns.first,
    .columns = columns.count,
    .y_first = rows.first,
    .rows = rows.count,
  };
}

static gsize
count_cells (const FxGrid *grid)
{
  return (gsize) grid->columns * grid->rows;
}

/* Sets grid to the first half of level n, without memory: it has the rows of the level, and the
 * columns of the level that it is made from. */
static void
set_half (const FocusPyramid *pyramid, const FocusPlan *plan, int n, FxGrid *grid)
{
  const FxGrid *from = &pyramid->cells[plan->levels[n].from];

  *grid = pyramid->cells[n];
  grid->x_first = from->x_first;
  grid->columns = from->columns;
}

/* Sets the pyramid's levels, without memory. Returns the cells of all of them, each rounded up to
 * a multiple of 4, and sets half to those of the largest first half. */
static gsize
set_levels (const FocusPlan *plan, const FxStrip *strip, FocusPyramid *pyramid, gsize *half)
{
  gsize cells = 0;
  FxGrid grid;

  *half = 0;
  for (int n = 0; n < plan->args.levels; n++)
    {
      set_level (plan, n, strip, &pyramid->cells[n]);
      cells += fx_round_up (count_cells (&pyramid->cells[n]), 4);
      if (n == 0)
        continue;
      set_half (pyramid, plan, n, &grid);
      *half = MAX (*half, count_cells (&grid));
    }
  return cells;
}

static gsize
get_cell_bytes (const FocusPlan *plan)
{
  return plan->base.codec.format.channels * sizeof (float);
}

gsize
focus_levels_get_bytes (const FocusPlan *plan, const FxStrip *strip)
{
  FocusPyramid pyramid;
  gsize half, cells = set_levels (plan, strip, &pyramid, &half);

  return cells * (get_cell_bytes (plan) + (plan->args.keep_sharp > 0.0f ? sizeof (float) : 0)) +
         half * get_cell_bytes (plan);
}

gboolean
focus_levels_begin (FocusRun *run, GError **error)
{
  FxGpuRun *base = &run->base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  gboolean keep = plan->args.keep_sharp > 0.0f;
  gsize bytes = get_cell_bytes (plan), half;
  gsize cells = set_levels (plan, &base->base.strip, &run->pyramid, &half), first = 0;
  char *memory = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_0,
                                    cells * (bytes + (keep ? sizeof (float) : 0)), error);

  if (! memory)
    return FALSE;
  for (int n = 0; n < plan->args.levels; n++)
    {
      FxGrid *grid = &run->pyramid.cells[n];

      grid->cells = memory + first * bytes;
      run->pyramid.weights[n] = keep ? (float *) (memory + cells * bytes) + first : NULL;
      first += fx_round_up (count_cells (grid), 4);
    }
  return half == 0 || fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1, half * bytes, error);
}

/* From level to level. */

/* Half of the work for a level. */
typedef struct {
  FxKernel *kernel;
  FxGrid from, to;
  FocusLevel level;
} Half;

static gboolean
make_columns (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Half *half = data;
  int top = part->y, end = part->y + part->height;
  FxLaunch launch = fx_gpu_get_launch (part, FOCUS_THREADS, LEVEL_RUN, FOCUS_THREADS);
  void *args[] = { &half->from, &half->to, &half->level, &top, &end };

  return fx_gpu_launch (run->gpu, half->kernel, &launch, args, error);
}

static gboolean
make_rows (FxGpuRun *run, const FxRect *part, gpointer data, GError **error)
{
  Half *half = data;
  int top = part->y;
  FxLaunch launch = fx_gpu_get_launch (part, FOCUS_THREADS, 1, FOCUS_THREADS);
  void *args[] = { &half->from, &half->to, &half->level, &top };

  return fx_gpu_launch (run->gpu, half->kernel, &launch, args, error);
}

static gboolean
make_half (FxGpuRun *run, Half *half, int multiple, FxGpuPart part, GError **error)
{
  const FxGrid *to = &half->to;
  const FxRect area = { to->x_first, to->y_first, to->columns, to->rows };

  return fx_gpu_run_queue (run, &area, 2 * half->level.radius + 1, 0, multiple, part, half, error);
}

/* Makes level n of from: its cells or its weights. */
static gboolean
make_level (FocusRun *run, int n, const FxGrid *from, const FxGrid *to, int columns, int rows,
            GError **error)
{
  FxGpuRun *base = &run->base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  Half first = { base->kernels[columns], *from, *to, plan->levels[n] }, second;

  set_half (&run->pyramid, plan, n, &first.to);
  first.to.cells = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1, 0, error);
  second = (Half) { base->kernels[rows], first.to, *to, plan->levels[n] };
  return first.to.cells && make_half (base, &first, LEVEL_RUN, make_columns, error) &&
         make_half (base, &second, 1, make_rows, error);
}

/* Returns a level's weights as a grid. */
static FxGrid
get_weights (const FocusPyramid *pyramid, int n)
{
  FxGrid grid = pyramid->cells[n];

  grid.cells = (gpointer) pyramid->weights[n];
  return grid;
}

gboolean
focus_levels_solve (FocusRun *run, GError **error)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.base.plan;
  const FocusPyramid *pyramid = &run->pyramid;

  for (int n = 1; n < plan->args.levels; n++)
    {
      int from = plan->levels[n].from;
      FxGrid from_w = get_weights (pyramid, from), to_w = get_weights (pyramid, n);

      if (! make_level (run, n, &pyramid->cells[from], &pyramid->cells[n], FOCUS_COLUMNS,
                        FOCUS_ROWS, error) ||
          (to_w.cells &&
           ! make_level (run, n, &from_w, &to_w, FOCUS_COLUMNS_OF_W, FOCUS_ROWS_OF_W, error)))
        return FALSE;
    }
  return TRUE;
}
