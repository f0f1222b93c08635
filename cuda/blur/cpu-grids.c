/* The CPU path for an axis y with stages. Incoming rows of the source are added to the cells of the
 * first grid. That grid is decimated down to the coarsest one, filtered along both axes, and
 * interpolated up again; the rows of the result are interpolated from it. Axis y comes first
 * because it shrinks the image, so that filtering along x is cheap. */
#include "cpu-run.h"

#include "error.h"

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
  gboolean solved;        /* they hold the result, filtered along x too */
} Run;

/* Starting. */

/* Sets spans[i] to the rows of stage i's grid. Returns the total number of rows. */
static gsize
get_spans (const BlurAxis *axis, const FxStrip *strip, FxSpan *spans)
{
  FxSpan span = fx_strip_get_rows (strip);
  gsize rows = 0;
  int i;

  for (i = 0; i < axis->n_stages; i++)
    {
      span = blur_stage_get_span (&axis->stages[i], span);
      rows += span.count;
      spans[i] = span;
    }
  return rows;
}

/* The width of the grids' rows: decimation along y does not shrink them. */
static int
get_width (const FxStrip *strip)
{
  return strip->source_x1 - strip->source_x0;
}

/* The rows of a block of columns of the coarsest grid, before and after the FIR. */
static gsize
get_column_rows (const FxPlan *plan, const FxStrip *strip)
{
  const BlurAxis *axis = blur_plan_get (plan)->cpu_y;
  FxSpan spans[BLUR_STAGES_MAX];

  get_spans (axis, strip, spans);
  return 2 * ((gsize) spans[axis->n_stages - 1].count + axis->radius);
}

static gsize
cpu_grids_get_bytes (gconstpointer cpu, const FxPlan *plan, const FxStrip *strip)
{
  FxSpan spans[BLUR_STAGES_MAX];
  gsize rows = get_spans (blur_plan_get (plan)->cpu_y, strip, spans);
  gsize columns = ((const FxCpu *) cpu)->threads * get_column_rows (plan, strip) * FX_COLUMN;

  return blur_cpu_run_get_bytes (cpu, plan, strip) +
         (rows * blur_cpu_get_row_size (plan, get_width (strip)) + columns) * sizeof (float);
}

static void
end (FxRun *base)
{
  Run *run = (Run *) base;
  int i;

  for (i = 0; i < BLUR_STAGES_MAX; i++)
    g_free (run->grids[i].rows);
  g_free (run->columns);
  blur_cpu_run_clear (&run->base);
  g_free (run);
}

static gboolean
cpu_grids_allocate (Run *run, GError **error)
{
  const BlurAxis *axis = run->base.plan->cpu_y;
  FxSpan spans[BLUR_STAGES_MAX];
  int i;

  get_spans (axis, &run->base.base.strip, spans);
  for (i = 0; i < axis->n_stages; i++)
    {
      Grid *grid = &run->grids[i];

      grid->span = spans[i];
      grid->rows = fx_cpu_allocate (grid->span.count * run->base.row_size);
      if (! grid->rows)
        return fx_set_no_memory (error);
    }
  run->column_rows = get_column_rows (run->base.base.plan, &run->base.base.strip);
  run->columns = g_try_malloc_n (run->base.threads * run->column_rows, sizeof *run->columns);
  return run->columns || fx_set_no_memory (error);
}

/* To the first grid. */

/* Returns the weight of source row y in a cell of the first grid. The first row also stands for all
 * rows above it, the last for all rows below, unless the abyss policy puts other pixels there. */
static float
cpu_grids_get_weight (const Run *run, int cell, int y)
{
  const FxStrip *strip = &run->base.base.strip;
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];
  gboolean clamp = run->base.base.plan->abyss == FX_ABYSS_CLAMP;
  int offset = y - cell * stage->factor;
  float sum = ABS (offset) <= stage->radius ? stage->decimate[ABS (offset)] : 0.0f;
  int k;

  if (y == strip->source_y0 && (clamp || y > 0))
    for (k = -stage->radius; k < MIN (offset, stage->radius + 1); k++)
      sum += stage->decimate[ABS (k)];
  if (y == strip->source_y1 - 1 && (clamp || y < strip->height - 1))
    for (k = MAX (offset, -stage->radius - 1) + 1; k <= stage->radius; k++)
      sum += stage->decimate[ABS (k)];
  return sum;
}

/* Returns the weight of the pixels beyond the edge in a cell of the first grid. */
static float
get_weight_beyond (const Run *run, int cell)
{
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];
  gint64 y = (gint64) cell * stage->factor;
  float sum = 0.0f;
  int k;

  if (run->base.base.plan->abyss != FX_ABYSS_CLAMP)
    for (k = -stage->radius; k <= stage->radius; k++)
      if (y + k < 0 || y + k >= run->base.base.strip.height)
        sum += stage->decimate[ABS (k)];
  return sum;
}

