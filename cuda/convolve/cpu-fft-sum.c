#include "cpu-fft.h"

#include "vector.h"

#include <math.h>
#include <string.h>

/* The points that each thread transforms before the run is asked whether it is wanted: some
 * milliseconds. One pair may have more. */
#define POINTS_AT_ONCE (1 << 18)

/* Samples. */

/* Counts the zeros among n samples. Sets wild if one of them exceeds the limit or is NaN. */
FX_VECTORISED static int
look (const float *samples, int n, float limit, gboolean *wild)
{
  int zeros = 0, others = 0, i;

  for (i = 0; i < n; i++)
    {
      zeros += samples[i] == 0.0f;
      others |= ! (fabsf (samples[i]) <= limit);
    }
  *wild |= others;
  return zeros;
}

/* Counts, for each column, the zeros from the last row upwards. */
FX_VECTORISED static void
count_empty (const float *row, int n, int *empty)
{
  int i;

  for (i = 0; i < n; i++)
    empty[i] = row[i] == 0.0f ? empty[i] + 1 : 0;
}

/* Makes sums 0 that have nothing but zeros under the matrix: what a transform leaves there is
 * noise. */
static void
clear_row (const ConvolveMatrix *matrix, const int *empty, int columns, float *sums)
{
  int run = 0, i;

  for (i = 0; i < columns; i++)
    {
      run = empty[i] >= matrix->rows ? run + 1 : 0;
      if (run >= matrix->columns)
        sums[i - matrix->columns + 1] = 0.0f;
    }
}

static void
clear_empty (const ConvolveMatrix *matrix, const ConvolveFftPair *pair,
             const ConvolveFftLayer *layer, int *empty)
{
  int before = matrix->rows - 1, row;

  memset (empty, 0, layer->columns * sizeof *empty);
  for (row = 0; row < pair->rows; row++)
    {
      count_empty (layer->source[row], layer->columns, empty);
      if (row >= before)
        clear_row (matrix, empty, layer->columns, layer->result + (row - before) * pair->stride);
    }
}

/* Sums. */

static gboolean
is_alpha (const ConvolveCpuRun *run, const ConvolveFftPart *part)
{
  return fx_format_has_alpha (&run->base.plan->codec.format) && part->channel == run->channels - 1;
}

typedef struct {
  const ConvolveCpuRun *run;
  int y, rows;
  const ConvolveFftTransform *transform;
  gboolean again; /* only tiles that are to be recomputed */
  int first;      /* pair of all bands */
} Sum;

/* The tiles of a sum that lie side by side: rows y to y + rows - 1, and their results. */
typedef struct {
  const Sum *sum;
  int y, rows;
  gsize at;        /* floats from the chunk's first result */
  gint *recompute; /* for each tile */
} Band;

static Band
get_band (const Sum *sum, int n)
{
  const ConvolveCpuFft *fft = sum->run->fft;
  int first = n * fft->size.step_y;

  return (Band) {
    .sum = sum,
    .y = sum->y + first,
    .rows = MIN (fft->size.step_y, sum->rows - first),
    .at = first * fft->row,
    .recompute = fft->recompute + n * fft->n_columns,
  };
}

/* Fills a layer with a part's samples. Returns how many of them are 0, or -1 if they must not enter
 * a transform. */
static int
take_part (const Band *band, const ConvolveFftPart *part, const float **source,
           ConvolveFftLayer *layer)
{
  const ConvolveCpuRun *run = band->sum->run;
  const ConvolveCpuFft *fft = run->fft;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int rows = band->rows + matrix->rows - 1, width = convolve_cpu_get_width (&run->base.strip);
  gboolean precise = band->sum->transform == &fft->precise, wild = FALSE;
  float limit = convolve_fft_get_limit (run->plan, part->channel, &fft->size, precise);
  int zeros = 0, row;

  *layer = (ConvolveFftLayer) {
    .source = source,
    .columns = MIN (fft->size.step_x, width - part->x) + matrix->columns - 1,
    .result = fft->result + band->at + part->channel * fft->plane + part->x,
    .result_columns = MIN (fft->size.step_x, (int) fft->plane - part->x),
  };
  for (row = 0; row < rows; row++)
    {
      source[row] = convolve_cpu_run_get_row (run, (gint64) band->y + matrix->top + row) +
                    part->channel * run->pitch + part->x;
      zeros += look (source[row], layer->columns, limit, &wild);
    }
  return wild ? -1 : zeros;
}

