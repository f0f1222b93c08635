/* A plan of the convolution: the common part of all plans and its own data. */
#ifndef CONVOLVE_PLAN_H
#define CONVOLVE_PLAN_H

#include "convolve.h"
#include "matrix.h"

G_BEGIN_DECLS

/* How a GPU computes the sums. */
typedef enum {
  CONVOLVE_PATH_CHEAPEST, /* which may be products */
  CONVOLVE_PATH_TAPS,
  CONVOLVE_PATH_FFT, /* if that is exact enough, else the taps */
} ConvolvePath;

/* Choices of tests and measurements. */
typedef struct {
  ConvolvePath path;
  int columns, rows; /* of a tile that is transformed, no less than the matrix; 0: the cheapest */
  gsize scratch;     /* bytes of the tiles of one launch; 0: the default */
} ConvolveChoice;

typedef struct {
  FxPlan base;
  ConvolveParams params; /* its values belong to the plan */
  ConvolveMatrix matrix; /* divided by the divisor */

  /* The matrix for the alpha plane, if alpha only weighs colour and the other matrix has values of
   * both signs. NULL: the same matrix. */
  ConvolveMatrix *weights;

  gboolean weighs;               /* colour is divided by the result of the alpha plane */
  float gain;                    /* and multiplied by this gain */
  float offset[FX_CHANNELS_MAX]; /* per channel, added last */
  guint written;                 /* bits of the channels to write; bit 0 is the first channel */

  /* The filter of another room, its parameters a copy, and the FxFilter in its name; all 0 if the
   * plan is the convolution's own. */
  ConvolveOwner owner;
  FxFilter owned;

  ConvolveChoice choice; /* all 0, except in tests and measurements */

  GOnce specialised; /* the matrix as source text, which can be long; created when the GPU first
                        needs it */
} ConvolvePlan;

static inline const ConvolvePlan *
convolve_plan_get (const FxPlan *plan)
{
  return (const ConvolvePlan *) plan;
}

/* Returns whether all channels of the image are written. */
static inline gboolean
convolve_plan_writes_all (const ConvolvePlan *plan)
{
  return plan->written == (1u << plan->base.codec.format.channels) - 1;
}

G_END_DECLS

#endif
