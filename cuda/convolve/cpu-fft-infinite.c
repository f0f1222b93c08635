/* The sums over infinities, of which only the signs matter: which of them meet values above 0, and
 * which meet values below. Transforms count that exactly. */
#include "cpu-fft.h"

#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

static gsize
count_samples (const ConvolveFftSize *size)
{
  return (gsize) size->columns * size->rows;
}

static gsize
count_results (const ConvolveFftSize *size, int rows)
{
  return (gsize) size->columns * rows; /* at most */
}

gsize
convolve_fft_infinities_get_bytes (const ConvolveFftSize *size, int rows)
{
  gsize planes = (1 + CONVOLVE_FFT_SIGNS) * count_samples (size);
  gsize met = CONVOLVE_FFT_SIGNS * CONVOLVE_FFT_SIGNS * count_results (size, rows);

  return (planes + met) * sizeof (float) + (1 + CONVOLVE_FFT_SIGNS) * size->rows * sizeof (float *);
}

/* Memory. */

static gboolean
init_plane (ConvolveFftPlane *plane, const ConvolveFftSize *size)
{
  int row;

  plane->samples = fx_cpu_allocate (count_samples (size));
  plane->rows = g_new (const float *, size->rows);
  for (row = 0; row < size->rows && plane->samples; row++)
    plane->rows[row] = plane->samples + (gsize) row * size->columns;
  return plane->samples != NULL;
}

static void
clear_plane (ConvolveFftPlane *plane)
{
  g_free (plane->samples);
  g_free (plane->rows);
}

gboolean
convolve_fft_infinities_init (ConvolveFftInfinities *infinities, const ConvolveFftSize *size,
                              int rows)
{
  gboolean done = init_plane (&infinities->finite, size);
  int i;

  for (i = 0; i < CONVOLVE_FFT_SIGNS; i++)
    done = init_plane (&infinities->infinite[i], size) && done;
  for (i = 0; i < CONVOLVE_FFT_SIGNS * CONVOLVE_FFT_SIGNS; i++)
    {
      float *met = fx_cpu_allocate (count_results (size, rows));

      infinities->met[i / CONVOLVE_FFT_SIGNS][i % CONVOLVE_FFT_SIGNS] = met;
      done = met && done;
    }
  return done;
}

void
convolve_fft_infinities_clear (ConvolveFftInfinities *infinities)
{
  int i;

  clear_plane (&infinities->finite);
  for (i = 0; i < CONVOLVE_FFT_SIGNS; i++)
    clear_plane (&infinities->infinite[i]);
  for (i = 0; i < CONVOLVE_FFT_SIGNS * CONVOLVE_FFT_SIGNS; i++)
    g_free (infinities->met[i / CONVOLVE_FFT_SIGNS][i % CONVOLVE_FFT_SIGNS]);
}

/* The spectra. */

static void
make_signs (const ConvolveMatrix *matrix, ConvolveCpuFft *fft, ConvolveFftPoint *scratch)
{
  gsize n = (gsize) matrix->rows * matrix->columns, i;
  float *weights = fft->sign_weights;
  int sign;

  for (sign = 0; sign < CONVOLVE_FFT_SIGNS; sign++)
    {
      for (i = 0; i < n; i++)
        weights[i] = sign == CONVOLVE_FFT_ABOVE ? matrix->weights[i] > 0.0f
                                                : matrix->weights[i] < 0.0f;
      convolve_fft_tile_get_spectrum (&fft->tile, weights, matrix->rows, matrix->columns,
                                      fft->lines, fft->signs[sign], scratch);
    }
}

static void
need_signs (const ConvolveCpuRun *run, ConvolveFftScratch *scratch)
{
  ConvolveCpuFft *fft = run->fft;

  g_mutex_lock (&fft->lock);
  if (! fft->has_signs)
    make_signs (&run->plan->matrix, fft, scratch->column);
  fft->has_signs = TRUE;
  g_mutex_unlock (&fft->lock);
}

/* Sums. */

