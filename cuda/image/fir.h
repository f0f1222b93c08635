/* The FIRs of rows.h for each kind of vector unit. */
#pragma once

#include "rows.h"
#include "vector.h"

typedef struct {
  void (*convolve_column) (const float (*in)[FX_COLUMN], const float *weights, int taps, int count,
                           float *out, gsize pitch);
  void (*convolve_row) (const float *in, int step, const float *weights, int taps, gsize n,
                        float *out, gsize pitch);
} FxFir;

/* Returns the FIRs for unit, which this processor must have. */
G_GNUC_INTERNAL const FxFir *fx_fir_get (FxVectorUnit unit);
