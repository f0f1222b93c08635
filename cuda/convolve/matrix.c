#include "decompose.h"

#include <math.h>

static gboolean
is_row_empty (const double *values, int columns, int row)
{
  int i;

  for (i = 0; i < columns; i++)
    if (values[row * columns + i] != 0.0)
      return FALSE;
  return TRUE;
}

static gboolean
is_column_empty (const double *values, int rows, int columns, int column)
{
  int j;

  for (j = 0; j < rows; j++)
    if (values[j * columns + column] != 0.0)
      return FALSE;
  return TRUE;
}

/* A single weight of 0 if there is no other. */
static void
find_box (ConvolveMatrix *matrix, const double *values, int rows, int columns)
{
  int top = 0, left = 0, bottom = rows - 1, right = columns - 1;

  while (top < rows && is_row_empty (values, columns, top))
    top++;
  if (top == rows)
    {
      *matrix = (ConvolveMatrix) { .rows = 1, .columns = 1 };
      return;
    }
  while (is_row_empty (values, columns, bottom))
    bottom--;
  while (is_column_empty (values, rows, columns, left))
    left++;
  while (is_column_empty (values, rows, columns, right))
    right--;
  *matrix = (ConvolveMatrix) {
    .rows = bottom - top + 1,
    .columns = right - left + 1,
    .top = top - rows / 2,
    .left = left - columns / 2,
  };
}

/* Fills matrix's weights, and returns the box in double precision. */
static double *
cut_box (ConvolveMatrix *matrix, const double *values, int rows, int columns, double divisor)
{
  int n = matrix->rows * matrix->columns, i;
  double *box = g_new (double, n);

  matrix->weights = g_new (float, n);
  for (i = 0; i < n; i++)
    {
      int row = i / matrix->columns + matrix->top + rows / 2;
      int column = i % matrix->columns + matrix->left + columns / 2;

      box[i] = values[row * columns + column] / divisor;
      matrix->weights[i] = (float) box[i];
      matrix->taps += matrix->weights[i] != 0.0f;
      matrix->magnitude += fabsf (matrix->weights[i]);
      if (matrix->weights[i] == 0.0f)
        box[i] = 0.0; /* squares of smaller values may underflow */
    }
  return box;
}

void
convolve_matrix_init (ConvolveMatrix *matrix, const double *values, int rows, int columns,
                      double divisor)
{
  g_autofree double *box = NULL;

  find_box (matrix, values, rows, columns);
  box = cut_box (matrix, values, rows, columns, divisor);
  convolve_matrix_decompose (matrix, box);
}

void
convolve_matrix_clear (ConvolveMatrix *matrix)
{
  g_free (matrix->weights);
  g_free (matrix->along_y);
  g_free (matrix->along_x);
}

int
convolve_matrix_choose_products (const ConvolveMatrix *matrix, double each, double times)
{
  double product = each + times * (matrix->rows + matrix->columns);

  if (matrix->rank > CONVOLVE_PRODUCTS_MAX || matrix->rank * product >= matrix->taps)
    return 0;
  return matrix->rank;
}