/* Divides n samples into those that are finite and the infinities of each sign; NaN is both. */
FX_VECTORISED static void
divide (const float *restrict samples, int n, float *restrict finite, float *restrict above,
        float *restrict below)
{
  int i;

  for (i = 0; i < n; i++)
    {
      gboolean is_finite = fabsf (samples[i]) <= FLT_MAX;

      finite[i] = is_finite ? samples[i] : 0.0f;
      above[i] = ! is_finite && ! (samples[i] < 0.0f) ? 1.0f : 0.0f;
      below[i] = ! is_finite && ! (samples[i] > 0.0f) ? 1.0f : 0.0f;
    }
}

/* Convolves the infinities with the spectrum of one sign. */
static void
count_meetings (const ConvolveCpuFft *fft, const ConvolveFftPair *pair,
                const ConvolveFftLayer *layer, ConvolveFftScratch *scratch, int sign)
{
  const ConvolveFftInfinities *infinities = &scratch->infinities;
  ConvolveFftPair counted = *pair;
  int i;

  counted.stride = fft->size.columns;
  for (i = 0; i < CONVOLVE_FFT_SIGNS; i++)
    {
      counted.layers[i] = *layer;
      counted.layers[i].source = infinities->infinite[i].rows;
      counted.layers[i].result = infinities->met[sign][i];
    }
  convolve_fft_tile_convolve (&fft->tile, &counted, fft->signs[sign], scratch->points,
                              scratch->column);
}

/* Returns whether at least one has been met. */
static gboolean
have_met (float a, float b)
{
  return a + b > 0.5f;
}

/* Replaces sums that an infinity reaches. apart: the weights are the matrix's magnitudes. */
static void
put_infinities (const ConvolveFftInfinities *infinities, const ConvolveFftPair *pair, gsize pitch,
                gboolean apart, const ConvolveFftLayer *layer)
{
  enum { ABOVE = CONVOLVE_FFT_ABOVE, BELOW = CONVOLVE_FFT_BELOW };
  int row, i;

  for (row = 0; row < pair->result_rows; row++)
    for (i = 0; i < layer->result_columns; i++)
      {
        gsize n = row * pitch + i;
        float *sum = layer->result + row * pair->stride + i;
        int other = apart ? ABOVE : BELOW; /* of infinities, which values below 0 make positive */

        if (have_met (infinities->met[ABOVE][ABOVE][n], infinities->met[BELOW][other][n]))
          *sum = INFINITY;
        else if (have_met (infinities->met[ABOVE][BELOW][n], infinities->met[BELOW][! other][n]))
          *sum = -INFINITY;
      }
}

void
convolve_fft_sum_infinities (const ConvolveCpuRun *run, ConvolveFftScratch *scratch,
                             const ConvolveFftPair *pair, const ConvolveFftLayer *layer,
                             gboolean alpha)
{
  const ConvolveCpuFft *fft = run->fft;
  ConvolveFftInfinities *infinities = &scratch->infinities;
  ConvolveFftPair finite = *pair;
  int row, sign;

  need_signs (run, scratch);
  for (row = 0; row < pair->rows; row++)
    {
      gsize at = (gsize) row * fft->size.columns;

      divide (layer->source[row], layer->columns, infinities->finite.samples + at,
              infinities->infinite[CONVOLVE_FFT_ABOVE].samples + at,
              infinities->infinite[CONVOLVE_FFT_BELOW].samples + at);
    }
  memset (finite.layers, 0, sizeof finite.layers);
  finite.layers[0] = *layer;
  finite.layers[0].source = infinities->finite.rows;
  convolve_fft_tile_convolve (&fft->tile, &finite, fft->spectra[alpha], scratch->points,
                              scratch->column);
  for (sign = 0; sign < CONVOLVE_FFT_SIGNS; sign++)
    count_meetings (fft, pair, layer, scratch, sign);
  put_infinities (infinities, pair, fft->size.columns, alpha && run->plan->weights, layer);
}
