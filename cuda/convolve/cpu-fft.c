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

/* Alpha and colour are not convolved together: their magnitudes may differ, and a transform's error
 * is relative to the larger one. */
static void
add_parts (ConvolveCpuFft *fft, int columns, int first, int end)
{
  ConvolveFftPart *next = fft->parts + CONVOLVE_FFT_LAYERS * fft->n_pairs;
  int n = 0, c, i;

  for (c = first; c < end; c++)
    for (i = 0; i < columns; i++)
      next[n++] = (ConvolveFftPart) { c, i * fft->size.step_x };
  if (n % CONVOLVE_FFT_LAYERS)
    next[n++] = (ConvolveFftPart) { -1, 0 };
  fft->n_pairs += n / CONVOLVE_FFT_LAYERS;
}

static gboolean
init_parts (ConvolveCpuFft *fft, const ConvolveCpuRun *run)
{
  int colors = run->channels - fx_format_has_alpha (&run->base.plan->codec.format);
  int columns = (int) fx_ceil_div (convolve_cpu_get_width (&run->base.strip), fft->size.step_x);

  fft->parts = g_try_new (ConvolveFftPart, run->channels * columns + 2);
  if (! fft->parts)
    return FALSE;
  add_parts (fft, columns, 0, colors);
  add_parts (fft, columns, colors, run->channels);
  return TRUE;
}

static gboolean
init_scratch (const ConvolveCpuFft *fft, ConvolveFftScratch *scratch)
{
  gsize n = count_points (fft);
  int layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    scratch->source[layer] = g_new (const float *, fft->size.rows);
  scratch->empty = g_new (int, fft->size.columns);
  scratch->memory = allocate_points (n + fft->size.rows);
  if (! scratch->memory)
    return FALSE;
  scratch->points = find_point (scratch->memory, 0);
  scratch->column = find_point (scratch->memory, n);
  return TRUE;
}

/* Memory that is not written to takes none of the system's. */
static gboolean
allocate_infinities (ConvolveCpuFft *fft, const ConvolveMatrix *matrix, int rows)
{
  gsize n = count_points (fft);
  int i;

  fft->sign_memory = allocate_points (CONVOLVE_FFT_SIGNS * n);
  fft->sign_weights = fx_cpu_allocate ((gsize) matrix->rows * matrix->columns);
  if (! fft->sign_memory || ! fft->sign_weights)
    return FALSE;
  for (i = 0; i < CONVOLVE_FFT_SIGNS; i++)
    fft->signs[i] = find_point (fft->sign_memory, i * n);
  for (i = 0; i < fft->threads; i++)
    if (! convolve_fft_infinities_init (&fft->scratch[i].infinities, &fft->size, rows))
      return FALSE;
  return TRUE;
}

static gboolean
allocate_spectra (ConvolveCpuFft *fft, gboolean two)
{
  gsize n = count_points (fft);

  fft->memory = allocate_points ((two ? 2 : 1) * n);
  if (! fft->memory)
    return FALSE;
  fft->spectra[0] = find_point (fft->memory, 0);
  fft->spectra[1] = find_point (fft->memory, two ? n : 0);
  return TRUE;
}

static gboolean
allocate (ConvolveCpuFft *fft, const ConvolveCpuRun *run, int rows)
{
  int i;

  fft->result = fx_cpu_allocate (rows * fft->row);
  fft->lines = fx_cpu_allocate ((gsize) (run->plan->matrix.rows + 1) * fft->size.columns);
  if (! fft->result || ! fft->lines || ! init_parts (fft, run) ||
      ! allocate_spectra (fft, run->plan->weights != NULL))
    return FALSE;
  for (i = 0; i < fft->threads; i++)
    if (! init_scratch (fft, &fft->scratch[i]))
      return FALSE;
  return ! convolve_fft_finds_infinities (run->plan) ||
         allocate_infinities (fft, &run->plan->matrix, fft->size.step_y);
}

static void
make_spectrum (const ConvolveCpuFft *fft, const ConvolveMatrix *matrix, ConvolveFftPoint *spectrum)
{
  convolve_fft_tile_get_spectrum (&fft->tile, matrix->weights, matrix->rows, matrix->columns,
                                  fft->lines, spectrum, fft->scratch[0].column);
}

void
convolve_fft_make_ready (const ConvolveCpuRun *run)
{
  ConvolveCpuFft *fft = run->fft;

  if (fft->ready)
    return;
  make_spectrum (fft, &run->plan->matrix, fft->spectra[0]);
  if (run->plan->weights)
    make_spectrum (fft, run->plan->weights, fft->spectra[1]);
  fft->ready = TRUE;
}

ConvolveCpuFft *
convolve_fft_new (const ConvolveCpuRun *run, const ConvolveFftNeeds *needs)
{
  const FxStrip *strip = &run->base.strip;
  int width = convolve_cpu_get_width (strip), rows = MIN (strip->chunk_rows, strip->y1 - strip->y0);
  ConvolveCpuFft *fft = g_new0 (ConvolveCpuFft, 1);

  fft->size = needs->size;
  fft->plane = fx_rows_get_pitch (width);
  fft->row = convolve_cpu_get_result_size (run->plan, strip);
  fft->threads = needs->threads;
  fft->scratch = g_new0 (ConvolveFftScratch, fft->threads);
  g_mutex_init (&fft->lock);
  convolve_fft_tile_init (&fft->tile, fft->size.columns, fft->size.rows);
  if (allocate (fft, run, rows))
    return fft;
  convolve_fft_free (fft);
  return NULL;
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
      g_free (fft->scratch[i].empty);
      convolve_fft_infinities_clear (&fft->scratch[i].infinities);
    }
  g_free (fft->scratch);
  g_free (fft->result);
  g_free (fft->parts);
  convolve_fft_tile_clear (&fft->tile);
  g_free (fft->memory);
  g_free (fft->lines);
  g_free (fft->sign_memory);
  g_free (fft->sign_weights);
  g_mutex_clear (&fft->lock);
  g_free (fft);
}
