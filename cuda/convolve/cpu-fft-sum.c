#include "cpu-fft.h"

#include "vector.h"

#include <math.h>
#include <string.h>

#define PAIRS_AT_ONCE 4 /* for each thread, before the run is asked whether it is wanted */

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

typedef struct {
  const ConvolveCpuRun *run;
  int y, rows;
  int first; /* pair */
} Sum;

/* Fills a layer with a part's samples. Returns how many of them are 0, or -1 if they must not enter
 * a transform. */
static int
take_part (const Sum *sum, const ConvolveFftPart *part, const float **source,
           ConvolveFftLayer *layer)
{
  const ConvolveCpuRun *run = sum->run;
  const ConvolveCpuFft *fft = run->fft;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int rows = sum->rows + matrix->rows - 1, width = convolve_cpu_get_width (&run->base.strip);
  float limit = convolve_fft_get_limit (run->plan, part->channel, &fft->size);
  gboolean wild = FALSE;
  int zeros = 0, row;

  *layer = (ConvolveFftLayer) {
    .source = source,
    .columns = MIN (fft->size.step, width - part->x) + matrix->columns - 1,
    .result = fft->result + part->channel * fft->plane + part->x,
    .result_columns = MIN (fft->size.step, (int) fft->plane - part->x),
  };
  for (row = 0; row < rows; row++)
    {
      source[row] = convolve_cpu_run_get_row (run, (gint64) sum->y + matrix->top + row) +
                    part->channel * run->pitch + part->x;
      zeros += look (source[row], layer->columns, limit, &wild);
    }
  return wild ? -1 : zeros;
}

static void
sum_zeros (const Sum *sum, const ConvolveFftLayer *layer)
{
  int row;

  for (row = 0; row < sum->rows; row++)
    memset (layer->result + row * sum->run->fft->row, 0, layer->result_columns * sizeof (float));
}

/* Sums over the taps are in blocks of FX_COLUMN, which a part need not begin or end with. */
static void
sum_taps (const Sum *sum, const ConvolveFftPart *part, const ConvolveFftLayer *layer,
          const ConvolveCpuScratch *scratch)
{
  int before = part->x % FX_COLUMN, row;
  gsize n = fx_rows_get_pitch (before + layer->result_columns);

  for (row = 0; row < sum->rows; row++)
    {
      convolve_cpu_run_sum_taps (sum->run, scratch->rows, part->channel, sum->y + row,
                                 part->x - before, n, scratch->result);
      memcpy (layer->result + row * sum->run->fft->row, scratch->result + before,
              layer->result_columns * sizeof (float));
    }
}

/* Convolves two parts, unless one of them is simpler or must not be transformed. */
static void
sum_pair (const Sum *sum, const ConvolveFftPart *parts, int thread)
{
  const ConvolveCpuRun *run = sum->run;
  const ConvolveCpuFft *fft = run->fft;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  ConvolveFftScratch *scratch = &fft->scratch[thread];
  gboolean alpha = fx_format_has_alpha (&run->base.plan->codec.format) &&
                   parts[0].channel == run->channels - 1;
  ConvolveFftPair pair = { .rows = sum->rows + matrix->rows - 1,
                           .result_rows = sum->rows,
                           .stride = fft->row };
  int zeros[CONVOLVE_FFT_LAYERS] = { 0 }, layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS && parts[layer].channel >= 0; layer++)
    {
      ConvolveFftLayer taken;

      zeros[layer] = take_part (sum, &parts[layer], scratch->source[layer], &taken);
      if (zeros[layer] < 0 && convolve_fft_finds_infinities (run->plan))
        {
          convolve_fft_sum_infinities (run, scratch, &pair, &taken, alpha);
          clear_empty (matrix, &pair, &taken, scratch->empty);
        }
      else if (zeros[layer] < 0)
        sum_taps (sum, &parts[layer], &taken, &run->scratch[thread]);
      else if (zeros[layer] == pair.rows * taken.columns)
        sum_zeros (sum, &taken);
      else
        pair.layers[layer] = taken;
    }
  if (pair.layers[0].source || pair.layers[1].source)
    fft->kind->convolve (&fft->tile, &pair, fft->spectra[alpha], scratch->points, scratch->column);
  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    if (pair.layers[layer].source && zeros[layer] >= matrix->rows * matrix->columns)
      clear_empty (matrix, &pair, &pair.layers[layer], scratch->empty);
}

static void
sum_pairs (gpointer data, int first, int end, int thread)
{
  const Sum *sum = data;
  int n;

  for (n = first; n < end; n++)
    sum_pair (sum, sum->run->fft->parts + CONVOLVE_FFT_LAYERS * (sum->first + n), thread);
}

gboolean
convolve_fft_sum (const ConvolveCpuRun *run, int y, int rows, GError **error)
{
  const FxRun *base = &run->base;
  int most = PAIRS_AT_ONCE * run->fft->threads;
  Sum sum = { run, y, rows, 0 };

  for (; sum.first < run->fft->n_pairs; sum.first += most)
    {
      if (base->is_wanted && ! base->is_wanted (base->data, error))
        return FALSE;
      fx_team_run (run->team, MIN (most, run->fft->n_pairs - sum.first), 1, sum_pairs, &sum);
    }
  return TRUE;
}

float *
convolve_fft_get_row (const ConvolveCpuRun *run, int row)
{
  return run->fft->result + row * run->fft->row;
}
