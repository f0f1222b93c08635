#include "cpu-fft.h"

#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The points that each thread transforms before the run is asked whether it is wanted: some
 * milliseconds. One pair may have more. */
#define POINTS_AT_ONCE (1 << 18)

/* Samples. */

/* Counts the zeros among n samples. Sets wild if one of them is infinite or NaN. */
FX_VECTORISED static int
look (const float *samples, int n, gboolean *wild)
{
  int zeros = 0, others = 0, i;

  for (i = 0; i < n; i++)
    {
      zeros += samples[i] == 0.0f;
      others |= ! (fabsf (samples[i]) <= FLT_MAX);
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
  int first; /* pair of all bands */
} Sum;

/* The tiles of a sum that lie side by side: rows y to y + rows - 1, and their results. */
typedef struct {
  const Sum *sum;
  int y, rows;
  gsize at; /* floats from the chunk's first result */
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
  };
}

/* Fills a layer with a part's samples. Returns how many of them are 0, or -1 if not all are
 * finite. */
static int
take_part (const Band *band, const ConvolveFftPart *part, const float **source,
           ConvolveFftLayer *layer)
{
  const ConvolveCpuRun *run = band->sum->run;
  const ConvolveCpuFft *fft = run->fft;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int rows = band->rows + matrix->rows - 1, width = convolve_cpu_get_width (&run->base.strip);
  gboolean wild = FALSE;
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
      zeros += look (source[row], layer->columns, &wild);
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

/* Sums a layer that has infinities. */
static void
sum_wild (const Band *band, const ConvolveFftPart *part, const ConvolveFftPair *pair,
          const ConvolveFftLayer *layer, ConvolveFftScratch *scratch)
{
  const ConvolveCpuRun *run = band->sum->run;

  convolve_fft_sum_infinities (run, scratch, pair, layer, is_alpha (run, part));
  clear_empty (&run->plan->matrix, pair, layer, scratch->empty);
}

/* Convolves two parts, unless one of them is simpler or has infinities. */
static void
sum_pair (const Band *band, const ConvolveFftPart *parts, int thread)
{
  const ConvolveCpuRun *run = band->sum->run;
  const ConvolveCpuFft *fft = run->fft;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  ConvolveFftScratch *scratch = &fft->scratch[thread];
  ConvolveFftPair pair = { .rows = band->rows + matrix->rows - 1,
                           .result_rows = band->rows,
                           .stride = fft->row };
  int zeros[CONVOLVE_FFT_LAYERS] = { 0 }, layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS && parts[layer].channel >= 0; layer++)
    {
      ConvolveFftLayer taken;

      zeros[layer] = take_part (band, &parts[layer], scratch->source[layer], &taken);
      if (zeros[layer] < 0)
        sum_wild (band, &parts[layer], &pair, &taken, scratch);
      else if (zeros[layer] == pair.rows * taken.columns)
        sum_zeros (band, &taken);
      else
        pair.layers[layer] = taken;
    }
  if (pair.layers[0].source || pair.layers[1].source)
    convolve_fft_tile_convolve (&fft->tile, &pair, fft->spectra[is_alpha (run, &parts[0])],
                                scratch->points, scratch->column);
  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    if (pair.layers[layer].source && zeros[layer] >= matrix->rows * matrix->columns)
      clear_empty (matrix, &pair, &pair.layers[layer], scratch->empty);
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

gboolean
convolve_fft_sum (const ConvolveCpuRun *run, int y, int rows, GError **error)
{
  const FxRun *base = &run->base;
  const ConvolveCpuFft *fft = run->fft;
  Sum sum = { .run = run, .y = y, .rows = rows };
  int n = fft->n_pairs * (int) fx_ceil_div (rows, fft->size.step_y);
  gsize points = (gsize) fft->size.columns * fft->size.rows;
  int most = fft->threads * (int) MAX (POINTS_AT_ONCE / points, 1);

  convolve_fft_make_ready (run);
  for (; sum.first < n; sum.first += most)
    {
      if (base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (run->team, MIN (most, n - sum.first), 1, sum_pairs, &sum);
    }
  return TRUE;
}

float *
convolve_fft_get_row (const ConvolveCpuRun *run, int row)
{
  return run->fft->result + row * run->fft->row;
}
