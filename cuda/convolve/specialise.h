/* A matrix's sums as source text, which has each tap that is not 0, and no other. */
#ifndef CONVOLVE_SPECIALISE_H
#define CONVOLVE_SPECIALISE_H

#include "matrix.h"

G_BEGIN_DECLS

#define CONVOLVE_SPECIALISED_RUN 8 /* rows of the result that a thread makes */

/* The constants ROWS, COLUMNS and TAPS of kernels/direct.cu; free them with g_free. NULL: they
 * would not be compiled soon, and the generic program takes about as long. */
char *convolve_specialise (const ConvolveMatrix *matrix);

G_END_DECLS

#endif
