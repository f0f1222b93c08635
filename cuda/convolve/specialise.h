/* A matrix's sums as source text, which has each tap that is not 0, and no other. */
#ifndef CONVOLVE_SPECIALISE_H
#define CONVOLVE_SPECIALISE_H

#include "matrix.h"

G_BEGIN_DECLS

/* Whether that is faster than the generic program, and compiled soon. */
gboolean convolve_is_worth_specialising (const ConvolveMatrix *matrix);

/* Appends the constants ROWS, COLUMNS and TAPS of kernels/direct.cu, for runs of so many rows. */
void convolve_define_taps (const ConvolveMatrix *matrix, int run, GString *text);

G_END_DECLS

#endif
