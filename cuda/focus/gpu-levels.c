#include "gpu-levels.h"
#include "focus-kernels.h"

#include <string.h>

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

static const FxProgram program_columns = { "focus-columns", "level-columns.cu",
                                           focus_kernels_get_resource, define_cells };
static const FxProgram program_rows = { "focus-rows", "level-rows.cu", focus_kernels_get_resource,
                                        define_cells };
static const FxProgram program_columns_of_w = { "focus-columns-of-w", "level-columns.cu",
                                                focus_kernels_get_resource, define_cells_of_w };
static const FxProgram program_rows_of_w = { "focus-rows-of-w", "level-rows.cu",
                                             focus_kernels_get_resource, define_cells_of_w };
static gboolean
has_weights (const FocusPlan *plan)
{
  return plan->args.keep_sharp > 0.0f;
}

/* The numbers of the programs. */
enum { COLUMNS = FOCUS_LEVELS, ROWS, COLUMNS_OF_W, ROWS_OF_W };

int
focus_levels_get_programs (const FocusPlan *plan, const FxProgram **programs)
{
  static const FxProgram *const all[] = { &program_columns, &program_rows, &program_columns_of_w,
                                          &program_rows_of_w };
  int n = plan->args.levels == 1 ? 0 : has_weights (plan) ? 4 : 2;

  memcpy (programs, all, n * sizeof *programs);
  return n;
}

/* Memory. */

/* The cells of the first half of a level that are made at a time, unless few rows have more: they
 * stay in the cache of most GPUs. */
#define HALF_CELLS (1 << 20)

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

/* Sets grid to the first half of level n, without memory: it has the columns of the level that it
 * is made from, and as many of the level's rows as are made together. */
static void
set_half (const FocusPyramidArgs *pyramid, const FocusPlan *plan, int n, FxGrid *grid)
{
  const FxGrid *from = &pyramid->cells[plan->levels[n].from], *to = &pyramid->cells[n];
  int rows = HALF_CELLS / from->columns / LEVEL_RUN * LEVEL_RUN;

  *grid = (FxGrid) { .x_first = from->x_first,
                     .columns = from->columns,
                     .rows = CLAMP (rows, LEVEL_RUN, to->rows) };
}

static gsize
get_cell_bytes (const FocusPlan *plan)
{
  return plan->base.codec.format.channels * sizeof (float);
}

/* Takes bytes of memory, which may be NULL, after those that are used. */
static gpointer
take (char *memory, gsize *used, gsize bytes)
{
  gpointer place = memory ? memory + *used : NULL;

  *used += fx_round_up (bytes, sizeof (float) * FX_CHANNELS_MAX);
  return place;
}

/* Sets the pyramid's levels, in memory, which may be NULL. Returns the bytes that they take, and
 * sets half to those of the largest first half of a level. */
static gsize
lay_out (const FocusPlan *plan, const FxStrip *strip, char *memory, FocusPyramidArgs *pyramid,
         gsize *half)
{
  gsize used = 0;
  FxGrid grid;

  *half = 0;
  for (int n = 0; n < plan->args.levels; n++)
    {
      FxGrid *level = &pyramid->cells[n];

      set_level (plan, n, strip, level);
      level->cells = take (memory, &used, count_cells (level) * get_cell_bytes (plan));
      if (has_weights (plan))
        pyramid->weights[n] = take (memory, &used, count_cells (level) * sizeof (float));
      if (n == 0)
        continue;
      set_half (pyramid, plan, n, &grid);
      *half = MAX (*half, count_cells (&grid) * get_cell_bytes (plan));
    }
  return used;
}

gsize
focus_levels_get_bytes (const FocusPlan *plan, const FxStrip *strip)
{
  FocusPyramidArgs pyramid;
  gsize half, bytes = lay_out (plan, strip, NULL, &pyramid, &half);

  return bytes + half;
}

