#include "cpu-run.h"

#include "vector.h"

#include <math.h>
#include <string.h>

/* The points that each thread transforms, in some milliseconds, before the run checks whether it
 * has been cancelled. A single pair may have more. */
#define POINTS_AT_ONCE (1 << 18)

/* Relative to the sum of the weights' magnitudes times the largest magnitude in a pair of tiles:
 * larger than the rounding errors of a transform (14 standard deviations of gpu-fft-error.c). */
#define NOISE 1e-14

/* The spectra. */

static void
make_spectrum (ConvolveCpuRun *run, const ConvolveMatrix *matrix, ConvolveFftSamples samples,
               int place, ConvolveCpuScratch *scratch)
{
  convolve_fft_tile_get_spectrum (&run->fft.tile, matrix, samples, run->fft.spectra[place],
                                  scratch->points, scratch->column);
}

void
convolve_cpu_run_init_fft (ConvolveCpuRun *run)
{
  const ConvolvePlan *plan = run->plan;
  ConvolveCpuFft *fft = &run->fft;
  int width = fx_cpu_blocks_get_width (&run->base.base.strip);

  fft->across = (int) fx_ceil_div (width, fft->size.step_x);
  fft->n_pairs = convolve_strategy_count_pairs (&plan->base.codec.format, fft->across);
  convolve_fft_fill_factors (fft->tile.along_x, fft->tile.columns);
  convolve_fft_fill_factors (fft->tile.along_y, fft->tile.rows);
  make_spectrum (run, &plan->matrix, CONVOLVE_FFT_FINITE, CONVOLVE_FFT_COLOR, run->scratch);
  if (plan->alpha_matrix)
    make_spectrum (run, plan->alpha_matrix, CONVOLVE_FFT_FINITE, CONVOLVE_FFT_ALPHA, run->scratch);
}

/* Computes the spectra of the signs on first use, by any thread. */
static void
prepare_signs (ConvolveCpuRun *run, ConvolveCpuScratch *scratch)
{
  if (! g_once_init_enter (&run->fft.signs_ready))
    return;
  for (int sign = 0; sign < 2; sign++)
    make_spectrum (run, &run->plan->matrix, sign ? CONVOLVE_FFT_BELOW : CONVOLVE_FFT_ABOVE,
                   CONVOLVE_FFT_SIGNS + sign, scratch);
  g_once_init_leave (&run->fft.signs_ready, 1);
}

/* Samples. */

/* Returns the largest magnitude of the finite ones among n samples. Sets infinite if not all are
 * finite. The bits of magnitudes are in the same order as the magnitudes. */
FX_VECTORISED static float
find_peak (const float *samples, int n, gboolean *infinite)
{
  union {
    float magnitude;
    gint32 bits;
  } each, infinity = { INFINITY }, peak = { 0.0f };
  gint32 others = 0;

  for (int i = 0; i < n; i++)
    {
      gint32 bits;

      each.magnitude = fabsf (samples[i]);
      bits = each.bits < infinity.bits ? each.bits : 0;
      others |= each.bits >= infinity.bits;
      peak.bits = MAX (peak.bits, bits);
    }
  if (others)
    *infinite = TRUE;
  return peak.magnitude;
}

/* Tiles. */

/* Rows of sums, and the first pair that the threads compute. */
typedef struct {
  ConvolveCpuRun *run;
  int y, rows;
  int first;
} SumJob;

/* One of the two tiles of a pair. */
typedef struct {
  int channel, x; /* its first column of the result */
  gboolean infinite;
} PairTile;

/* Finds the tile of a number: those of colour come first, channel by channel. Returns FALSE if
 * there is no such tile: an odd number of tiles of colour leaves half of a pair empty. */
static gboolean
find_tile (const ConvolveCpuRun *run, int number, PairTile *tile)
{
  const ConvolveCpuFft *fft = &run->fft;
  int across = fft->across, all = run->channels * across;
  int colors = fx_format_has_alpha (&run->base.base.plan->codec.format) ? all - across : all;

  if (number == colors && colors % CONVOLVE_FFT_LAYERS)
    return FALSE;
  if (number > colors)
    number -= colors % CONVOLVE_FFT_LAYERS;
  *tile = (PairTile) { .channel = number / across, .x = number % across * fft->size.step_x };
  return number < all;
}

/* Sets up the layer of a tile whose first row is row y of the chunk. Returns the largest magnitude
 * of its finite samples. */
static float
set_up_layer (const SumJob *job, int y, const ConvolveFftPair *pair, const float **source,
              PairTile *tile, ConvolveFftLayer *layer)
{
  const ConvolveCpuRun *run = job->run;
  const ConvolveCpuFft *fft = &run->fft;
  const ConvolveMatrix *matrix = &run->plan->matrix;
  int width = fx_cpu_blocks_get_width (&run->base.base.strip), row;
  float peak = 0.0f;

  *layer = (ConvolveFftLayer) {
    .source = source,
    .columns = MIN (fft->size.step_x, width - tile->x) + matrix->columns - 1,
    .result = run->sums + (y * run->channels + tile->channel) * run->result_pitch + tile->x,
    .result_columns = MIN (fft->size.step_x, (int) run->result_pitch - tile->x),
  };
  for (row = 0; row < pair->rows; row++)
    {
      source[row] = convolve_cpu_run_get_row (run, (gint64) job->y + y + matrix->top + row) +
                    tile->channel * run->pitch + tile->x;
      peak = fmaxf (peak, find_peak (source[row], layer->columns, &tile->infinite));
    }
  return peak;
}

