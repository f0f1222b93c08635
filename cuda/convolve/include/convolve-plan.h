/* What a plan of the convolution has beyond the head that all have. */
#ifndef CONVOLVE_PLAN_H
#define CONVOLVE_PLAN_H

#include "convolve.h"
#include "matrix.h"

G_BEGIN_DECLS

typedef struct {
  FxPlan base;
  ConvolveParams params; /* its values are the plan's own */
  ConvolveMatrix matrix; /* divided by the divisor */

  /* The alpha plane has this matrix where it is only to weigh colour, and the other one has values
   * of both signs; NULL: the same. */
  ConvolveMatrix *weights;

  gboolean weighs;               /* colour is divided by the alpha plane's result, */
  float gain;                    /* and multiplied by this */
  float offset[FX_CHANNELS_MAX]; /* one a channel, added last */
  guint written;                 /* the channels that are: bit 0 is the first one */

  GOnce specialised; /* the matrix as source text, which can be long, once the GPU wants it */
} ConvolvePlan;

static inline const ConvolvePlan *
convolve_plan_get (const FxPlan *plan)
{
  return (const ConvolvePlan *) plan;
}

/* Whether all channels of the image are written. */
static inline gboolean
convolve_plan_writes_all (const ConvolvePlan *plan)
{
  return plan->written == (1u << plan->base.codec.format.channels) - 1;
}

G_END_DECLS

#endif
