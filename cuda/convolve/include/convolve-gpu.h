/* The convolution on the GPU: its programs and its ways. */
#ifndef CONVOLVE_GPU_H
#define CONVOLVE_GPU_H

#include "gpu-run.h"

G_BEGIN_DECLS

/* gpu-direct.c: by the taps, which come at run time or are compiled in. */
extern const FxProgram convolve_program_direct, convolve_program_direct_specialised;
extern const FxGpuWay convolve_gpu_direct;

/* gpu-products.c: by products of a column and a row, likewise. */
extern const FxProgram convolve_program_products, convolve_program_products_specialised;
extern const FxGpuWay convolve_gpu_products;

G_END_DECLS

#endif
