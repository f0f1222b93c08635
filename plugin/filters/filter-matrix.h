/* A matrix: the value of a property of type FILTER_MATRIX. */
#ifndef FILTER_MATRIX_H
#define FILTER_MATRIX_H

#include <glib.h>

G_BEGIN_DECLS

/* n_values is rows times columns, unless the caller made a mistake that is not refused yet. */
typedef struct {
  int rows, columns, n_values;
  const double *values; /* row by row */
} FilterMatrix;

/* Creates a matrix with a copy of n_values values. A negative n_values means none. Never returns
 * NULL; free the matrix with filter_matrix_free. */
FilterMatrix *filter_matrix_new (int rows, int columns, int n_values, const double *values);
FilterMatrix *filter_matrix_copy (const FilterMatrix *matrix);
void filter_matrix_free (FilterMatrix *matrix); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilterMatrix, filter_matrix_free)

/* Returns whether both have the same size and exactly the same values; 0 equals -0. */
gboolean filter_matrix_equal (const FilterMatrix *a, const FilterMatrix *b);

G_END_DECLS

#endif
