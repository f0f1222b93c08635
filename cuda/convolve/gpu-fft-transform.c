/* The transforms of a convolution on the GPU: the spectrum of the matrix, and the three kernels of
 * a tile, which exchange data through global memory. */
#include "error.h"
#include "gpu-fft.h"

#include <math.h>
#include <string.h>

/* The memory for the tiles of one launch. 256 MB hold all tiles of 3840x2160 pixels for matrices up
 * to 255x255; with 64 MB, they take a tenth longer. Bands of an image with fewer tiles need
 * less. */
#define SCRATCH_BYTES ((gsize) 256 << 20)

/* The cost of a sample in the slowest kernel and in all three, in taps of the limit of a launch
 * (gpu/device.c): 8.6 and 14.3 ps on an H100. Most GPUs are much slower in double precision. */
#define KERNEL_COST  50.0
#define SAMPLE_COST  85.0
#define PRECISE_COST 16.0 /* times */

/* Sizes. */

static gsize
get_complex_bytes (const ConvolveGpuFftTile *tile)
{
  return tile->precise ? 2 * sizeof (double) : sizeof (ConvolveComplex);
}

static gsize
get_spectrum_bytes (const ConvolveGpuFftTile *tile)
{
  return get_complex_bytes (tile) * tile->columns * tile->rows;
}

gsize
convolve_gpu_fft_get_tile_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile)
{
  return convolve_plan_get_planes (plan) * get_spectrum_bytes (tile);
}

/* Tables. */

/* Returns an upper bound. */
static gsize
get_factor_bytes (const ConvolveGpuFftTile *tile)
{
  return 2 * (tile->columns + tile->rows) * get_complex_bytes (tile);
}

gsize
convolve_gpu_fft_get_table_bytes (const ConvolveGpuFftTile *tile)
{
  return get_spectrum_bytes (tile) + get_factor_bytes (tile);
}

/* Appends a twiddle factor. Returns the end. */
static char *
append_factor (char *next, double angle, gboolean precise)
{
  double factor[2] = { cos (angle), sin (angle) };
  ConvolveComplex single = { (float) factor[0], (float) factor[1] };
  gsize size = precise ? sizeof factor : sizeof single;

  memcpy (next, precise ? (gconstpointer) factor : &single, size);
  return next + size;
}

/* Appends the twiddle factors of transforms of length values. Returns the end. */
static char *
append_factors (char *next, int length, gboolean precise)
{
  int rest = length, done = 1, size, r, k;

  for (; rest > 1; rest /= size, done *= size)
    {
      size = FFT_SIZE (rest);
      for (r = 0; r < size && done > 1; r++)
        for (k = 0; k < done; k++)
          next = append_factor (next, -2.0 * G_PI * r * k / ((double) size * done), precise);
    }
  return next;
}

static gboolean
launch_columns (FftRun *run, const FftTransform *transform, const ConvolveFft *fft, int first,
                unsigned planes, int matrix, GError **error)
{
  int columns = transform->tile.columns, rows = transform->tile.rows;
  int bytes = transform->tile.precise ? sizeof (double) : sizeof (float);
  FxLaunch launch = {
    .x = columns / FFT_BESIDE (rows, bytes),
    .y = planes,
    .threads = FFT_COLUMN_THREADS (rows, bytes),
  };
  void *args[] = { &run->base.taps, (gpointer) fft, &first, &columns, &matrix };

  return fx_gpu_launch (run->base.base.gpu, transform->kernels[FFT_COLUMNS], &launch, args, error);
}

/* Queues the transform of the matrix. */
static gboolean
make_spectrum (FftRun *run, const FftTransform *transform, GError **error)
{
  ConvolveFft fft = transform->fft;
  int columns = transform->tile.columns, rows = transform->tile.rows;
  FxLaunch launch = {
    .x = rows / FFT_LINES (columns),
    .y = 1,
    .threads = FFT_ROW_THREADS (columns),
  };
  void *args[] = { &run->base.taps, &fft, &rows };

  fft.cells = (ConvolveComplex *) fft.spectrum;
  return fx_gpu_launch (run->base.base.gpu, transform->kernels[FFT_SPECTRUM], &launch, args,
                        error) &&
         launch_columns (run, transform, &fft, 0, 1, TRUE, error);
}

