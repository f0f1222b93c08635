/* The convolution of convolve.h in double precision, straight from its definition and with no code
 * of the engine's: slow, and what the engine is measured by. Values as reference.h has them. */
#ifndef CORRELATION_H
#define CORRELATION_H

#include "convolve.h"
#include "rect.h"

G_BEGIN_DECLS

/* What a sample may be: value, unrounded, where arithmetic were exact, and the lowest and the
 * highest that the rounding of single precision can make of it before it is stored. */
typedef struct {
  double value, low, high;
} Correlation;

/* region's samples, of an image of width x height pixels of format; not clamped. A channel that is
 * not written is as it was. Free them with g_free. */
Correlation *correlation_new (const ConvolveParams *params, const FxFormat *format, int width,
                              int height, const FxRect *region, const double *source);

/* The values of the whole image alone, clamped where integers are. Free them with g_free. */
double *correlation_get_values (const ConvolveParams *params, const FxFormat *format, int width,
                                int height, const double *source);

/* The sum of |values / divisor|, at least 1: by which the errors that are allowed to floats are
 * multiplied. */
double correlation_get_gain (const ConvolveParams *params);

/* Whether a channel of format is written. */
gboolean correlation_writes (const ConvolveParams *params, const FxFormat *format, int channel);

G_END_DECLS

#endif
