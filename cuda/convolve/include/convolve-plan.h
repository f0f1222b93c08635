/* A plan of the convolution: the common part of all plans and its own data. */
#pragma once

#include "convolve.h"
#include "matrix.h"
#include "strategy.h"

struct ConvolvePlan {
  FxPlan base;
  ConvolveParams params; /* its values belong to the plan */
  ConvolveMatrix matrix; /* divided by the divisor */

  /* The matrix for the alpha plane, if alpha only weights colour and the other matrix has values of
   * both signs. NULL: the same matrix. */
  ConvolveMatrix *alpha_matrix;

  gboolean divides_by_alpha;     /* colour is divided by the result of the alpha plane */
  float gain;                    /* and multiplied by this gain */
  float offset[FX_CHANNELS_MAX]; /* per channel, added last */
  guint written;                 /* bits of the channels to write; bit 0 is the first channel */

  /* The filter of another room, its parameters a copy, and the FxFilter in its name; all 0 if the
   * plan is the convolution's own. */
  ConvolveOwner owner;
  FxFilter owned;

  ConvolveChoice choice; /* all 0, except in tests and measurements */
  ConvolveStrategy strategy;

  GOnce specialised; /* the matrix as source text, which can be long; created when the GPU first
                        needs it */
};

static inline const ConvolvePlan *
convolve_plan_get (const FxPlan *plan)
{
  return (const ConvolvePlan *) plan;
}

extern const FxCpuPath convolve_cpu_path; /* cpu.c */

/* offset.c */

/* Sets the offset, and on 8-bit data what makes halves round up by every path. */
void convolve_plan_init_offset (ConvolvePlan *plan, double divisor);

/* Returns the planes of a GPU's tile: pairs of channels. */
static inline int
convolve_plan_get_planes (const ConvolvePlan *plan)
{
  return (plan->base.codec.format.channels + 1) / 2;
}
