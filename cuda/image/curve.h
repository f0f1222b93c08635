/* sRGB's curve (IEC 61966-2-1), on rows of floats. */
#ifndef FX_CURVE_H
#define FX_CURVE_H

#include "codec.h"

G_BEGIN_DECLS

/* What curve does to n samples of colour on the way in, in place; and its inverse. */
G_GNUC_INTERNAL void fx_curve_apply (FxCurve curve, float *x, int n);
G_GNUC_INTERNAL void fx_curve_invert (FxCurve curve, float *x, int n);

G_END_DECLS

#endif
