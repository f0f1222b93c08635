/* The convolution on the GPU: its programs and its paths. */
#ifndef CONVOLVE_GPU_H
#define CONVOLVE_GPU_H

#include "gpu-run.h"

G_BEGIN_DECLS

/* gpu-direct.c: a sum over the taps, which are passed at run time or compiled in. */
extern const FxProgram convolve_program_direct, convolve_program_direct_specialised;
extern const FxGpuPath convolve_gpu_direct;

/* gpu-products.c: a sum of products of a column and a row, likewise. */
extern const FxProgram convolve_program_products, convolve_program_products_specialised;
extern const FxGpuPath convolve_gpu_products;

/* gpu-fft.c: a product of Fourier transforms, in three kernels, besides that for its spectrum, in
 * single and in double precision; and the kernel that recomputes single results. */
#define CONVOLVE_FFT_PROGRAMS 4
extern const FxProgram convolve_program_fft[CONVOLVE_FFT_PROGRAMS];
extern const FxProgram convolve_program_fft_precise[CONVOLVE_FFT_PROGRAMS];
extern const FxProgram convolve_program_fft_recompute;
extern const FxGpuPath convolve_gpu_fft;

G_END_DECLS

#endif
