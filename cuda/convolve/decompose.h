/* Decomposes a matrix into a sum of products of a column and a row. */
#ifndef CONVOLVE_DECOMPOSE_H
#define CONVOLVE_DECOMPOSE_H

#include "matrix.h"

G_BEGIN_DECLS

/* Fills matrix's rank and products. box is its weights in double precision. Takes a time that grows
 * with the third power of its size. */
void convolve_matrix_decompose (ConvolveMatrix *matrix, const double *box);

/* The same for a large matrix, in a time that grows with its values: a rank above
 * CONVOLVE_PRODUCTS_MAX counts as CONVOLVE_PRODUCTS_MAX + 1. */
void convolve_matrix_sketch (ConvolveMatrix *matrix);

G_END_DECLS

#endif
