/* Multi-resolution along y on the CPU. The rows of the source are shared out among the cells of the
 * first grid as they come in; that goes down to the coarsest, through both FIRs, and up again; the
 * rows of the result are interpolated from it. */
#include "cpu-run.h"
#include "codec.h"

#include <omp.h>
#include <string.h>

gsize
blur_cpu_get_spans (const BlurPlan *plan, const FxStrip *strip, FxSpan *spans)
{
  FxSpan span = fx_strip_get_rows (strip);
  gsize rows = 0;
  int i;

  for (i = 0; i < plan->y.n_stages; i++)
    {
      span = blur_stage_get_span (&plan->y.stages[i], span);
      rows += span.count;
      spans[i] = span;
    }
  return rows;
}

gboolean
blur_cpu_run_allocate_grids (BlurCpuRun *run)
{
  FxSpan spans[BLUR_STAGES_MAX];
  int i;

  blur_cpu_get_spans (run->base.plan, &run->base.strip, spans);
  for (i = 0; i < run->base.plan->y.n_stages; i++)
    {
      BlurCpuGrid *grid = &run->grids[i];

      grid->span = spans[i];
      grid->rows = blur_cpu_run_allocate_rows (run, grid->span.count);
      if (! grid->rows)
        return FALSE;
    }
  return TRUE;
}

/* Into the first grid. */

/* The weight of source row y in a cell of the first grid. The first row stands for all above it,
 * the last for all below, unless the abyss policy puts something else there. */