gboolean
convolve_gpu_fft_make_tables (FftRun *run, FftTransform *transform, gpointer tables, GError **error)
{
  const ConvolveGpuFftTile *tile = &transform->tile;
  char *factors = (char *) tables + get_spectrum_bytes (tile);
  char *first, *along_y, *end;

  if (transform->ready)
    return TRUE;
  first = fx_gpu_run_keep (&run->base.base, g_try_malloc (get_factor_bytes (tile)));
  if (! first)
    return fx_set_no_memory (error);
  transform->ready = TRUE;
  along_y = append_factors (first, tile->columns, tile->precise);
  end = append_factors (along_y, tile->rows, tile->precise);
  transform->fft.spectrum = tables;
  transform->fft.along_x = (ConvolveComplex *) factors;
  transform->fft.along_y = (ConvolveComplex *) (factors + (along_y - first));
  return fx_gpu_upload (run->base.base.gpu, factors, first, (gsize) (end - first), error) &&
         make_spectrum (run, transform, error);
}

/* Tiles. */

gsize
convolve_gpu_fft_count_tiles (const ConvolveGpuFftTile *tile, int width, int rows)
{
  return (gsize) fx_ceil_div (width, tile->step_x) * fx_ceil_div (rows, tile->step_y);
}

gsize
convolve_gpu_fft_count_together (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile,
                                 gsize tiles)
{
  gsize bytes = plan->choice.scratch > 0 ? plan->choice.scratch : SCRATCH_BYTES;
  gsize most = bytes / convolve_gpu_fft_get_tile_bytes (plan, tile);

  return CLAMP (tiles, 1, MAX (most, 1));
}

void
convolve_gpu_fft_set_area (FftTransform *transform, const FxRect *area)
{
  const ConvolveGpuFftTile *tile = &transform->tile;
  ConvolveFft *fft = &transform->fft;

  fft->x = area->x;
  fft->y = area->y;
  fft->width = area->width;
  fft->height = area->height;
  fft->step_x = tile->step_x;
  fft->step_y = tile->step_y;
  fft->across = fx_ceil_div (area->width, tile->step_x);
  transform->tiles = convolve_gpu_fft_count_tiles (tile, area->width, area->height);
}

static gboolean
launch_rows (FftRun *run, const FftTransform *transform, int first, unsigned tiles, GError **error)
{
  FxGpuRun *base = &run->base.base;
  int columns = transform->tile.columns, lines = transform->tile.rows;
  int rows = MIN (transform->fft.height, transform->tile.step_y) + run->base.taps.rows - 1;
  FxLaunch launch = {
    .x = fx_ceil_div (MIN (rows, lines), FFT_LINES (columns)) *
         convolve_plan_get_planes (convolve_plan_get (base->base.plan)),
    .y = tiles,
    .threads = FFT_ROW_THREADS (columns),
  };
  void *args[] = {
    &base->source, &run->base.taps, (gpointer) &transform->fft,
    &first,        &lines,          convolve_gpu_run_get_highlights (base),
  };

  return fx_gpu_launch (base->gpu, transform->kernels[FFT_ROWS], &launch, args, error);
}

static gboolean
launch_result (FftRun *run, const FftTransform *transform, int first, unsigned tiles,
               GError **error)
{
  FxGpuRun *base = &run->base.base;
  int columns = transform->tile.columns, lines = transform->tile.rows;
  FxLaunch launch = {
    .x = fx_ceil_div (MIN (transform->fft.height, transform->tile.step_y), FFT_LINES (columns)),
    .y = tiles,
    .threads = FFT_ROW_THREADS (columns),
  };
  void *args[] = {
    &base->source,
    (gpointer) &transform->fft,
    &run->base.after,
    &first,
    &lines,
    &base->result,
    convolve_gpu_run_get_highlights (base),
  };

  return fx_gpu_launch (base->gpu, transform->kernels[FFT_RESULT], &launch, args, error);
}

gboolean
convolve_gpu_fft_queue_tiles (FftRun *run, const FftTransform *transform, gsize first, gsize n,
                              GError **error)
{
  FxGpuRun *base = &run->base.base;
  const ConvolvePlan *plan = convolve_plan_get (base->base.plan);
  int planes = convolve_plan_get_planes (plan);
  double times = transform->tile.precise ? PRECISE_COST : 1.0;
  double samples = 2.0 * times * planes * transform->tile.columns * transform->tile.rows;
  double most = fx_gpu_get_launch_limit (base->gpu) / (KERNEL_COST * samples);
  gsize within = (gsize) MIN (most, FX_BLOCKS_Y_MAX / planes), end = first + n;
  gsize together = MIN (convolve_gpu_fft_count_together (plan, &transform->tile, n),
                        MAX (within, 1));

  for (; first < end; first += together)
    {
      unsigned tiles = (unsigned) MIN (together, end - first);

      if (! fx_gpu_run_throttle (base, SAMPLE_COST * samples * tiles, error) ||
          ! launch_rows (run, transform, (int) first, tiles, error) ||
          ! launch_columns (run, transform, &transform->fft, (int) first, tiles * planes, FALSE,
                            error) ||
          ! launch_result (run, transform, (int) first, tiles, error))
        return FALSE;
    }
  return TRUE;
}
