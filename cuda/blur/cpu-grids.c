/* The CPU path for an axis y with stages. Incoming rows of the source are added to the cells of the
 * first grid. That grid is decimated down to the coarsest one, filtered along both axes, and
 * interpolated up again; the rows of the result are interpolated from it. Axis y comes first
 * because it shrinks the image, so that filtering along x is cheap. */
#include "cpu-run.h"

#include <string.h>

#define PUSH_BLOCK  (4 * FX_COLUMN) /* columns that a thread processes at a time */
#define RESULT_ROWS 32              /* rows of the result that are computed at a time */

/* Rows of planes, laid out as the run's rows. */
typedef struct {
  FxSpan span;
  float *rows;
} Grid;

typedef struct {
  BlurCpuRun base;
  Grid grids[BLUR_STAGES_MAX]; /* one per stage, the finest first */
  gsize column_rows;
  float (
    *columns)[FX_COLUMN]; /* for each thread so many rows, of the coarsest grid and its result */
} Run;

/* To the first grid. */

/* Returns the weight of source row y in a cell of the first grid. The first row also stands for all
 * rows above it, the last for all rows below, unless the abyss policy puts other pixels there. */
static float
cpu_grids_get_weight (const Run *run, int cell, int y)
{
  const FxStrip *strip = &run->base.base.base.strip;
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];
  gboolean clamp = run->base.base.base.plan->abyss == FX_ABYSS_CLAMP;
  int offset = y - cell * stage->factor;
  float sum = ABS (offset) <= stage->radius ? stage->decimate[ABS (offset)] : 0.0f;

  if (y == strip->source_y0 && (clamp || y > 0))
    for (int k = -stage->radius; k < MIN (offset, stage->radius + 1); k++)
      sum += stage->decimate[ABS (k)];
  if (y == strip->source_y1 - 1 && (clamp || y < strip->height - 1))
    for (int k = MAX (offset, -stage->radius - 1) + 1; k <= stage->radius; k++)
      sum += stage->decimate[ABS (k)];
  return sum;
}

/* Returns the weight of the border value in a cell of the first grid. */
static float
get_border_weight (const Run *run, int cell)
{
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];
  gint64 y = (gint64) cell * stage->factor;
  float sum = 0.0f;

  if (run->base.base.base.plan->abyss != FX_ABYSS_CLAMP)
    for (int k = -stage->radius; k <= stage->radius; k++)
      if (y + k < 0 || y + k >= run->base.base.base.strip.height)
        sum += stage->decimate[ABS (k)];
  return sum;
}

/* Sets first and last to the cells that source row y contributes to. */
static void
get_cells (const Run *run, int y, int *first, int *last)
{
  const FxStrip *strip = &run->base.base.base.strip;
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];
  FxSpan span = run->grids[0].span;

  *first = -fx_floor_div (stage->radius - y, stage->factor);
  *last = fx_floor_div (y + stage->radius, stage->factor);
  if (y == strip->source_y0)
    *first = span.first;
  if (y == strip->source_y1 - 1)
    *last = span.first + span.count - 1;
}

/* Returns the first cell that no row above source row y contributes to. */
static int
get_fresh_cell (const Run *run, int y)
{
  int first, last;

  if (y == run->base.base.base.strip.source_y0)
    return run->grids[0].span.first;
  get_cells (run, y - 1, &first, &last);
  return last + 1;
}

/* Returns the address of column x of a cell. */
static float *
get_cell (Run *run, int cell, int x)
{
  return run->grids[0].rows + (cell - run->grids[0].span.first) * run->base.row_size + x;
}

/* Initialises a cell with the contribution of the border value, up to the pitch, because the last
 * columns are filtered with the others. */
static void
init_cell (Run *run, int cell, int x, int n)
{
  int end = (int) fx_rows_get_pitch (n);
  float *out = get_cell (run, cell, x);
  float weight = get_border_weight (run, cell);

  for (int c = 0; c < run->base.channels; c++)
    for (int i = 0; i < end; i++)
      out[c * run->base.pitch + i] = weight * run->base.base.base.plan->border[c];
}

/* Rows of the source. */
typedef struct {
  Run *run;
  const guint8 *source;
  int y, rows;
} Chunk;

/* Decodes a block of columns of a chunk of the source and adds it to the cells. */
static void
push_block (const Chunk *chunk, int x, int n)
{
  Run *run = chunk->run;
  const FxStrip *strip = &run->base.base.base.strip;
  const FxCodec *codec = &run->base.base.base.plan->codec;
  gsize pixel = fx_format_size (&codec->format);
  gsize stride = (strip->source_x1 - strip->source_x0) * pixel;
  const guint8 *pixels = chunk->source + x * pixel;
  float block[FX_CHANNELS_MAX][PUSH_BLOCK];
  float *planes[] = { block[0], block[1], block[2], block[3] };
  int first, last;

  for (int row = 0; row < chunk->rows; row++)
    {
      int y = chunk->y + row;

      fx_codec_decode (codec, pixels + row * stride, n, planes);
      get_cells (run, y, &first, &last);
      for (int cell = get_fresh_cell (run, y); cell <= last; cell++)
        init_cell (run, cell, x, n);
      for (int cell = first; cell <= last; cell++)
        {
          float *out = get_cell (run, cell, x);
          float weight = cpu_grids_get_weight (run, cell, y);

          /* 0 times infinity is NaN. */
          for (int c = 0; c < run->base.channels && weight > 0.0f; c++)
            fx_row_accumulate (block[c], weight, n, out + c * run->base.pitch);
        }
    }
}

