/* The errors of a convolution by Fourier transforms on the GPU. Pure arithmetic. */
#ifndef CONVOLVE_GPU_FFT_ERROR_H
#define CONVOLVE_GPU_FFT_ERROR_H

#include "convolve-plan.h"

G_BEGIN_DECLS

/* Errors of plan's sums by a tile's transforms, relative to the largest magnitude in the tile, or
 * to 1 if that need not be found; and of its samples. */
typedef struct {
  float noise;   /* the most that rounding leaves of a sum that is 0 */
  float cleared; /* the largest sum of colour that counts as 0 */
  float error;   /* of a sum */
  float allowed; /* of a sample, without the error of rounding it */
  float least;   /* sum of alpha that colour is divided by; not relative */
} ConvolveGpuFftErrors;

/* shown is as in FxGpuRun. */
ConvolveGpuFftErrors convolve_gpu_fft_get_errors (const ConvolvePlan *plan,
                                                  const ConvolveGpuFftTile *tile, gboolean shown);

/* Return the strategy's recomputes; and whether the curve cannot magnify the errors of its tile too
 * much, or if the matrix is large, of the largest tile. */
gboolean convolve_gpu_fft_may_recompute (const ConvolvePlan *plan);
gboolean convolve_gpu_fft_stands_curve (const ConvolvePlan *plan);

G_END_DECLS

#endif
