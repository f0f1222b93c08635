#include "matrix-operations.h"

#include "convolve.h"

#include <math.h>

FilterMatrix *
matrix_transpose (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (matrix->columns, matrix->rows, &values);
  int i;

  for (i = 0; result && i < matrix->n_values; i++)
    values[i % matrix->columns * matrix->rows + i / matrix->columns] = matrix->values[i];
  return result;
}

FilterMatrix *
matrix_mirror_horizontally (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (matrix->rows, matrix->columns, &values);
  int columns = matrix->columns, i;

  for (i = 0; result && i < matrix->n_values; i++)
    values[i - i % columns + columns - 1 - i % columns] = matrix->values[i];
  return result;
}

FilterMatrix *
matrix_mirror_vertically (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (matrix->rows, matrix->columns, &values);
  int columns = matrix->columns, i;

  for (i = 0; result && i < matrix->n_values; i++)
    values[(matrix->rows - 1 - i / columns) * columns + i % columns] = matrix->values[i];
  return result;
}

FilterMatrix *
matrix_rotate (const FilterMatrix *matrix)
{
  g_autoptr (FilterMatrix) transposed = matrix_transpose (matrix);

  return transposed ? matrix_mirror_horizontally (transposed) : NULL;
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
get_magnitude (const FilterMatrix *matrix)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < matrix->n_values; i++)
    sum += fabs (matrix->values[i]);
  return sum;
}

/* Divides each value by divisor, or by 1 if that is 0 or not finite: a sum of large values may be
 * infinite. Sets values to those of the result. */
static FilterMatrix *
divide (const FilterMatrix *matrix, double divisor, double **values)
{
  FilterMatrix *result = filter_matrix_new_zero (matrix->rows, matrix->columns, values);
  int i;

  if (divisor == 0.0 || ! isfinite (divisor))
    divisor = 1.0;
  for (i = 0; result && i < matrix->n_values; i++)
    (*values)[i] = matrix->values[i] / divisor;
  return result;
}

FilterMatrix *
matrix_normalize (const FilterMatrix *matrix)
{
  double sum = get_sum (matrix), *values;

  return divide (matrix, sum != 0.0 ? sum : get_magnitude (matrix), &values);
}

FilterMatrix *
matrix_invert (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = divide (matrix, get_sum (matrix), &values);
  int i;

  for (i = 0; result && i < matrix->n_values; i++)
    values[i] = (i == matrix->n_values / 2 ? 1.0 : 0.0) - values[i];
  return result;
}

/* Copies the matrix's values into those of result, moved down and right, as far as they fit. result
 * may be NULL. */
static void
matrix_operations_put (const FilterMatrix *result, double *values, const FilterMatrix *matrix,
                       int down, int right)
{
  int i;

  for (i = 0; result && i < matrix->n_values; i++)
    {
      int row = i / matrix->columns + down, column = i % matrix->columns + right;

      if (row >= 0 && row < result->rows && column >= 0 && column < result->columns)
        values[row * result->columns + column] = matrix->values[i];
    }
}

FilterMatrix *
matrix_resize (const FilterMatrix *matrix, int rows, int columns)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (rows, columns, &values);

  matrix_operations_put (result, values, matrix, (rows - matrix->rows) / 2,
                         (columns - matrix->columns) / 2);
  return result;
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
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (rows, columns, &values);

  matrix_operations_put (result, values, matrix, 0, 0);
  matrix_operations_put (result, values, block, row, column);
  return result;
}