static void
push_blocks (gpointer data, int first, int end, int thread)
{
  const Chunk *chunk = data;
  int width = fx_cpu_blocks_get_source_width (&chunk->run->base.base.base.strip);

  for (int block = first; block < end; block++)
    {
      int x = block * PUSH_BLOCK;

      push_block (chunk, x, MIN (PUSH_BLOCK, width - x));
    }
}

static gboolean
cpu_grids_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  Chunk chunk = { (Run *) base, source, y, rows };
  int blocks = (int) fx_ceil_div (fx_cpu_blocks_get_source_width (&base->strip), PUSH_BLOCK);

  fx_team_run (chunk.run->base.base.team, blocks, 1, push_blocks, &chunk);
  return TRUE;
}

/* From grid to grid. */

typedef struct {
  Run *run;
  const BlurStage *stage;
  const Grid *from;
  Grid *to;
  const float *kernel; /* for a decimation */
} GridStep;

/* Returns row n of a grid; rows outside equal the outermost row. */
static const float *
get_grid_row (const Run *run, const Grid *grid, int n)
{
  n = CLAMP (n - grid->span.first, 0, grid->span.count - 1);
  return grid->rows + n * run->base.row_size;
}

static void
decimate_rows (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;
  const BlurStage *stage = step->stage;
  gsize row_size = step->run->base.row_size;
  const float *rows[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1];

  for (int row = first; row < end; row++)
    {
      int n = (step->to->span.first + row) * stage->factor;

      for (int k = -stage->radius; k <= stage->radius; k++)
        rows[k + stage->radius] = get_grid_row (step->run, step->from, n + k);
      fx_rows_combine (rows, step->kernel, 2 * stage->radius + 1, row_size,
                       step->to->rows + row * row_size);
    }
}

/* to[n] = the sum over k of the stage's weights[|k|] from[n * factor + k]. */
static void
decimate_grid (Run *run, const BlurStage *stage, const Grid *from, Grid *to)
{
  float kernel[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1];
  GridStep step = { run, stage, from, to, kernel };

  for (int k = -stage->radius; k <= stage->radius; k++)
    kernel[k + stage->radius] = stage->decimate[ABS (k)];
  fx_team_run (run->base.base.team, to->span.count, 1, decimate_rows, &step);
}

/* Filters rows along x in place: the planes have the source's width before, and the result's
 * after. */
static void
filter_rows (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;
  const BlurCpuRun *run = &step->run->base;
  BlurLine **lines = run->lines + thread * run->channels;
  gsize width = fx_cpu_blocks_get_source_width (&run->base.base.strip);

  for (int row = first; row < end; row++)
    {
      float *planes = step->to->rows + row * run->row_size;

      for (int c = 0; c < run->channels; c++)
        memcpy (blur_line_get_source (lines[c]), planes + c * run->pitch, width * sizeof (float));
      blur_cpu_run_filter_lines (run, lines, planes);
    }
}

/* Filters a block of columns along y in place, through a copy in column, the thread's scratch
 * space, that stays in the cache. */
static void
convolve_block (Run *run, Grid *grid, gsize x, float (*column)[FX_COLUMN])
{
  const BlurAxis *axis = run->base.plan->cpu_y;
  int count = grid->span.count, end = count + 2 * axis->radius;

  for (int row = 0; row < end; row++)
    {
      int n = grid->span.first + row - axis->radius;

      fx_cpu_prefetch (get_grid_row (run, grid, n + FX_CPU_AHEAD) + x, sizeof column[row]);
      memcpy (column[row], get_grid_row (run, grid, n) + x, sizeof column[row]);
    }
  fx_column_convolve (column, run->base.kernel, 2 * axis->radius + 1, count, column[end],
                      FX_COLUMN);
  fx_rows_restore_infinities (column[0], FX_COLUMN, 2 * axis->radius + 1, (gsize) count * FX_COLUMN,
                              column[end]);
  for (int row = 0; row < count; row++)
    memcpy (grid->rows + row * run->base.row_size + x, column[end + row], sizeof column[row]);
}

static void
convolve_blocks (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;

  for (int block = first; block < end; block++)
    convolve_block (step->run, step->to, (gsize) block * FX_COLUMN,
                    step->run->columns + thread * step->run->column_rows);
}

