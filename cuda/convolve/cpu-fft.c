#include "cpu-fft.h"

#define ALIGNMENT 64 /* of points, in bytes: a vector */

/* Returns memory for n points, or NULL if there is none. */
static float *
allocate_points (const ConvolveCpuFft *fft, gsize n)
{
  return fx_cpu_allocate ((n * fft->kind->point + ALIGNMENT) / sizeof (float));
}

/* Returns point number n of the memory. */
static gpointer
find_point (const ConvolveCpuFft *fft, float *memory, gsize n)
{
  gsize first = ((gsize) memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  return (gpointer) (first + n * fft->kind->point);
}

/* Alpha and colour are not convolved together: their magnitudes may differ, and a transform's error
 * is relative to the larger one. */
static void
add_parts (ConvolveCpuFft *fft, int first, int end, int width)
{
  ConvolveFftPart *next = fft->parts + CONVOLVE_FFT_LAYERS * fft->n_pairs;
  int n = 0, c, x;

  for (c = first; c < end; c++)
    for (x = 0; x < width; x += fft->size.step)
      next[n++] = (ConvolveFftPart) { c, x };
  if (n % CONVOLVE_FFT_LAYERS)
    next[n++] = (ConvolveFftPart) { -1, 0 };
  fft->n_pairs += n / CONVOLVE_FFT_LAYERS;
}

static void
init_parts (ConvolveCpuFft *fft, const ConvolveCpuRun *run)
{
  int width = convolve_cpu_get_width (&run->base.strip);
  int colors = run->channels - fx_format_has_alpha (&run->base.plan->codec.format);

  fft->parts = g_new (ConvolveFftPart, run->channels * (width / fft->size.step + 1) + 2);
  add_parts (fft, 0, colors, width);
  add_parts (fft, colors, run->channels, width);
}

static gboolean
init_scratch (const ConvolveCpuFft *fft, ConvolveFftScratch *scratch)
{
  gsize n = convolve_fft_tile_count_points (fft->size.columns, fft->size.rows);
  int layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    scratch->source[layer] = g_new (const float *, fft->size.rows);
  scratch->empty = g_new (int, fft->size.columns);
  scratch->memory = allocate_points (fft, n + fft->size.rows);
  if (! scratch->memory)
    return FALSE;
  scratch->points = find_point (fft, scratch->memory, 0);
  scratch->column = find_point (fft, scratch->memory, n);
  return TRUE;
}

/* Memory that is not written to takes none of the system's. */
static gboolean
allocate_infinities (ConvolveCpuFft *fft, int rows)
{
  gsize n = convolve_fft_tile_count_points (fft->size.columns, fft->size.rows);
  int i;

  fft->sign_memory = allocate_points (fft, CONVOLVE_FFT_SIGNS * n);
  if (! fft->sign_memory)
    return FALSE;
  for (i = 0; i < CONVOLVE_FFT_SIGNS; i++)
    fft->signs[i] = find_point (fft, fft->sign_memory, i * n);
  for (i = 0; i < fft->threads; i++)
    if (! convolve_fft_infinities_init (&fft->scratch[i].infinities, &fft->size, rows))
      return FALSE;
  return TRUE;
}

static gboolean
allocate (ConvolveCpuFft *fft, const ConvolveCpuRun *run, int rows)
{
  gsize n = convolve_fft_tile_count_points (fft->size.columns, fft->size.rows);
  int i;

  fft->result = fx_cpu_allocate (rows * fft->row);
  fft->memory = allocate_points (fft, (run->plan->weights ? 2 : 1) * n);
  if (! fft->result || ! fft->memory)
    return FALSE;
  fft->spectra[0] = find_point (fft, fft->memory, 0);
  fft->spectra[1] = find_point (fft, fft->memory, run->plan->weights ? n : 0);
  for (i = 0; i < fft->threads; i++)
    if (! init_scratch (fft, &fft->scratch[i]))
      return FALSE;
  return ! convolve_fft_finds_infinities (run->plan) || allocate_infinities (fft, rows);
}

static void
make_spectrum (const ConvolveCpuFft *fft, const ConvolveMatrix *matrix, gpointer spectrum)
{
  fft->kind->get_spectrum (&fft->tile, matrix->weights, matrix->rows, matrix->columns, spectrum,
                           fft->scratch[0].column);
}

ConvolveCpuFft *
convolve_fft_new (const ConvolveCpuRun *run, const ConvolveFftNeeds *needs)
{
  const FxStrip *strip = &run->base.strip;
  int width = convolve_cpu_get_width (strip), rows = MIN (strip->chunk_rows, strip->y1 - strip->y0);
  ConvolveCpuFft *fft = g_new0 (ConvolveCpuFft, 1);

  fft->size = needs->size;
  fft->kind = convolve_fft_is_precise (run->plan) ? &convolve_fft_precise : &convolve_fft_single;
  fft->kind->init (&fft->tile, fft->size.columns, fft->size.rows);
  fft->plane = fx_rows_get_pitch (width);
  fft->row = convolve_cpu_get_result_size (run->plan, strip);
  fft->threads = needs->threads;
  fft->scratch = g_new0 (ConvolveFftScratch, fft->threads);
  g_mutex_init (&fft->lock);
  init_parts (fft, run);
  if (! allocate (fft, run, rows))
    {
      convolve_fft_free (fft);
      return NULL;
    }
  make_spectrum (fft, &run->plan->matrix, fft->spectra[0]);
  if (run->plan->weights)
    make_spectrum (fft, run->plan->weights, fft->spectra[1]);
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
      g_free (fft->scratch[i].empty);
      convolve_fft_infinities_clear (&fft->scratch[i].infinities);
    }
  g_free (fft->scratch);
  g_free (fft->result);
  g_free (fft->parts);
  g_free (fft->memory);
  g_free (fft->sign_memory);
  g_mutex_clear (&fft->lock);
  convolve_fft_tile_clear (&fft->tile);
  g_free (fft);
}
