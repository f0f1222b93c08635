/* Decomposes a matrix into a sum of products of a column and a row. */
#ifndef CONVOLVE_DECOMPOSE_H
#define CONVOLVE_DECOMPOSE_H

#include "matrix.h"

G_BEGIN_DECLS

/* Fills matrix's rank and products. box is its weights in double precision. */
void convolve_matrix_decompose (ConvolveMatrix *matrix, const double *box);

G_END_DECLS

#endif