static float
get_weight (const BlurCpuRun *run, int cell, int y)
{
  const FxStrip *strip = &run->base.strip;
  const BlurStage *stage = &run->base.plan->y.stages[0];
  gboolean clamp = run->base.plan->abyss == FX_ABYSS_CLAMP;
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

/* The weight of what lies beyond the edge in a cell of the first grid. */
static float
get_weight_beyond (const BlurCpuRun *run, int cell)
{
  const BlurStage *stage = &run->base.plan->y.stages[0];
  gint64 y = (gint64) cell * stage->factor;
  float sum = 0.0f;
  int k;

  if (run->base.plan->abyss != FX_ABYSS_CLAMP)
    for (k = -stage->radius; k <= stage->radius; k++)
      if (y + k < 0 || y + k >= run->base.strip.height)
        sum += stage->decimate[ABS (k)];
  return sum;
}

/* The cells that source row y has a share in. */
static void
get_cells (const BlurCpuRun *run, int y, int *first, int *last)
{
  const FxStrip *strip = &run->base.strip;
  const BlurStage *stage = &run->base.plan->y.stages[0];
  FxSpan span = run->grids[0].span;

  *first = -fx_floor_div (stage->radius - y, stage->factor);
  *last = fx_floor_div (y + stage->radius, stage->factor);
  if (y == strip->source_y0)
    *first = span.first;
  if (y == strip->source_y1 - 1)
    *last = span.first + span.count - 1;
}

/* The cells before this one have a share of a row above source row y. */
static int
get_fresh_cell (const BlurCpuRun *run, int y)
{
  int first, last;

  if (y == run->base.strip.source_y0)
    return run->grids[0].span.first;
  get_cells (run, y - 1, &first, &last);
  return last + 1;
}

/* Columns x to x + n - 1 of a cell. */
static float *
get_cell (BlurCpuRun *run, int cell, int x)
{
  return run->grids[0].rows + (cell - run->grids[0].span.first) * run->row_size + x;
}

/* A new cell holds what lies beyond the edge; the last columns up to the pitch too, for they are
 * filtered with the others. */
static void
init_cell (BlurCpuRun *run, int cell, int x, int n)
{
  int end = (int) fx_get_pitch (n);
  float *out = get_cell (run, cell, x);
  float weight = get_weight_beyond (run, cell);
  int c, i;

  for (c = 0; c < run->channels; c++)
    for (i = 0; i < end; i++)
      out[c * run->pitch + i] = weight * run->base.plan->beyond[c];
}

/* A block of columns of a chunk of the source: decoded and shared out among the cells. */
static void
push_block (BlurCpuRun *run, const guint8 *source, int y, int rows, int x, int n)
{
  const FxStrip *strip = &run->base.strip;
  gsize pixel = fx_format_size (&run->base.plan->format);
  gsize stride = (strip->source_x1 - strip->source_x0) * pixel;
  const guint8 *pixels = source + x * pixel;
  float block[4][4 * BLUR_CPU_BLOCK];
  float *planes[4] = { block[0], block[1], block[2], block[3] };
  int row, cell, first, last, c;

  for (row = 0; row < rows; row++)
    {
      fx_codec_decode (run->base.plan, pixels + row * stride, n, planes);
      get_cells (run, y + row, &first, &last);
      for (cell = get_fresh_cell (run, y + row); cell <= last; cell++)
        init_cell (run, cell, x, n);
      for (cell = first; cell <= last; cell++)
        {
          float *out = get_cell (run, cell, x);
          float weight = get_weight (run, cell, y + row);

          for (c = 0; c < run->channels && weight > 0.0f; c++) /* 0 would make NaN of infinity */
            fx_row_accumulate (block[c], weight, n, out + c * run->pitch);
        }
    }
}

void
blur_cpu_run_push_into_grid (BlurCpuRun *run, const guint8 *source, int y, int rows)
{
  const FxStrip *strip = &run->base.strip;
  int width = strip->source_x1 - strip->source_x0;
  int x;

#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1)
  for (x = 0; x < width; x += 4 * BLUR_CPU_BLOCK)
    push_block (run, source, y, rows, x, MIN (4 * BLUR_CPU_BLOCK, width - x));
}

/* From grid to grid. */

/* Row n of a grid, the outermost standing for all further out. */
static const float *
get_grid_row (const BlurCpuRun *run, const BlurCpuGrid *grid, int n)
{
  n = CLAMP (n - grid->span.first, 0, grid->span.count - 1);
  return grid->rows + n * run->row_size;
}

/* to[n] = the sum over k of the stage's weights[|k|] from[n * factor + k]. */
static void
decimate_grid (BlurCpuRun *run, const BlurStage *stage, const BlurCpuGrid *from, BlurCpuGrid *to)
{
  float kernel[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1];
  int taps = 2 * stage->radius + 1;
  int row, k;

  for (k = 0; k < taps; k++)
    kernel[k] = stage->decimate[ABS (k - stage->radius)];
#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1)
  for (row = 0; row < to->span.count; row++)
    {
      const float *rows[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1];
      int i;

      for (i = 0; i < taps; i++)
        rows[i] = get_grid_row (run, from,
                                (to->span.first + row) * stage->factor + i - stage->radius);
      fx_rows_combine (rows, kernel, taps, run->row_size, to->rows + row * run->row_size);
    }
}

/* The FIR along y, in place, of a block of columns: by way of a copy that stays in cache. */
static void
convolve_block (BlurCpuRun *run, BlurCpuGrid *grid, gsize x)
{
  const BlurAxis *axis = &run->base.plan->y;
  float (*column)[BLUR_CPU_BLOCK] = run->columns[omp_get_thread_num ()];
  int count = grid->span.count, end = count + 2 * axis->radius;
  int row;

  for (row = 0; row < end; row++)
    {
      int n = grid->span.first + row - axis->radius;

      blur_cpu_prefetch (get_grid_row (run, grid, n + BLUR_CPU_AHEAD) + x);
      memcpy (column[row], get_grid_row (run, grid, n) + x, sizeof column[row]);
    }
  fx_column_convolve (column, run->kernel, 2 * axis->radius + 1, count, column + end);
  fx_rows_mend (column[0], BLUR_CPU_BLOCK, 2 * axis->radius + 1, (gsize) count * BLUR_CPU_BLOCK,
                column[end]);
  for (row = 0; row < count; row++)
    memcpy (grid->rows + row * run->row_size + x, column[end + row], sizeof column[row]);
}

static void
convolve_grid (BlurCpuRun *run, BlurCpuGrid *grid)
{
  gsize x;

#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 1)
  for (x = 0; x < run->channels * run->pitch; x += BLUR_CPU_BLOCK)
    convolve_block (run, grid, x);
}

/* The coarse rows and weights that make row y of the next finer grid. */
static const float *
get_taps (const BlurCpuRun *run, const BlurStage *stage, const BlurCpuGrid *coarse, int y,
          const float **rows)
{
  int cell = fx_floor_div (y, stage->factor);
  int j;

  for (j = 0; j < BLUR_ORDER; j++)
    rows[j] = get_grid_row (run, coarse, cell + j - (BLUR_ORDER / 2 - 1));
  return stage->interpolate + (y - cell * stage->factor) * BLUR_ORDER;
}

static void
interpolate_grid (BlurCpuRun *run, const BlurStage *stage, const BlurCpuGrid *from, BlurCpuGrid *to)
{
  int row;

#pragma omp parallel for num_threads(run->threads) schedule(dynamic, 4)
  for (row = 0; row < to->span.count; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (run, stage, from, to->span.first + row, rows);

      fx_rows_combine (rows, weights, BLUR_ORDER, run->row_size, to->rows + row * run->row_size);
    }
}

/* Down to the coarsest, through both FIRs, and up again. */
void
blur_cpu_run_solve (BlurCpuRun *run)
{
  const BlurAxis *axis = &run->base.plan->y;
  int last = axis->n_stages - 1;
  int i;

  for (i = 1; i <= last; i++)
    decimate_grid (run, &axis->stages[i], &run->grids[i - 1], &run->grids[i]);
  blur_cpu_run_filter_rows (run, run->grids[last].rows, run->grids[last].span.count);
  convolve_grid (run, &run->grids[last]);
  for (i = last; i >= 1; i--)
    interpolate_grid (run, &axis->stages[i], &run->grids[i], &run->grids[i - 1]);
  run->solved = TRUE;
}

/* To the result. */

void
blur_cpu_run_interpolate_block (const BlurCpuRun *run, int y, int count, gsize offset,
                                float (*out)[BLUR_CPU_BLOCK])
{
  const BlurStage *stage = &run->base.plan->y.stages[0];
  int row, k;

  for (row = 0; row < count; row++)
    {
      const float *rows[BLUR_ORDER];
      const float *weights = get_taps (run, stage, &run->grids[0], y + row, rows);
      int ahead = (y + row) / stage->factor + BLUR_ORDER / 2 + BLUR_CPU_AHEAD;

      blur_cpu_prefetch (get_grid_row (run, &run->grids[0], ahead) + offset);
      for (k = 0; k < BLUR_ORDER; k++)
        rows[k] += offset;
      fx_rows_combine (rows, weights, BLUR_ORDER, BLUR_CPU_BLOCK, out[row]);
    }
}
