/* The alphas that count as 0 or 1 when colour is divided by alpha. */
#pragma once

/* Below this alpha, colour is undetermined and the division would overflow. */
#define FX_ALPHA_MIN 1e-30f

/* Alpha that differs from 1 by less than this counts as 1. The sum of a FIR's weights is 1 except
 * for rounding, and opaque layers should not need the division. */
#define FX_ALPHA_ROUNDING 0x1p-20f
