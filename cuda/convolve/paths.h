/* The paths of the convolution on each device. */
#ifndef CONVOLVE_PATHS_H
#define CONVOLVE_PATHS_H

#include "convolve-plan.h"

G_BEGIN_DECLS

/* Return the number of products of a column and a row that the device computes; 0: it sums over the
 * taps. */
int convolve_cpu_get_products (const ConvolvePlan *plan);
int convolve_gpu_get_products (const ConvolvePlan *plan);

/* Returns whether a GPU can transform the image and the matrix at all. It computes a large one in
 * no other way. */
gboolean convolve_gpu_can_transform (const ConvolvePlan *plan);

/* Return whether the device computes the sums over the taps by FFT. The second one is only in
 * builds with CUDA. */
gboolean convolve_cpu_uses_fft (const ConvolvePlan *plan);
gboolean convolve_gpu_uses_fft (const ConvolvePlan *plan);

/* Traces which path a run takes. */
void convolve_trace_path (const ConvolvePlan *plan, const char *path);

double convolve_get_cpu_cost (const FxPlan *plan);
const FxBackend *convolve_get_cpu_path (const FxPlan *plan);
const FxGpuPath *convolve_get_gpu_path (const FxPlan *plan); /* only in builds with CUDA */

G_END_DECLS

#endif
