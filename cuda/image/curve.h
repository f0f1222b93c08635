/* Applies tone reproduction curves to rows of floats. */
#pragma once

#include "codec.h"

/* Apply curve, with the coefficients of trc, to n samples of colour in place, as decoding does, and
 * its inverse, as encoding does. */
G_GNUC_INTERNAL void fx_curve_apply (FxCurve curve, const FxTrc *trc, float *x, int n);
G_GNUC_INTERNAL void fx_curve_invert (FxCurve curve, const FxTrc *trc, float *x, int n);

/* Returns the steepest slope from light to samples between black and white. Integer samples are
 * step apart; step 0 stands for floating point. */
G_GNUC_INTERNAL double fx_trc_get_steepest (const FxTrc *trc, double step);

/* Returns an upper bound of the slope from samples to light between black and white. */
G_GNUC_INTERNAL double fx_trc_get_steepest_light (const FxTrc *trc);
