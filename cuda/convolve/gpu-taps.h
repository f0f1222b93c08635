/* The common part of the convolution's GPU paths: the matrix on the device. */
#ifndef CONVOLVE_GPU_TAPS_H
#define CONVOLVE_GPU_TAPS_H

#include "convolve-gpu.h"
#include "gpu-tile.h"

G_BEGIN_DECLS

/* The common part of each path's run, which is its first member. */
typedef struct {
  FxGpuRun base;
  ConvolveTaps taps;
  ConvolveProducts products;
  ConvolveAfter after;
  float *weights; /* of float, while they are uploaded */
} ConvolveGpuRun;

/* Returns the last argument of kernels that decode or encode, which those without highlights do not
 * have. */
static inline gpointer
convolve_gpu_run_get_highlights (const FxGpuRun *run)
{
  FX_ASSERT_SIZE (FxHighlights, 12); /* as in kernels/args.h */
  return (gpointer) &run->base.plan->codec.highlights;
}

/* Uploads the matrix and its products, if there are any. Returns FALSE with error on failure. */
gboolean convolve_gpu_run_begin (ConvolveGpuRun *run, GError **error);

/* Makes run use n specialised programs in place of its first ones, if all are available, and sets
 * done to whether it does. The generic ones, which serve any matrix, run until they are compiled.
 * Returns FALSE with error if only specialised programs are allowed and one cannot be compiled. */
gboolean convolve_gpu_run_specialise (FxGpuRun *run, int n, const FxProgram *const *programs,
                                      const FxProgramCase *program_case, gboolean *done,
                                      GError **error);

/* Queues an area by the sum over the taps. kernel is that of direct.cu, with blocks of tile;
 * chunk_top is the first row of the chunk, which the result begins with. The kernel stores rows as
 * wide as the area, so the result must not be cut along x. */
gboolean convolve_gpu_run_queue_direct (ConvolveGpuRun *run, FxKernel *kernel,
                                        const ConvolveTile *tile, const FxRect *area, int chunk_top,
                                        GError **error);

/* Implements FxGpuPath's end. */
void convolve_gpu_run_end (FxGpuRun *run);

/* Appends the constants of kernels/result.cuh and of the files that it builds on. */
void convolve_define_result (const FxProgramCase *program_case, GString *text);

G_END_DECLS

#endif
