/* Results halfway between two levels of 8 bits, which are to round up. */
#ifndef CONVOLVE_HALVES_H
#define CONVOLVE_HALVES_H

#include "convolve.h"

G_BEGIN_DECLS

/* Returns what to add to results of 8 bits, with this offset, so that halves round up by every
 * path. If the values and the divisor are whole, so are the results times the divisor, but for the
 * offset's part. If halves are among them, half that distance between two results takes a half as
 * far as possible from where rounding changes, and no other result beyond it. Returns 0 if
 * there are no halves, and at most so many levels. */
double convolve_get_bias (const ConvolveParams *params, double divisor, double offset, double most);

G_END_DECLS

#endif
