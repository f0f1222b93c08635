#include "cpu-fft.h"

#define ALIGNMENT 64 /* of points, in bytes: a vector */

/* Returns memory for n points, or NULL if there is none. */
static float *
allocate_points (const ConvolveFftKind *kind, gsize n)
{
  return fx_cpu_allocate ((n * kind->point + ALIGNMENT) / sizeof (float));
}

/* Returns point number n of the memory. */
static gpointer
find_point (const ConvolveFftKind *kind, float *memory, gsize n)
{
  gsize first = ((gsize) memory + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

  return (gpointer) (first + n * kind->point);
}

static gsize
count_points (const ConvolveCpuFft *fft)
{
  return convolve_fft_tile_count_points (fft->size.columns, fft->size.rows);
}

/* Alpha and colour are not convolved together: their magnitudes may differ, and a transform's error
 * is relative to the larger one. */
static void
add_parts (ConvolveCpuFft *fft, int first, int end)
{
  ConvolveFftPart *next = fft->parts + CONVOLVE_FFT_LAYERS * fft->n_pairs;
  int n = 0, c, i;

  for (c = first; c < end; c++)
    for (i = 0; i < fft->n_columns; i++)
      next[n++] = (ConvolveFftPart) { c, i * fft->size.step_x, i };
  if (n % CONVOLVE_FFT_LAYERS)
    next[n++] = (ConvolveFftPart) { -1, 0, 0 };
  fft->n_pairs += n / CONVOLVE_FFT_LAYERS;
}

static gboolean
init_parts (ConvolveCpuFft *fft, const ConvolveCpuRun *run, int rows)
{
  int colors = run->channels - fx_format_has_alpha (&run->base.plan->codec.format);
  int bands = (int) fx_ceil_div (rows, fft->size.step_y);

  fft->n_columns = (int) fx_ceil_div (convolve_cpu_get_width (&run->base.strip), fft->size.step_x);
  fft->parts = g_try_new (ConvolveFftPart, run->channels * fft->n_columns + 2);
  fft->recompute = g_try_new0 (gint, fft->n_columns * bands);
  if (! fft->parts || ! fft->recompute)
    return FALSE;
  add_parts (fft, 0, colors);
  add_parts (fft, colors, run->channels);
  return TRUE;
}

static gboolean
init_scratch (const ConvolveCpuFft *fft, ConvolveFftScratch *scratch)
{
  const ConvolveFftKind *largest = fft->precise.kind ? fft->precise.kind : fft->single.kind;
  gsize n = count_points (fft);
  int layer;

  for (layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    scratch->source[layer] = g_new (const float *, fft->size.rows);
  scratch->empty = g_new (int, fft->size.columns);
  scratch->memory = allocate_points (largest, n + fft->size.rows);
  if (! scratch->memory)
    return FALSE;
  scratch->points = find_point (largest, scratch->memory, 0);
  scratch->column = find_point (largest, scratch->memory, n);
  return TRUE;
}

/* Memory that is not written to takes none of the system's. */
static gboolean
allocate_infinities (ConvolveCpuFft *fft, const ConvolveMatrix *matrix, int rows)
{
  gsize n = count_points (fft);
  int i;

  fft->sign_memory = allocate_points (fft->precise.kind, CONVOLVE_FFT_SIGNS * n);
  fft->sign_weights = fx_cpu_allocate ((gsize) matrix->rows * matrix->columns);
  if (! fft->sign_memory || ! fft->sign_weights)
    return FALSE;
  for (i = 0; i < CONVOLVE_FFT_SIGNS; i++)
    fft->signs[i] = find_point (fft->precise.kind, fft->sign_memory, i * n);
  for (i = 0; i < fft->threads; i++)
    if (! convolve_fft_infinities_init (&fft->scratch[i].infinities, &fft->size, rows))
      return FALSE;
  return TRUE;
}

/* The same. */
static gboolean
init_transform (const ConvolveCpuFft *fft, ConvolveFftTransform *transform,
                const ConvolveFftKind *kind, gboolean two)
{
  gsize n = count_points (fft);

  transform->kind = kind;
  kind->init (&transform->tile, fft->size.columns, fft->size.rows);
  transform->memory = allocate_points (kind, (two ? 2 : 1) * n);
  if (! transform->memory)
    return FALSE;
  transform->spectra[0] = find_point (kind, transform->memory, 0);
  transform->spectra[1] = find_point (kind, transform->memory, two ? n : 0);
  return TRUE;
}

static void
clear_transform (ConvolveFftTransform *transform)
{
  g_free (transform->memory);
  convolve_fft_tile_clear (&transform->tile);
}

static gboolean
init_transforms (ConvolveCpuFft *fft, const ConvolvePlan *plan)
{
  gboolean precise = plan->strategy.cpu.precise, two = plan->weights != NULL;

  if (! precise && ! init_transform (fft, &fft->single, &convolve_fft_single, two))
    return FALSE;
  return ! (precise || plan->strategy.cpu.recomputes) ||
         init_transform (fft, &fft->precise, &convolve_fft_precise, two);
}

static gboolean
allocate (ConvolveCpuFft *fft, const ConvolveCpuRun *run, int rows)
{
  int i;

  fft->result = fx_cpu_allocate (rows * fft->row);
  fft->lines = fx_cpu_allocate ((gsize) (run->plan->matrix.rows + 1) * fft->size.columns);
  if (! fft->result || ! fft->lines || ! init_parts (fft, run, rows) ||
      ! init_transforms (fft, run->plan))
    return FALSE;
  for (i = 0; i < fft->threads; i++)
    if (! init_scratch (fft, &fft->scratch[i]))
      return FALSE;
  return ! run->plan->strategy.cpu.finds_infinities ||
         allocate_infinities (fft, &run->plan->matrix, fft->size.step_y);
}

static void
make_spectrum (const ConvolveCpuFft *fft, const ConvolveFftTransform *transform,
               const ConvolveMatrix *matrix, gpointer spectrum)
{
  transform->kind->get_spectrum (&transform->tile, matrix->weights, matrix->rows, matrix->columns,
                                 fft->lines, spectrum, fft->scratch[0].column);
}

void
convolve_fft_make_ready (const ConvolveCpuRun *run, ConvolveFftTransform *transform)
{
  if (transform->ready)
    return;
  make_spectrum (run->fft, transform, &run->plan->matrix, transform->spectra[0]);
  if (run->plan->weights)
    make_spectrum (run->fft, transform, run->plan->weights, transform->spectra[1]);
  transform->ready = TRUE;
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
  fft->most_sums = convolve_strategy_get_most_sums (run->plan, &fft->size);
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
  g_free (fft->recompute);
  clear_transform (&fft->single);
  clear_transform (&fft->precise);
  g_free (fft->lines);
  g_free (fft->sign_memory);
  g_free (fft->sign_weights);
  g_mutex_clear (&fft->lock);
  g_free (fft);
}
