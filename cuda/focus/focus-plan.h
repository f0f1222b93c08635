/* The plan of a focus blur. */
#pragma once

#include "focus.h"
#include "kernels/focus-args.h"
#include "kernels/outline.h"

typedef struct {
  FxPlan base;
  FocusParams params;
  FocusArgs args;
  FocusLevel levels[FOCUS_LEVELS_MAX]; /* as many as args.levels; the first is the picture */
  FocusOutline outline;                /* with a lens, which has no levels */
  FocusShapeArgs shape;
  FocusMapArgs map;
  GBytes *values; /* of the map; NULL: there is a shape */
} FocusPlan;

/* Returns the channels of a cell: with keep_sharp, one more than the format's, whose last one is
 * the sum of K w. */
static inline int
focus_plan_get_channels (const FocusPlan *plan)
{
  return plan->base.codec.format.channels + (plan->args.keep_sharp > 0.0f);
}

/* Returns whether the errors need be no smaller than 8-bit samples ask for: above a slope of 20, a
 * curve is steeper than sRGB's by more than these leave room for. */
static inline gboolean
focus_plan_is_coarse (const FocusPlan *plan)
{
  const FxCodec *codec = &plan->base.codec;

  return codec->format.sample == FX_SAMPLE_U8 && fx_codec_get_magnification (codec) <= 20.0;
}

/* Returns whether a pixel of that strength, in pixels, stays as it is stored. */
static inline gboolean
focus_plan_keeps (const FocusPlan *plan, float strength)
{
  return plan->params.kind == FOCUS_LENS ? strength <= FOCUS_LENS_MIN : strength < FOCUS_SIGMA_MIN;
}

/* shares.c: fills shares with v of n pixels of row y from x on, in the geometry's plane; weights
 * with w, for keep-sharp. */
void focus_plan_get_shares (const FocusPlan *plan, int x, int y, int n, float *shares);
void focus_plan_get_weights (const FocusPlan *plan, int x, int y, int n, float *weights);

/* outline.c: sets outline to the lens's, for radii up to radius. */
void focus_outline_init (FocusOutline *outline, const FocusParams *params, float radius);

/* The filter's code for a CPU and, in a build with CUDA, for a GPU. */
extern const FxCpuPath focus_cpu_path, focus_lens_cpu_path;
extern const FxGpuPath focus_gpu_path, focus_lens_gpu_path;
