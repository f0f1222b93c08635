/* Which alphas are 0 or 1 when colour is divided by them. */
#pragma once

/* Below this alpha, colour is undetermined and the division would overflow. */
#define FX_ALPHA_MIN 1e-30f

/* Alpha that is nearer to 1 is 1: a FIR's weights sum to 1 only to rounding, and an opaque layer
 * must not pay for the division. */
#define FX_ALPHA_ROUNDING 0x1p-20f
