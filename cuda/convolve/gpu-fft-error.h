/* The errors of a convolution by Fourier transforms on the GPU. Pure arithmetic. */
#ifndef CONVOLVE_GPU_FFT_ERROR_H
#define CONVOLVE_GPU_FFT_ERROR_H

#include "convolve-plan.h"
#include "gpu-run.h"

#include "kernels/fft-args.h" /* needs args.h before it */

G_BEGIN_DECLS

/* Sets the errors in fft: of plan's sums by a tile's transforms, relative to the largest magnitude
 * in the tile, or to 1 if that need not be found; and of its samples, without the error of rounding
 * them. shown: they are only shown, in 8 bits. */
void convolve_gpu_fft_set_errors (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile,
                                  gboolean shown, ConvolveFft *fft);

/* Return the strategy's recomputes; and whether the curve cannot magnify the errors of its tile too
 * much, or if the matrix is large, of the largest tile. */
gboolean convolve_gpu_fft_may_recompute (const ConvolvePlan *plan);
gboolean convolve_gpu_fft_stands_curve (const ConvolvePlan *plan);

G_END_DECLS

#endif
