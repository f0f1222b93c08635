#include "matrix-operations.h"

FilterMatrix *
matrix_rotate (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (matrix->columns, matrix->rows, &values);
  int rows = matrix->rows, columns = matrix->columns;

  for (int i = 0; result && i < matrix->n_values; i++)
    values[i % columns * rows + rows - 1 - i / columns] = matrix->values[i];
  return result;
}

FilterMatrix *
matrix_mirror_horizontally (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (matrix->rows, matrix->columns, &values);
  int columns = matrix->columns;

  for (int i = 0; result && i < matrix->n_values; i++)
    values[i - i % columns + columns - 1 - i % columns] = matrix->values[i];
  return result;
}

FilterMatrix *
matrix_mirror_vertically (const FilterMatrix *matrix)
{
  double *values;
  FilterMatrix *result = filter_matrix_new_zero (matrix->rows, matrix->columns, &values);
  int columns = matrix->columns;

  for (int i = 0; result && i < matrix->n_values; i++)
    values[(matrix->rows - 1 - i / columns) * columns + i % columns] = matrix->values[i];
  return result;
}

/* Copies the matrix's values into those of result, moved down and right, as far as they fit. result
 * may be NULL. */
static void
matrix_operations_put (const FilterMatrix *result, double *values, const FilterMatrix *matrix,
                       int down, int right)
{
  for (int i = 0; result && i < matrix->n_values; i++)
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
