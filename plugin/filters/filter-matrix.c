#include "filter-matrix.h"

#include "error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* The values follow the structure. */
static FilterMatrix *
filter_matrix_allocate (int rows, int columns, int n_values)
{
  FilterMatrix *matrix = g_try_malloc0 (sizeof *matrix +
                                        (gsize) MAX (n_values, 0) * sizeof *matrix->values);

  if (matrix)
    *matrix = (FilterMatrix) { rows, columns, n_values, (const double *) (matrix + 1), 1 };
  return matrix;
}

FilterMatrix *
filter_matrix_new (int rows, int columns, int n_values, const double *values)
{
  FilterMatrix *matrix = filter_matrix_allocate (rows, columns, n_values);

  if (matrix && n_values > 0)
    memcpy (matrix + 1, values, (gsize) n_values * sizeof *values);
  return matrix;
}

FilterMatrix *
filter_matrix_new_zero (int rows, int columns, double **values)
{
  FilterMatrix *matrix = filter_matrix_allocate (rows, columns, rows * columns);

  *values = matrix ? (double *) (matrix + 1) : NULL;
  return matrix;
}

FilterMatrix *
filter_matrix_ref (const FilterMatrix *matrix)
{
  FilterMatrix *shared = (FilterMatrix *) matrix;

  if (g_atomic_int_get (&shared->references) > 0)
    g_atomic_int_inc (&shared->references);
  return shared;
}

void
filter_matrix_free (FilterMatrix *matrix)
{
  if (matrix && g_atomic_int_get (&matrix->references) > 0 &&
      g_atomic_int_dec_and_test (&matrix->references))
    g_free (matrix);
}

gboolean
filter_matrix_equal (const FilterMatrix *a, const FilterMatrix *b)
{
  if (a == b)
    return TRUE;
  if (a->rows != b->rows || a->columns != b->columns || a->n_values != b->n_values)
    return FALSE;
  for (int i = 0; i < a->n_values; i++)
    if (a->values[i] != b->values[i])
      return FALSE;
  return TRUE;
}

gboolean
filter_matrix_refuse_count (int n_values, int rows, int columns, GError **error)
{
  return fx_refuse (error,
                    g_dngettext (GETTEXT_PACKAGE,
                                 "There is %d value, but a matrix of %dx%d needs %d",
                                 "There are %d values, but a matrix of %dx%d needs %d",
                                 (gulong) n_values),
                    n_values, rows, columns, rows * columns);
}