/* Sets the results that depend on an infinity, by weights of each sign. Separate weights for alpha
 * are never negative. */
static void
mark_infinities (ConvolveCpuRun *run, const ConvolveFftPair *pair, const ConvolveFftLayer *layer,
                 gboolean alpha, ConvolveCpuScratch *scratch)
{
  const ConvolveCpuFft *fft = &run->fft;
  ConvolveFftPair marks = *pair;

  prepare_signs (run, scratch);
  for (int sign = 0; sign < 2; sign++)
    {
      float reached = sign == 0 || (alpha && run->plan->alpha_matrix) ? INFINITY : -INFINITY;

      marks.layers[0] = marks.layers[1] = *layer;
      marks.layers[0].samples = CONVOLVE_FFT_NEGATIVE;
      marks.layers[0].reached = -reached;
      marks.layers[1].samples = CONVOLVE_FFT_POSITIVE;
      marks.layers[1].reached = reached;
      convolve_fft_tile_convolve (&fft->tile, &marks, fft->spectra[CONVOLVE_FFT_SIGNS + sign],
                                  scratch->points, scratch->column);
    }
}

static void
clear_result (const ConvolveFftPair *pair, const ConvolveFftLayer *layer)
{
  for (int row = 0; row < pair->result_rows; row++)
    memset (layer->result + row * pair->stride, 0, layer->result_columns * sizeof (float));
}

/* Convolves a pair of n tiles, all of colour or all of alpha. */
static void
sum_tiles (ConvolveCpuRun *run, ConvolveFftPair *pair, const PairTile *tiles, int n, float peak,
           ConvolveCpuScratch *scratch)
{
  const ConvolveCpuFft *fft = &run->fft;
  gboolean alpha = fx_format_has_alpha (&run->base.base.plan->codec.format) &&
                   tiles[0].channel == run->channels - 1;
  const ConvolveMatrix *matrix = alpha && run->plan->alpha_matrix ? run->plan->alpha_matrix
                                                                  : &run->plan->matrix;

  pair->noise = (float) (NOISE * matrix->magnitude * peak);
  if (peak > 0.0f)
    convolve_fft_tile_convolve (&fft->tile, pair, fft->spectra[alpha], scratch->points,
                                scratch->column);
  for (int i = 0; i < n && peak == 0.0f; i++)
    clear_result (pair, &pair->layers[i]);
  for (int i = 0; i < n; i++)
    if (tiles[i].infinite)
      mark_infinities (run, pair, &pair->layers[i], alpha, scratch);
}

static void
sum_pair (const SumJob *job, int number, ConvolveCpuScratch *scratch)
{
  ConvolveCpuRun *run = job->run;
  const ConvolveCpuFft *fft = &run->fft;
  int y = number / fft->n_pairs * fft->size.step_y;
  int first = number % fft->n_pairs * CONVOLVE_FFT_LAYERS, n = 0;
  int result_rows = MIN (fft->size.step_y, job->rows - y);
  int rows = result_rows + run->plan->matrix.rows - 1;
  ConvolveFftPair pair = { .rows = rows,
                           .result_rows = result_rows,
                           .stride = run->channels * run->result_pitch };
  PairTile tiles[CONVOLVE_FFT_LAYERS];
  float peak = 0.0f;

  for (; n < CONVOLVE_FFT_LAYERS && find_tile (run, first + n, &tiles[n]); n++)
    peak = fmaxf (peak, set_up_layer (job, y, &pair, scratch->rows + n * fft->size.rows, &tiles[n],
                                      &pair.layers[n]));
  sum_tiles (run, &pair, tiles, n, peak, scratch);
}

static void
sum_pairs (gpointer data, int first, int end, int thread)
{
  const SumJob *job = data;

  for (int n = job->first + first; n < job->first + end; n++)
    sum_pair (job, n, &job->run->scratch[thread]);
}

gboolean
convolve_cpu_run_transform (ConvolveCpuRun *run, int y, int rows, GError **error)
{
  const FxRun *base = &run->base.base;
  const ConvolveCpuFft *fft = &run->fft;
  SumJob job = { .run = run, .y = y, .rows = rows };
  int n = fft->n_pairs * (int) fx_ceil_div (rows, fft->size.step_y);
  gsize points = (gsize) fft->size.columns * fft->size.rows;
  int most = run->base.threads * (int) MAX (POINTS_AT_ONCE / points, 1);

  run->sums_y = y;
  for (; job.first < n; job.first += most)
    {
      if (! fx_run_is_wanted (base, error))
        return FALSE;
      fx_team_run (run->base.team, MIN (most, n - job.first), 1, sum_pairs, &job);
    }
  return TRUE;
}
