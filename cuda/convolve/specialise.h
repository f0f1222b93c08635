/* Generates a matrix's sums as source text that contains each tap other than 0, and no other. */
#ifndef CONVOLVE_SPECIALISE_H
#define CONVOLVE_SPECIALISE_H

#include "matrix.h"

G_BEGIN_DECLS

#define CONVOLVE_SPECIALISED_RUN 8 /* rows of the result per thread */

/* Multiplications per sample. More would take over half a second to compile; for a dense 21x21
 * matrix the generic program is as fast. */
#define CONVOLVE_SPECIALISED_TAPS 225

/* Returns whether the taps of a small matrix can be compiled in: columns that are alike count once.
 */
gboolean convolve_can_specialise (const ConvolveMatrix *matrix);

/* Returns the constants ROWS, COLUMNS and TAPS of kernels/direct.cu; free them with g_free. Returns
 * NULL if their compilation would take long and the generic program is about as fast. */
char *convolve_specialise (const ConvolveMatrix *matrix);

G_END_DECLS

#endif
