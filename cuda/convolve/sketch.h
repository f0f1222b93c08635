/* Finds the products of a column and a row that a matrix is the sum of. */
#ifndef CONVOLVE_SKETCH_H
#define CONVOLVE_SKETCH_H

#include "matrix.h"

G_BEGIN_DECLS

/* Fills matrix's rank and products, in a time that grows with its values. */
void convolve_matrix_sketch (ConvolveMatrix *matrix);

G_END_DECLS

#endif