/* Sets first and last to the cells that source row y contributes to. */
static void
get_cells (const Run *run, int y, int *first, int *last)
{
  const FxStrip *strip = &run->base.base.strip;
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

  if (y == run->base.base.strip.source_y0)
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

/* Initialises a cell with the contribution of the pixels beyond the edge, up to the pitch, because
 * the last columns are filtered with the others. */
static void
init_cell (Run *run, int cell, int x, int n)
{
  int end = (int) fx_rows_get_pitch (n);
  float *out = get_cell (run, cell, x);
  float weight = get_weight_beyond (run, cell);
  int c, i;

  for (c = 0; c < run->base.channels; c++)
    for (i = 0; i < end; i++)
      out[c * run->base.pitch + i] = weight * run->base.base.plan->beyond[c];
}

/* Decodes a block of columns of a chunk of the source and adds it to the cells. */
static void
push_block (Run *run, int x, int n)
{
  const FxStrip *strip = &run->base.base.strip;
  const FxCodec *codec = &run->base.base.plan->codec;
  gsize pixel = fx_format_size (&codec->format);
  gsize stride = (strip->source_x1 - strip->source_x0) * pixel;
  const guint8 *pixels = run->base.source + x * pixel;
  float block[FX_CHANNELS_MAX][PUSH_BLOCK];
  float *planes[] = { block[0], block[1], block[2], block[3] };
  int row, cell, first, last, c;

  for (row = 0; row < run->base.rows; row++)
    {
      int y = run->base.y + row;

      fx_codec_decode (codec, pixels + row * stride, n, planes);
      get_cells (run, y, &first, &last);
      for (cell = get_fresh_cell (run, y); cell <= last; cell++)
        init_cell (run, cell, x, n);
      for (cell = first; cell <= last; cell++)
        {
          float *out = get_cell (run, cell, x);
          float weight = cpu_grids_get_weight (run, cell, y);

          /* A weight of 0 would turn infinity into NaN. */
          for (c = 0; c < run->base.channels && weight > 0.0f; c++)
            fx_row_accumulate (block[c], weight, n, out + c * run->base.pitch);
        }
    }
}

static void
push_blocks (gpointer data, int first, int end, int thread)
{
  Run *run = data;
  int width = get_width (&run->base.base.strip);
  int block;

  for (block = first; block < end; block++)
    {
      int x = block * PUSH_BLOCK;

      push_block (run, x, MIN (PUSH_BLOCK, width - x));
    }
}

static gboolean
cpu_grids_push (FxRun *base, gconstpointer source, int y, int rows, GError **error)
{
  Run *run = (Run *) base;

  run->base.source = source;
  run->base.y = y;
  run->base.rows = rows;
  fx_team_run (run->base.team, (get_width (&base->strip) + PUSH_BLOCK - 1) / PUSH_BLOCK, 1,
               push_blocks, run);
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
  int row, k;

  for (row = first; row < end; row++)
    {
      int n = (step->to->span.first + row) * stage->factor;

      for (k = -stage->radius; k <= stage->radius; k++)
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
  int k;

  for (k = -stage->radius; k <= stage->radius; k++)
    kernel[k + stage->radius] = stage->decimate[ABS (k)];
  fx_team_run (run->base.team, to->span.count, 1, decimate_rows, &step);
}

/* Filters rows along x in place: the planes have the source's width before, and the result's
 * after. */
static void
filter_rows (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;
  const BlurCpuRun *run = &step->run->base;
  BlurLine **lines = run->lines + thread * run->channels;
  gsize width = get_width (&run->base.strip);
  int row, c;

  for (row = first; row < end; row++)
    {
      float *planes = step->to->rows + row * run->row_size;

      for (c = 0; c < run->channels; c++)
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
  int row;

  for (row = 0; row < end; row++)
    {
      int n = grid->span.first + row - axis->radius;

      fx_cpu_prefetch (get_grid_row (run, grid, n + FX_CPU_AHEAD) + x, sizeof column[row]);
      memcpy (column[row], get_grid_row (run, grid, n) + x, sizeof column[row]);
    }
  fx_column_convolve (column, run->base.kernel, 2 * axis->radius + 1, count, column[end],
                      FX_COLUMN);
  fx_rows_restore_infinities (column[0], FX_COLUMN, 2 * axis->radius + 1, (gsize) count * FX_COLUMN,
                              column[end]);
  for (row = 0; row < count; row++)
    memcpy (grid->rows + row * run->base.row_size + x, column[end + row], sizeof column[row]);
}

static void
convolve_blocks (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;
  int block;

  for (block = first; block < end; block++)
    convolve_block (step->run, step->to, (gsize) block * FX_COLUMN,
                    step->run->columns + thread * step->run->column_rows);
}

static void
convolve_grid (Run *run, Grid *grid)
{
  GridStep step = { .run = run, .to = grid };

  fx_team_run (run->base.team, grid->span.count, 1, filter_rows, &step);
  fx_team_run (run->base.team, (int) (run->base.channels * run->base.pitch / FX_COLUMN), 1,
               convolve_blocks, &step);
}

/* Sets rows to the coarse rows, and returns their weights, that row y of the next finer grid is
 * interpolated from. */
static const float *
get_taps (const Run *run, const BlurStage *stage, const Grid *coarse, int y, const float **rows)
{
  int cell = fx_floor_div (y, stage->factor);
  int j;

  for (j = 0; j < BLUR_ORDER; j++)
    rows[j] = get_grid_row (run, coarse, cell + j - (BLUR_ORDER / 2 - 1));
  return stage->interpolate + (y - cell * stage->factor) * BLUR_ORDER;
}

static void
interpolate_rows (gpointer data, int first, int end, int thread)
{
  const GridStep *step = data;
  gsize row_size = step->run->base.row_size;
  int row;

  for (row = first; row < end; row++)
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
  int i;

  for (i = 1; i <= last; i++)
    decimate_grid (run, &axis->stages[i], &run->grids[i - 1], &run->grids[i]);
  convolve_grid (run, &run->grids[last]);
  for (i = last; i >= 1; i--)
    {
      GridStep step = { run, &axis->stages[i], &run->grids[i], &run->grids[i - 1] };

      fx_team_run (run->base.team, step.to->span.count, 4, interpolate_rows, &step);
    }
  run->solved = TRUE;
}

/* To the result. */

/* Fills out with rows y to y + count - 1 of the result, for the block of columns that begins offset
 * floats into a row. */
static void
fill (const Run *run, int y, int count, gsize offset, float (*out)[FX_COLUMN])
{
  const BlurStage *stage = &run->base.plan->cpu_y->stages[0];
  int row, k;

  for (row = 0; row < count; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (run, stage, &run->grids[0], y + row, rows);
      int ahead = (y + row) / stage->factor + BLUR_ORDER / 2 + FX_CPU_AHEAD;

      fx_cpu_prefetch (get_grid_row (run, &run->grids[0], ahead) + offset,
                       FX_COLUMN * sizeof (float));
      for (k = 0; k < BLUR_ORDER; k++)
        rows[k] += offset;
      fx_rows_combine (rows, weights, BLUR_ORDER, FX_COLUMN, out[row]);
    }
}

/* Computes some rows of a block of columns, few enough to stay in the cache. */
static void
pull_block (const Run *run, int y, int count, gsize x, guint8 *out)
{
  const FxCodec *codec = &run->base.base.plan->codec;
  gsize width = run->base.base.strip.x1 - run->base.base.strip.x0;
  gsize pixel = fx_format_size (&codec->format);
  float block[FX_CHANNELS_MAX][RESULT_ROWS][FX_COLUMN];
  int row, c;

  for (c = 0; c < run->base.channels; c++)
    fill (run, y, count, c * run->base.pitch + x, block[c]);
  for (row = 0; row < count; row++)
    {
      float *planes[] = { block[0][row], block[1][row], block[2][row], block[3][row] };

      fx_codec_encode (codec, planes, (int) MIN (FX_COLUMN, width - x),
                       out + (row * width + x) * pixel);
    }
}

static void
pull_blocks (gpointer data, int first, int end, int thread)
{
  const Run *run = data;
  gsize width = run->base.base.strip.x1 - run->base.base.strip.x0;
  gsize stride = width * fx_format_size (&run->base.base.plan->codec.format);
  int block, row;

  for (block = first; block < end; block++)
    for (row = 0; row < run->base.rows; row += RESULT_ROWS)
      pull_block (run, run->base.y + row, MIN (RESULT_ROWS, run->base.rows - row),
                  (gsize) block * FX_COLUMN, run->base.result + row * stride);
}

static gboolean
cpu_grids_pull (FxRun *base, gpointer result, int y, int rows, GError **error)
{
  Run *run = (Run *) base;
  int width = base->strip.x1 - base->strip.x0;

  if (! run->solved)
    cpu_grids_solve (run);
  run->base.result = result;
  run->base.y = y;
  run->base.rows = rows;
  fx_team_run (run->base.team, (width + FX_COLUMN - 1) / FX_COLUMN, 1, pull_blocks, run);
  return TRUE;
}

static FxRun *
cpu_grids_begin (gpointer cpu, const FxPlan *plan, const FxStrip *strip, GError **error)
{
  Run *run = g_new0 (Run, 1);

  run->base.base.needs_all = TRUE;
  if (blur_cpu_run_init (&run->base, cpu, plan, strip, get_width (strip), error) &&
      cpu_grids_allocate (run, error))
    return &run->base.base;
  end (&run->base.base);
  return NULL;
}

const FxBackend blur_cpu_grids = {
  .get_bytes = cpu_grids_get_bytes,
  .begin = cpu_grids_begin,
  .push = cpu_grids_push,
  .pull = cpu_grids_pull,
  .end = end,
};
