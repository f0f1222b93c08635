#include "matrix-operations.h"

#include "convolve.h"

#include <math.h>

/* Takes ownership of values. */
static FilterMatrix *
matrix_operations_make (int rows, int columns, double *values)
{
  FilterMatrix *matrix = filter_matrix_new (rows, columns, rows * columns, values);

  g_free (values);
  return matrix;
}

FilterMatrix *
matrix_transpose (const FilterMatrix *matrix)
{
  double *values = g_new (double, matrix->n_values);
  int i;

  for (i = 0; i < matrix->n_values; i++)
    values[i % matrix->columns * matrix->rows + i / matrix->columns] = matrix->values[i];
  return matrix_operations_make (matrix->columns, matrix->rows, values);
}

FilterMatrix *
matrix_mirror_horizontally (const FilterMatrix *matrix)
{
  double *values = g_new (double, matrix->n_values);
  int columns = matrix->columns, i;

  for (i = 0; i < matrix->n_values; i++)
    values[i - i % columns + columns - 1 - i % columns] = matrix->values[i];
  return matrix_operations_make (matrix->rows, columns, values);
}

FilterMatrix *
matrix_mirror_vertically (const FilterMatrix *matrix)
{
  double *values = g_new (double, matrix->n_values);
  int columns = matrix->columns, i;

  for (i = 0; i < matrix->n_values; i++)
    values[(matrix->rows - 1 - i / columns) * columns + i % columns] = matrix->values[i];
  return matrix_operations_make (matrix->rows, columns, values);
}

FilterMatrix *
matrix_rotate (const FilterMatrix *matrix)
{
  g_autoptr (FilterMatrix) transposed = matrix_transpose (matrix);

  return matrix_mirror_horizontally (transposed);
}

static double
get_sum (const FilterMatrix *matrix)
{
  const ConvolveParams params = { .rows = matrix->rows,
                                  .columns = matrix->columns,
                                  .values = matrix->values };

  return convolve_params_get_sum (&params);
}

static double
matrix_operations_get_magnitude (const FilterMatrix *matrix)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < matrix->n_values; i++)
    sum += fabs (matrix->values[i]);
  return sum;
}

/* Divides each value by divisor, or by 1 if that is 0 or not finite: a sum of large values may be
 * infinite. */
static double *
divide (const FilterMatrix *matrix, double divisor)
{
  double *values = g_new (double, matrix->n_values);
  int i;

  if (divisor == 0.0 || ! isfinite (divisor))
    divisor = 1.0;
  for (i = 0; i < matrix->n_values; i++)
    values[i] = matrix->values[i] / divisor;
  return values;
}

FilterMatrix *
matrix_normalize (const FilterMatrix *matrix)
{
  double sum = get_sum (matrix);

  return matrix_operations_make (matrix->rows, matrix->columns,
                                 divide (matrix, sum != 0.0
                                                   ? sum
                                                   : matrix_operations_get_magnitude (matrix)));
}

FilterMatrix *
matrix_invert (const FilterMatrix *matrix)
{
  double *values = divide (matrix, get_sum (matrix));
  int i;

  for (i = 0; i < matrix->n_values; i++)
    values[i] = (i == matrix->n_values / 2 ? 1.0 : 0.0) - values[i];
  return matrix_operations_make (matrix->rows, matrix->columns, values);
}

/* Copies the matrix's values, moved down and right, as far as they fit. */
static void
matrix_operations_put (double *values, int rows, int columns, const FilterMatrix *matrix, int down,
                       int right)
{
  int i;

  for (i = 0; i < matrix->n_values; i++)
    {
      int row = i / matrix->columns + down, column = i % matrix->columns + right;

      if (row >= 0 && row < rows && column >= 0 && column < columns)
        values[row * columns + column] = matrix->values[i];
    }
}

FilterMatrix *
matrix_resize (const FilterMatrix *matrix, int rows, int columns)
{
  double *values = g_new0 (double, rows *columns);

  matrix_operations_put (values, rows, columns, matrix, (rows - matrix->rows) / 2,
                         (columns - matrix->columns) / 2);
  return matrix_operations_make (rows, columns, values);
}

/* Returns the odd size that holds both, but at most largest. */
static int
get_common (int size, int needed, int largest)
{
  return MIN (MAX (size, needed | 1), largest);
}

FilterMatrix *
matrix_paste (const FilterMatrix *matrix, const FilterMatrix *block, int row, int column,
              int largest)
{
  int rows = get_common (matrix->rows, row + block->rows, largest);
  int columns = get_common (matrix->columns, column + block->columns, largest);
  double *values = g_new0 (double, rows *columns);

  matrix_operations_put (values, rows, columns, matrix, 0, 0);
  matrix_operations_put (values, rows, columns, block, row, column);
  return matrix_operations_make (rows, columns, values);
}
