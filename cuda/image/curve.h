/* Tone reproduction curves, on rows of floats. */
#ifndef FX_CURVE_H
#define FX_CURVE_H

#include "codec.h"

G_BEGIN_DECLS

/* What curve, by trc, does to n samples of colour on the way in, in place; and its inverse. */
G_GNUC_INTERNAL void fx_curve_apply (FxCurve curve, const FxTrc *trc, float *x, int n);
G_GNUC_INTERNAL void fx_curve_invert (FxCurve curve, const FxTrc *trc, float *x, int n);

/* How steep the way from light to samples is at the most, from black to white; by steps of step, or
 * 0: anywhere. */
G_GNUC_INTERNAL double fx_trc_get_steepest (const FxTrc *trc, double step);

G_END_DECLS

#endif
