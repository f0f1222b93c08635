/* The convolution of convolve.h in double precision, straight from its definition and with no code
 * of the engine's: slow, and what the engine is measured by. Values as reference.h has them. */
#ifndef CORRELATION_H
#define CORRELATION_H

#include "convolve.h"

G_BEGIN_DECLS

/* Of an image of width x height pixels of format. Unrounded, but clamped where integers are; a
 * channel that is not asked for is as it was. Free it with g_free. */
double *correlation_new (const ConvolveParams *params, const FxFormat *format, int width,
                         int height, const double *source);

/* The sum of |values / divisor|, at least 1: by which the errors that are allowed to floats are
 * multiplied. */
double correlation_get_gain (const ConvolveParams *params);

G_END_DECLS

#endif