static void
sum_zeros (const Band *band, const ConvolveFftLayer *layer)
{
  int row;

  for (row = 0; row < band->rows; row++)
    memset (layer->result + row * band->sum->run->fft->row, 0,
            layer->result_columns * sizeof (float));
}

/* Sums over the taps are in blocks of FX_COLUMN, which a part need not begin or end with. */
static void
sum_taps (const Band *band, const ConvolveFftPart *part, const ConvolveFftLayer *layer,
          const ConvolveCpuScratch *scratch)
{
  const ConvolveCpuRun *run = band->sum->run;
  int before = part->x % FX_COLUMN, row;
  gsize n = fx_rows_get_pitch (before + layer->result_columns);

  for (row = 0; row < band->rows; row++)
    {
      convolve_cpu_run_sum_taps (run, scratch->rows, part->channel, band->y + row, part->x - before,
                                 n, scratch->result);
      memcpy (layer->result + row * run->fft->row, scratch->result + before,
              layer->result_columns * sizeof (float));
    }
}

/* Marks a tile that is to be recomputed. */
static void
mark (const Band *band, const ConvolveFftPart *part)
{
  g_atomic_int_set (&band->recompute[part->n], TRUE);
}

/* Sums a layer that must not be transformed as it is. */
static void
sum_wild (const Band *band, const ConvolveFftPart *part, const ConvolveFftPair *pair,
          const ConvolveFftLayer *layer, int thread)
{
  const ConvolveCpuRun *run = band->sum->run;
  ConvolveFftScratch *scratch = &run->fft->scratch[thread];

  if (! run->plan->strategy.cpu.finds_infinities)
    sum_taps (band, part, layer, &run->scratch[thread]);
  else if (band->sum->transform != &run->fft->precise)
    mark (band, part);
  else
    {
      convolve_fft_sum_infinities (run, scratch, pair, layer, is_alpha (run, part));
      clear_empty (&run->plan->matrix, pair, layer, scratch->empty);
    }
}

/* Marks a tile that has too many results of too little alpha for sums over the taps. */
static void
look_at_alpha (const Band *band, const ConvolveFftPart *part, const ConvolveFftLayer *layer)
{
  const ConvolveCpuRun *run = band->sum->run;
  float least = run->plan->strategy.cpu.least_alpha;
  int width = MIN (layer->result_columns, convolve_cpu_get_width (&run->base.strip) - part->x);
  int sums = 0, row, x;

  for (row = 0; row < band->rows && sums <= run->fft->most_sums; row++)
    for (x = 0; x < width; x += FX_COLUMN)
      sums += convolve_fft_has_small (layer->result + row * run->fft->row + x,
                                      MIN (FX_COLUMN, width - x), least);
  if (sums > run->fft->most_sums)
    mark (band, part);
}

