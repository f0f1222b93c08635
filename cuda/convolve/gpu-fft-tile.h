/* The tiles of a convolution by Fourier transforms on the GPU, its errors and its cost. Pure
 * arithmetic. */
#ifndef CONVOLVE_GPU_FFT_TILE_H
#define CONVOLVE_GPU_FFT_TILE_H

#include "convolve-plan.h"
#include "strip.h"

G_BEGIN_DECLS

/* A tile: what is transformed, and how much of the result that gives. */
typedef struct {
  int columns, rows;
  int step_x, step_y;
  gboolean precise; /* in double precision */
} ConvolveGpuFftTile;

/* Returns the cheapest tile for plan's matrix, of at most 1023 rows and columns, for areas of any
 * size. */
ConvolveGpuFftTile convolve_gpu_fft_choose_tile (const ConvolvePlan *plan);

/* Returns the tile for the areas of a strip, the chunks of its result: if the matrix is large and
 * another tile is a tenth cheaper than that for any size, the cheapest one. Its steps are right for
 * this strip alone. */
ConvolveGpuFftTile convolve_gpu_fft_choose_tile_for (const ConvolvePlan *plan,
                                                     const FxStrip *strip);

/* Returns the tile in double precision for a large matrix. */
ConvolveGpuFftTile convolve_gpu_fft_choose_precise_tile (const ConvolvePlan *plan);

/* Returns the cost of a sample in taps, if no result has to be recomputed. */
double convolve_gpu_fft_get_cost (const ConvolvePlan *plan);

/* Returns the planes of a tile: pairs of channels. */
int convolve_gpu_fft_get_planes (const ConvolvePlan *plan);

/* Returns the bytes of a tile's planes, and of the matrix's spectrum. */
gsize convolve_gpu_fft_get_tile_bytes (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile);
gsize convolve_gpu_fft_get_spectrum_bytes (const ConvolveGpuFftTile *tile);

/* Errors of plan's sums by a tile's transforms, relative to the largest magnitude in the tile, or
 * to 1 if that need not be found; and of its samples. */
typedef struct {
  float noise;   /* the most that rounding leaves of a sum that is 0 */
  float cleared; /* the largest sum of colour that counts as 0 */
  float error;   /* of a sum */
  float allowed; /* of a sample, less the error of its own rounding */
  float least;   /* sum of alpha that colour is divided by; not relative */
} ConvolveGpuFftErrors;

/* shown is as in FxGpuRun. */
ConvolveGpuFftErrors convolve_gpu_fft_get_errors (const ConvolvePlan *plan,
                                                  const ConvolveGpuFftTile *tile, gboolean shown);

/* Returns whether the division by alpha or the curve may magnify the errors too much, so that
 * results have to be recomputed: as sums, or if the matrix is large, in double precision. */
gboolean convolve_gpu_fft_may_mend (const ConvolvePlan *plan);

/* Returns whether the largest magnitudes of the tiles have to be found: samples may be infinite, or
 * results may have to be recomputed. */
gboolean convolve_gpu_fft_needs_peaks (const ConvolvePlan *plan);

/* Returns whether transforms are exact enough for plan. */
gboolean convolve_gpu_fft_is_exact (const ConvolvePlan *plan);

G_END_DECLS

#endif
