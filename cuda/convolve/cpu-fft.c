#include "cpu-fft.h"

#define ALIGNMENT 64 /* of points, in bytes: a vector */

/* Returns memory for n points, or NULL if there is none. */
static float *
allocate_points (gsize n)
{
  return fx_cpu_allocate ((n * sizeof (ConvolveFftPoint) + ALIGNMENT) / sizeof (float));
}

/* Returns point number n of the memory. */
static ConvolveFftPoint *
find_point (float *memory, gsize n)
{
  return (ConvolveFftPoint *) (((gsize) memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT) + n;
}

static gsize
count_points (const ConvolveCpuFft *fft)
{
  return convolve_fft_tile_count_points (fft->size.columns, fft->size.rows);
}

static gboolean
init_scratch (const ConvolveCpuFft *fft, ConvolveFftScratch *scratch)
{
  gsize n = count_points (fft);
  int layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    scratch->source[layer] = g_new (const float *, fft->size.rows);
  scratch->memory = allocate_points (n + fft->size.rows);
  if (! scratch->memory)
    return FALSE;
  scratch->points = find_point (scratch->memory, 0);
  scratch->column = find_point (scratch->memory, n);
  return TRUE;
}

/* The spectra. */

/* Memory that is not written to takes none of the system's. */
static gboolean
allocate_spectra (ConvolveCpuFft *fft, const ConvolvePlan *plan)
{
  gsize n = count_points (fft);

  fft->memory = allocate_points (convolve_fft_count_spectra (plan) * n);
  if (! fft->memory)
    return FALSE;
  fft->spectra[CONVOLVE_FFT_COLOR] = find_point (fft->memory, 0);
  fft->spectra[CONVOLVE_FFT_ALPHA] = find_point (fft->memory, plan->alpha_matrix ? n : 0);
  fft->spectra[CONVOLVE_FFT_SIGNS] = fft->spectra[CONVOLVE_FFT_ALPHA] + n;
  fft->spectra[CONVOLVE_FFT_SIGNS + 1] = fft->spectra[CONVOLVE_FFT_SIGNS] + n;
  return TRUE;
}

static void
make_spectra (ConvolveCpuFft *fft, const ConvolvePlan *plan)
{
  convolve_fft_tile_get_spectrum (&fft->tile, &plan->matrix, CONVOLVE_FFT_WEIGHTS, fft->lines,
                                  fft->spectra[CONVOLVE_FFT_COLOR], fft->scratch[0].column);
  if (plan->alpha_matrix)
    convolve_fft_tile_get_spectrum (&fft->tile, plan->alpha_matrix, CONVOLVE_FFT_WEIGHTS,
                                    fft->lines, fft->spectra[CONVOLVE_FFT_ALPHA],
                                    fft->scratch[0].column);
}

void
convolve_fft_need_signs (ConvolveCpuFft *fft, const ConvolvePlan *plan, ConvolveFftScratch *scratch)
{
  int sign;

  g_mutex_lock (&fft->lock);
  for (sign = 0; sign < 2 && ! fft->signs_ready; sign++)
    convolve_fft_tile_get_spectrum (&fft->tile, &plan->matrix,
                                    sign ? CONVOLVE_FFT_BELOW : CONVOLVE_FFT_ABOVE, fft->lines,
                                    fft->spectra[CONVOLVE_FFT_SIGNS + sign], scratch->column);
  fft->signs_ready = TRUE;
  g_mutex_unlock (&fft->lock);
}

/* All. */

static gboolean
allocate (ConvolveCpuFft *fft, const ConvolveCpuRun *run, int rows)
{
  int i;

  fft->result = fx_cpu_allocate (rows * fft->row);
  fft->lines = fx_cpu_allocate ((gsize) (run->plan->matrix.rows + 1) * fft->size.columns);
  if (! fft->result || ! fft->lines || ! allocate_spectra (fft, run->plan))
    return FALSE;
  for (i = 0; i < fft->threads; i++)
    if (! init_scratch (fft, &fft->scratch[i]))
      return FALSE;
  return TRUE;
}

ConvolveCpuFft *
convolve_fft_new (const ConvolveCpuRun *run, const ConvolveFftNeeds *needs)
{
  const FxStrip *strip = &run->base.strip;
  int width = fx_cpu_blocks_get_width (strip),
      rows = MIN (strip->chunk_rows, strip->y1 - strip->y0);
  ConvolveCpuFft *fft = g_new0 (ConvolveCpuFft, 1);

  fft->size = needs->size;
  fft->plane = fx_rows_get_pitch (width);
  fft->row = convolve_cpu_get_result_size (run->plan, strip);
  fft->across = (int) fx_ceil_div (width, fft->size.step_x);
  fft->n_pairs = convolve_strategy_count_pairs (&run->base.plan->codec.format, fft->across);
  fft->threads = needs->threads;
  fft->scratch = g_new0 (ConvolveFftScratch, fft->threads);
  g_mutex_init (&fft->lock);
  convolve_fft_tile_init (&fft->tile, fft->size.columns, fft->size.rows);
  if (! allocate (fft, run, rows))
    {
      convolve_fft_free (fft);
      return NULL;
    }
  make_spectra (fft, run->plan);
  return fft;
}

void
convolve_fft_free (ConvolveCpuFft *fft)
{
  int i, layer;

  if (! fft)
    return;
  for (i = 0; i < fft->threads; i++)
    {
      g_free (fft->scratch[i].memory);
      for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
        g_free (fft->scratch[i].source[layer]);
    }
  g_free (fft->scratch);
  g_free (fft->result);
  convolve_fft_tile_clear (&fft->tile);
  g_free (fft->memory);
  g_free (fft->lines);
  g_mutex_clear (&fft->lock);
  g_free (fft);
}
