/* What the convolution's ways on the GPU share: the matrix on the device. */
#ifndef CONVOLVE_GPU_TAPS_H
#define CONVOLVE_GPU_TAPS_H

#include "convolve-gpu.h"
#include "ways.h"

#include "kernels/convolve-args.h" /* which needs what gpu-run.h has */

G_BEGIN_DECLS

/* The head of each way's own run. */
typedef struct {
  FxGpuRun base;
  ConvolveTaps taps;
  ConvolveProducts products;
  ConvolveAfter after;
  GArray *weights; /* of float, on their way to the device */
} ConvolveGpuRun;

/* Uploads the matrix, and its products if there are any. FALSE with error on failure. */
gboolean convolve_gpu_run_begin (ConvolveGpuRun *run, GError **error);

/* The generic program serves any matrix at once; a specialised one takes over when it is there. Has
 * run take that, if it is, and says so. FALSE with error where it cannot be made, but no other is
 * wanted. */
gboolean convolve_gpu_run_specialise (FxGpuRun *run, const FxProgram *program,
                                      const FxProgramCase *what, gboolean *done, GError **error);

/* The end of each way. */
void convolve_gpu_run_end (FxGpuRun *run);

/* Rows of the source that the ring must hold beside a chunk: what a chunk of the result reaches,
 * and the rest of the source chunk that it ends in, of which one is the chunk that comes in. */
int convolve_gpu_get_source_rows (const FxPlan *plan, const FxStrip *strip);

/* The constants of kernels/result.cuh, and those below it. */
void convolve_define_result (const FxProgramCase *what, GString *text);

G_END_DECLS

#endif
