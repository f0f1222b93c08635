/* What can be done to a matrix as a whole. Pure arithmetic. Each makes a new one, to be freed with
 * filter_matrix_free. */
#ifndef MATRIX_OPERATIONS_H
#define MATRIX_OPERATIONS_H

#include "filter-matrix.h"

G_BEGIN_DECLS

FilterMatrix *matrix_transpose (const FilterMatrix *matrix);
FilterMatrix *matrix_rotate (const FilterMatrix *matrix);              /* 90 degrees clockwise */
FilterMatrix *matrix_mirror_horizontally (const FilterMatrix *matrix); /* left becomes right */
FilterMatrix *matrix_mirror_vertically (const FilterMatrix *matrix);

/* Divided by the sum of its values; where that is 0, as the engine takes it, by the sum of their
 * magnitudes; where that is 0 too, as it is. */
FilterMatrix *matrix_normalize (const FilterMatrix *matrix);

/* What the matrix takes from the image: 1 in the middle less the matrix, which is divided by its
 * sum before where that is not 0, as divisor 0 does. Of a blur it makes a high-pass filter; twice
 * it gives the matrix divided by its sum. Values of the opposite sign would be no use: divided by
 * their sum they make the same image. */
FilterMatrix *matrix_invert (const FilterMatrix *matrix);

/* The middle stays in the middle: what lies outside is cut off, what is new is 0. rows, columns:
 * odd. */
FilterMatrix *matrix_resize (const FilterMatrix *matrix, int rows, int columns);

/* The block's values in place of those from this row and column on. The matrix gets as many rows
 * and columns as that needs, of what is new the rest is 0: an odd number each, and no more than
 * largest, which is odd; what has no place then is left out. */
FilterMatrix *matrix_paste (const FilterMatrix *matrix, const FilterMatrix *block, int row,
                            int column, int largest);

G_END_DECLS

#endif
