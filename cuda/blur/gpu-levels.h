/* What the blur's ways on the GPU share: the levels of its axes, and their weights on the
   device. */
#ifndef BLUR_GPU_LEVELS_H
#define BLUR_GPU_LEVELS_H

#include "blur-plan.h"
#include "gpu-run.h"

#include "kernels/blur-args.h" /* which needs what gpu-run.h has */

G_BEGIN_DECLS

#define BLUR_BUFFER_WEIGHTS FX_BUFFER_WAY_2 /* the ways have the others to themselves */

/* One axis: the grids along it, first the pixels, then one a stage; and its weights. */
typedef struct {
  const BlurAxis *axis;
  FxSpan spans[BLUR_STAGES_MAX + 1];
  BlurStageWeights stages[BLUR_STAGES_MAX];
  BlurTaps taps; /* of the FIR */
} BlurLevels;

/* Sets the spans of an axis's levels; past its last stage they stay the same. The grids along an
 * axis without stages have the pixels and what its FIR reaches beyond them. */
void blur_levels_init (BlurLevels *levels, const BlurAxis *axis, FxSpan source);

/* The head of each way's own run. */
typedef struct {
  FxGpuRun base;
  BlurLevels x, y;
  BlurTaps one;    /* the one that changes nothing */
  GArray *weights; /* of float, those of both, on their way to the device */
} BlurGpuRun;

/* Sets the levels, and uploads their weights. FALSE with error on failure. */
gboolean blur_gpu_run_begin (BlurGpuRun *run, GError **error);

/* The end of each way. */
void blur_gpu_run_end (FxGpuRun *run);

/* Taps of a kernel. */
static inline int
blur_taps_count (const BlurTaps *taps)
{
  return 2 * taps->radius + 1;
}

G_END_DECLS

#endif
