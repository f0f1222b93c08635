#include "cpu-fft.h"

#define ALIGNMENT 64 /* of points, in bytes: a vector */

/* Returns memory for n points, or NULL if there is none. */
static float *
allocate_points (gsize n)
{
  return fx_cpu_allocate ((n * sizeof (ConvolveFftPoint) + ALIGNMENT) / sizeof (float));
}

static ConvolveFftPoint *
align_points (float *memory)
{
  return (ConvolveFftPoint *) (((gsize) memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
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
init_scratch (ConvolveFftScratch *scratch, const ConvolveFftSize *size)
{
  gsize n = convolve_fft_tile_count_points (size->columns, size->rows);
  int layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    scratch->source[layer] = g_new (const float *, size->rows);
  scratch->empty = g_new (int, size->columns);
  scratch->memory = allocate_points (n + size->rows);
  if (! scratch->memory)
    return FALSE;
  scratch->points = align_points (scratch->memory);
  scratch->column = scratch->points + n;
  return TRUE;
}

static gboolean
allocate (ConvolveCpuFft *fft, const ConvolveCpuRun *run, int rows)
{
  gsize n = convolve_fft_tile_count_points (fft->size.columns, fft->size.rows);
  int i;

  fft->result = fx_cpu_allocate (rows * fft->row);
  fft->memory = allocate_points ((run->plan->weights ? 2 : 1) * n);
  if (! fft->result || ! fft->memory)
    return FALSE;
  fft->spectra[0] = align_points (fft->memory);
  fft->spectra[1] = fft->spectra[0] + (run->plan->weights ? n : 0);
  for (i = 0; i < fft->threads; i++)
    if (! init_scratch (&fft->scratch[i], &fft->size))
      return FALSE;
  return TRUE;
}

ConvolveCpuFft *
convolve_fft_new (const ConvolveCpuRun *run)
{
  const ConvolveMatrix *matrix = &run->plan->matrix, *alpha = run->plan->weights;
  const FxStrip *strip = &run->base.strip;
  int width = convolve_cpu_get_width (strip), rows = MIN (strip->chunk_rows, strip->y1 - strip->y0);
  ConvolveCpuFft *fft = g_new0 (ConvolveCpuFft, 1);

  fft->size = convolve_fft_choose_size (matrix, width, rows);
  convolve_fft_tile_init (&fft->tile, fft->size.columns, fft->size.rows);
  fft->plane = fx_rows_get_pitch (width);
  fft->row = convolve_cpu_get_result_size (run->plan, strip);
  fft->threads = run->threads;
  fft->scratch = g_new0 (ConvolveFftScratch, fft->threads);
  init_parts (fft, run);
  if (! allocate (fft, run, rows))
    {
      convolve_fft_free (fft);
      return NULL;
    }
  convolve_fft_tile_get_spectrum (&fft->tile, matrix->weights, matrix->rows, matrix->columns,
                                  fft->spectra[0], fft->scratch[0].column);
  if (alpha)
    convolve_fft_tile_get_spectrum (&fft->tile, alpha->weights, alpha->rows, alpha->columns,
                                    fft->spectra[1], fft->scratch[0].column);
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
    }
  g_free (fft->scratch);
  g_free (fft->result);
  g_free (fft->parts);
  g_free (fft->memory);
  convolve_fft_tile_clear (&fft->tile);
  g_free (fft);
}
