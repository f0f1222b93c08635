/* Operations on whole matrices, which are pure arithmetic. Each returns a new matrix, or NULL if
 * memory runs out; free it with filter_matrix_free. */
#pragma once

#include "filter-matrix.h"

FilterMatrix *matrix_rotate (const FilterMatrix *matrix);              /* 90 degrees clockwise */
FilterMatrix *matrix_mirror_horizontally (const FilterMatrix *matrix); /* left becomes right */
FilterMatrix *matrix_mirror_vertically (const FilterMatrix *matrix);

/* Resizes the matrix around its middle: cuts values off, or adds zeros. rows and columns must be
 * odd. */
FilterMatrix *matrix_resize (const FilterMatrix *matrix, int rows, int columns);

/* Replaces the values from row and column on by those of block. Extends the matrix with zeros to
 * the next odd size that holds the block, but at most to largest rows and columns, which must be
 * odd; values that do not fit are dropped. */
FilterMatrix *matrix_paste (const FilterMatrix *matrix, const FilterMatrix *block, int row,
                            int column, int largest);