/* Convolves two parts, unless one of them is simpler or must not be transformed. */
static void
sum_pair (const Band *band, const ConvolveFftPart *parts, int thread)
{
  const Sum *sum = band->sum;
  const ConvolveCpuRun *run = sum->run;
  const ConvolveCpuFft *fft = run->fft;
  const ConvolveFftTransform *transform = sum->transform;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  ConvolveFftScratch *scratch = &fft->scratch[thread];
  gboolean alpha = is_alpha (run, &parts[0]);
  ConvolveFftPair pair = { .rows = band->rows + matrix->rows - 1,
                           .result_rows = band->rows,
                           .stride = fft->row };
  int zeros[CONVOLVE_FFT_LAYERS] = { 0 }, layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS && parts[layer].channel >= 0; layer++)
    {
      ConvolveFftLayer taken;

      if (sum->again && ! g_atomic_int_get (&band->recompute[parts[layer].n]))
        continue;
      zeros[layer] = take_part (band, &parts[layer], scratch->source[layer], &taken);
      if (zeros[layer] < 0)
        sum_wild (band, &parts[layer], &pair, &taken, thread);
      else if (zeros[layer] == pair.rows * taken.columns)
        sum_zeros (band, &taken);
      else
        pair.layers[layer] = taken;
    }
  if (pair.layers[0].source || pair.layers[1].source)
    transform->kind->convolve (&transform->tile, &pair, transform->spectra[alpha], scratch->points,
                               scratch->column);
  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    {
      if (! pair.layers[layer].source)
        continue;
      if (zeros[layer] >= matrix->rows * matrix->columns)
        clear_empty (matrix, &pair, &pair.layers[layer], scratch->empty);
      if (alpha && transform == &fft->single && run->plan->strategy.cpu.recomputes)
        look_at_alpha (band, &parts[layer], &pair.layers[layer]);
    }
}

static void
sum_pairs (gpointer data, int first, int end, int thread)
{
  const Sum *sum = data;
  const ConvolveCpuFft *fft = sum->run->fft;
  int n;

  for (n = sum->first + first; n < sum->first + end; n++)
    {
      Band band = get_band (sum, n / fft->n_pairs);

      sum_pair (&band, fft->parts + CONVOLVE_FFT_LAYERS * (n % fft->n_pairs), thread);
    }
}

/* Returns FALSE if the run is not wanted any more. */
static gboolean
sum_all_pairs (Sum *sum, GError **error)
{
  const FxRun *base = &sum->run->base;
  const ConvolveCpuFft *fft = sum->run->fft;
  int n = fft->n_pairs * (int) fx_ceil_div (sum->rows, fft->size.step_y);
  gsize points = (gsize) fft->size.columns * fft->size.rows;
  int most = fft->threads * (int) MAX (POINTS_AT_ONCE / points, 1);

  for (sum->first = 0; sum->first < n; sum->first += most)
    {
      if (base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (sum->run->team, MIN (most, n - sum->first), 1, sum_pairs, sum);
    }
  return TRUE;
}

/* Returns whether there are tiles to recompute. */
static gboolean
has_marks (const ConvolveCpuFft *fft, int rows)
{
  int n = fft->n_columns * (int) fx_ceil_div (rows, fft->size.step_y), i;

  for (i = 0; i < n; i++)
    if (g_atomic_int_get (&fft->recompute[i]))
      return TRUE;
  return FALSE;
}

gboolean
convolve_fft_sum (const ConvolveCpuRun *run, int y, int rows, GError **error)
{
  ConvolveCpuFft *fft = run->fft;
  ConvolveFftTransform *first = fft->single.kind ? &fft->single : &fft->precise;
  Sum sum = { run, y, rows, first, FALSE, 0 };

  memset (fft->recompute, 0,
          fft->n_columns * fx_ceil_div (rows, fft->size.step_y) * sizeof *fft->recompute);
  convolve_fft_make_ready (run, first);
  if (! sum_all_pairs (&sum, error))
    return FALSE;
  if (! has_marks (fft, rows))
    return TRUE;
  convolve_fft_make_ready (run, &fft->precise);
  sum.transform = &fft->precise;
  sum.again = TRUE;
  return sum_all_pairs (&sum, error);
}

gboolean
convolve_fft_has_precise (const ConvolveCpuRun *run, int row, int x, int n)
{
  const ConvolveCpuFft *fft = run->fft;
  const gint *recompute = fft->recompute + row / fft->size.step_y * fft->n_columns;
  int i;

  if (run->plan->strategy.large)
    return TRUE;
  for (i = x / fft->size.step_x; i <= (x + n - 1) / fft->size.step_x; i++)
    if (! g_atomic_int_get (&recompute[i]))
      return FALSE;
  return TRUE;
}

float *
convolve_fft_get_row (const ConvolveCpuRun *run, int row)
{
  return run->fft->result + row * run->fft->row;
}
