/* The common part of the blur's GPU paths: the grids along each axis, and their weights on the
 * device. */
#pragma once

#include "blur-plan.h"
#include "gpu-run.h"

#include "kernels/blur-args.h" /* needs gpu-run.h before it */

#define BLUR_BUFFER_WEIGHTS FX_BUFFER_PATH_2 /* the paths use the others as they like */

/* One axis: its grids, first the pixels, then one per stage, and its weights. */
typedef struct {
  const BlurAxis *axis;
  FxSpan spans[BLUR_STAGES_MAX + 1];
  BlurStageWeights stages[BLUR_STAGES_MAX];
  BlurTaps taps; /* of the FIR */
} BlurLevels;

/* Sets the spans of an axis; after its last stage they stay the same. For an axis without stages,
 * the spans after the first also include the pixels that the FIR reaches beyond source. axis must
 * outlive levels. */
void blur_levels_init (BlurLevels *levels, const BlurAxis *axis, FxSpan source);

/* The common part of each path's run, which is its first member. */
typedef struct {
  FxGpuRun base;
  BlurLevels x, y;
  BlurTaps one; /* a single tap of 1 */
  int tile;     /* columns of a block, for paths that have tiles (gpu-tile.h) */
} BlurGpuRun;

/* Sets the levels and uploads their weights. Returns FALSE with error on failure. */
gboolean blur_gpu_run_begin (BlurGpuRun *run, GError **error);

/* Returns the number of taps of a kernel. */
static inline int
blur_taps_count (const BlurTaps *taps)
{
  return 2 * taps->radius + 1;
}