static void
convolve_grid (Run *run, Grid *grid)
{
  GridStep step = { .run = run, .to = grid };

  fx_team_run (run->base.base.team, grid->span.count, 1, filter_rows, &step);
  fx_team_run (run->base.base.team, (int) (run->base.channels * run->base.pitch / FX_COLUMN), 1,
               convolve_blocks, &step);
}

/* Sets rows to the coarse rows, and returns their weights, that row y of the next finer grid is
 * interpolated from. */
static const float *
get_taps (const Run *run, const BlurStage *stage, const Grid *coarse, int y, const float **rows)
{
  int cell = fx_floor_div (y, stage->factor);

  for (int j = 0; j < BLUR_ORDER; j++)
    rows[j] = get_grid_row (run, coarse, cell + j - (BLUR_ORDER / 2 - 1));
  return stage->interpolate + (y - cell * stage->factor) * BLUR_ORDER;
}

static void
interpolate_rows (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;
  gsize row_size = step->run->base.row_size;

  for (int row = first; row < end; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (step->run, step->stage, step->from,
                                       step->to->span.first + row, rows);

      fx_rows_combine (rows, weights, BLUR_ORDER, row_size, step->to->rows + row * row_size);
    }
}

/* Decimates down to the coarsest grid, filters it along both axes, and interpolates up again. */
static void
cpu_grids_solve (Run *run)
{
  const BlurAxis *axis = run->base.plan->cpu_y;
  int last = axis->n_stages - 1;

  for (int i = 1; i <= last; i++)
    decimate_grid (run, &axis->stages[i], &run->grids[i - 1], &run->grids[i]);
  convolve_grid (run, &run->grids[last]);
  for (int i = last; i >= 1; i--)
    {
      GridStep step = { run, &axis->stages[i], &run->grids[i], &run->grids[i - 1] };

      fx_team_run (run->base.base.team, step.to->span.count, 4, interpolate_rows, &step);
    }
}

/* To the result. */

/* Fills out with rows y to y + count - 1 of the result, for the block of columns that begins offset
 * floats into a row. */
static void
fill (const Run *run, int y, int count, gsize offset, float (*out)[FX_COLUMN])
{
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];

  for (int row = 0; row < count; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (run, stage, &run->grids[0], y + row, rows);
      int ahead = (y + row) / stage->factor + BLUR_ORDER / 2 + FX_CPU_AHEAD;

      fx_cpu_prefetch (get_grid_row (run, &run->grids[0], ahead) + offset,
                       FX_COLUMN * sizeof (float));
      for (int k = 0; k < BLUR_ORDER; k++)
        rows[k] += offset;
      fx_rows_combine (rows, weights, BLUR_ORDER, FX_COLUMN, out[row]);
    }
}

static void
filter (const FxCpuBlocks *base, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  const Run *run = (const Run *) base;
  int x = block->x - base->base.strip.x0, row, c;
  float rows[FX_CHANNELS_MAX][RESULT_ROWS][FX_COLUMN];

  for (c = 0; c < run->base.channels; c++)
    fill (run, block->y, block->height, c * run->base.pitch + x, rows[c]);
  for (row = 0; row < block->height; row++)
    {
      float *planes[] = { rows[0][row], rows[1][row], rows[2][row], rows[3][row] };

      fx_codec_encode (&base->base.plan->codec, planes, block->width, result + row * stride);
    }
}

static gboolean
cpu_grids_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  if (y == base->strip.y0)
    cpu_grids_solve ((Run *) base);
  return fx_cpu_blocks_pull (base, result, y, rows, error);
}

/* The run. */

static void
init (FxCpuBlocks *base)
{
  base->base.needs_all = TRUE;
  base->columns = FX_COLUMN;
  base->rows = RESULT_ROWS;
  base->filter = filter;
  blur_cpu_run_init ((BlurCpuRun *) base, fx_cpu_blocks_get_source_width (&base->base.strip));
}

static void
lay_out (FxCpuBlocks *base)
{
  Run *run = (Run *) base;
  const BlurAxis *axis = run->base.plan->cpu_y;
  FxSpan span = fx_strip_get_rows (&base->base.strip);

  blur_cpu_run_lay_out (&run->base);
  for (int i = 0; i < axis->n_stages; i++)
    {
      span = blur_stage_get_span (&axis->stages[i], span);
      run->grids[i].span = span;
      run->grids[i].rows = fx_cpu_blocks_alloc (base, span.count * run->base.row_size,
                                                sizeof (float));
    }
  run->column_rows = 2 * ((gsize) span.count + axis->radius);
  run->columns = fx_cpu_blocks_alloc (base, base->threads * run->column_rows, sizeof *run->columns);
}

const FxCpuPath blur_cpu_grids = {
  .size = sizeof (Run),
  .push = cpu_grids_push,
  .pull = cpu_grids_pull,
  .init = init,
  .lay_out = lay_out,
};