gboolean
focus_levels_begin (FocusGpuRun *run, GError **error)
{
  FxGpu *gpu = run->base.gpu;
  const FocusPlan *plan = (const FocusPlan *) run->base.base.plan;
  const FxStrip *strip = &run->base.base.strip;
  gsize half, bytes = lay_out (plan, strip, NULL, &run->pyramid, &half);
  char *memory = fx_gpu_get_buffer (gpu, FX_BUFFER_PATH_0, bytes, error);

  if (! memory)
    return FALSE;
  lay_out (plan, strip, memory, &run->pyramid, &half);
  return half == 0 || fx_gpu_get_buffer (gpu, FX_BUFFER_PATH_1, half, error);
}

/* From level to level. */

/* Some rows of a level. */
typedef struct {
  FxKernel *columns, *rows;
  FxGrid from, half, to;
  FocusLevel level;
} Part;

static gboolean
make_columns (FxGpuRun *run, const FxRect *area, gpointer data, GError **error)
{
  Part *part = data;
  int top = area->y, end = area->y + area->height;
  FxLaunch launch = fx_gpu_get_launch (area, FOCUS_THREADS, LEVEL_RUN, FOCUS_THREADS);
  void *args[] = { &part->from, &part->half, &part->level, &top, &end };

  return fx_gpu_launch (run->gpu, part->columns, &launch, args, error);
}

static gboolean
make_rows (FxGpuRun *run, const FxRect *area, gpointer data, GError **error)
{
  Part *part = data;
  int top = area->y;
  FxLaunch launch = fx_gpu_get_launch (area, FOCUS_THREADS, 1, FOCUS_THREADS);
  void *args[] = { &part->half, &part->to, &part->level, &top };

  return fx_gpu_launch (run->gpu, part->rows, &launch, args, error);
}

/* Makes the rows of half and of to that half has. */
static gboolean
make_part (FxGpuRun *run, Part *part, GError **error)
{
  const FxGrid *half = &part->half, *to = &part->to;
  const FxRect first = { half->x_first, half->y_first, half->columns, half->rows };
  const FxRect second = { to->x_first, half->y_first, to->columns, half->rows };
  int taps = 2 * part->level.radius + 1;

  return fx_gpu_run_queue (run, &first, taps, 0, LEVEL_RUN, make_columns, part, error) &&
         fx_gpu_run_queue (run, &second, taps, 0, 1, make_rows, part, error);
}

/* Makes level n of from: its cells or its weights. */
static gboolean
make_level (FocusGpuRun *run, int n, const FxGrid *from, const FxGrid *to, int columns, int rows,
            GError **error)
{
  FxGpuRun *base = &run->base;
  const FocusPlan *plan = (const FocusPlan *) base->base.plan;
  Part part = { base->kernels[columns], base->kernels[rows], *from, .to = *to,
                .level = plan->levels[n] };
  int end = to->y_first + to->rows, most;

  set_half (&run->pyramid, plan, n, &part.half);
  most = part.half.rows;
  part.half.cells = fx_gpu_get_buffer (base->gpu, FX_BUFFER_PATH_1, 0, error);
  for (int y = to->y_first; y < end && part.half.cells; y += most)
    {
      part.half.y_first = y;
      part.half.offset = -y;
      part.half.rows = part.half.slots = MIN (most, end - y);
      if (! make_part (base, &part, error))
        return FALSE;
    }
  return part.half.cells != NULL;
}

/* Returns a level's weights as a grid. */
static FxGrid
get_weights (const FocusPyramidArgs *pyramid, int n)
{
  FxGrid grid = pyramid->cells[n];

  grid.cells = (gpointer) pyramid->weights[n];
  return grid;
}

static gboolean
make_weights (FocusGpuRun *run, int n, int from, GError **error)
{
  FxGrid from_w = get_weights (&run->pyramid, from), to_w = get_weights (&run->pyramid, n);

  return make_level (run, n, &from_w, &to_w, COLUMNS_OF_W, ROWS_OF_W, error);
}

gboolean
focus_levels_solve (FocusGpuRun *run, GError **error)
{
  const FocusPlan *plan = (const FocusPlan *) run->base.base.plan;
  const FxGrid *cells = run->pyramid.cells;

  for (int n = 1; n < plan->args.levels; n++)
    {
      int from = plan->levels[n].from;

      if (! make_level (run, n, &cells[from], &cells[n], COLUMNS, ROWS, error) ||
          (has_weights (plan) && ! make_weights (run, n, from, error)))
        return FALSE;
    }
  return TRUE;
}
