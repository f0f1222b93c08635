/* A matrix: the value of a property of type FILTER_MATRIX. It never changes, so that those who have
 * it share it, on any thread. */
#pragma once

#include <glib.h>

/* n_values is rows times columns, unless the caller made a mistake that is not refused yet. */
typedef struct {
  int rows, columns, n_values;
  const double *values; /* row by row */
  gint references;      /* atomic; 0: the matrix is static */
} FilterMatrix;

/* Creates a matrix with a copy of n_values values. A negative n_values means none. Returns NULL if
 * memory runs out; free the matrix with filter_matrix_free. */
FilterMatrix *filter_matrix_new (int rows, int columns, int n_values, const double *values);

/* Creates a matrix of zeros. Its values may be changed until somebody else has it. Returns NULL if
 * memory runs out; free the matrix with filter_matrix_free. */
FilterMatrix *filter_matrix_new_zero (int rows, int columns, double **values);

/* Adds a reference and returns matrix; filter_matrix_free drops one. A static matrix has none. */
FilterMatrix *filter_matrix_ref (const FilterMatrix *matrix);
void filter_matrix_free (FilterMatrix *matrix); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FilterMatrix, filter_matrix_free)

/* Returns whether both have the same size and exactly the same values; 0 equals -0. */
gboolean filter_matrix_equal (const FilterMatrix *a, const FilterMatrix *b);

/* Returns FALSE with FX_ERROR_ARGUMENT: n_values are not as many as the matrix needs. */
gboolean filter_matrix_refuse_count (int n_values, int rows, int columns, GError **error);
