#include "filter-matrix.h"

#include <string.h>

FilterMatrix *
filter_matrix_new (int rows, int columns, int n_values, const double *values)
{
  gsize size = (gsize) MAX (n_values, 0) * sizeof *values;
  FilterMatrix *matrix = g_malloc (sizeof *matrix + size); /* the values follow the structure */

  *matrix = (FilterMatrix) { rows, columns, n_values, (const double *) (matrix + 1) };
  if (size > 0)
    memcpy (matrix + 1, values, size);
  return matrix;
}

FilterMatrix *
filter_matrix_copy (const FilterMatrix *matrix)
{
  return filter_matrix_new (matrix->rows, matrix->columns, matrix->n_values, matrix->values);
}

void
filter_matrix_free (FilterMatrix *matrix)
{
  g_free (matrix);
}

gboolean
filter_matrix_equal (const FilterMatrix *a, const FilterMatrix *b)
{
  int i;

  if (a->rows != b->rows || a->columns != b->columns || a->n_values != b->n_values)
    return FALSE;
  for (i = 0; i < a->n_values; i++)
    if (a->values[i] != b->values[i])
      return FALSE;
  return TRUE;
}
