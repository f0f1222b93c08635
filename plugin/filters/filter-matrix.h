/* A matrix, the value of a property of that type. */
#ifndef FILTER_MATRIX_H
#define FILTER_MATRIX_H

#include <glib.h>

G_BEGIN_DECLS

/* n_values is rows times columns, but where a caller's mistake has not been refused yet. */
typedef struct {
  int rows, columns, n_values;
  const double *values; /* row by row */
} FilterMatrix;

/* values: n_values of them, copied; n_values may be less than 0, for none. Free it with
 * filter_matrix_free. */
FilterMatrix *filter_matrix_new (int rows, int columns, int n_values, const double *values);
FilterMatrix *filter_matrix_copy (const FilterMatrix *matrix);
void filter_matrix_free (FilterMatrix *matrix); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilterMatrix, filter_matrix_free)

/* To the bit, but for the sign of 0. */
gboolean filter_matrix_equal (const FilterMatrix *a, const FilterMatrix *b);

G_END_DECLS

#endif
