#include "sketch.h"

#include "vector.h"

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
is_column_empty (const double *values, int columns, int top, int bottom, int column)
{
  int j;

  for (j = top; j <= bottom; j++)
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
  while (is_column_empty (values, columns, top, bottom, left))
    left++;
  while (is_column_empty (values, columns, top, bottom, right))
    right--;
  *matrix = (ConvolveMatrix) {
    .rows = bottom - top + 1,
    .columns = right - left + 1,
    .top = top - rows / 2,
    .left = left - columns / 2,
  };
}

/* Returns the first value of a row of the box. */
static const double *
find_row (const ConvolveMatrix *matrix, const double *values, int rows, int columns, int row)
{
  return values + (row + matrix->top + rows / 2) * columns + matrix->left + columns / 2;
}

/* Adds a row of weights to what matrix counts, in sums that do not wait for each other. */
FX_VECTORISED static void
count_row (ConvolveMatrix *matrix, const float *weights)
{
  double sums[8] = { 0.0 }, squares[8] = { 0.0 };
  int taps = 0, i, k;

  for (i = 0; i + 8 <= matrix->columns; i += 8)
    for (k = 0; k < 8; k++)
      {
        taps += weights[i + k] != 0.0f;
        sums[k] += fabsf (weights[i + k]);
        squares[k] += (double) weights[i + k] * weights[i + k];
      }
  for (; i < matrix->columns; i++)
    {
      taps += weights[i] != 0.0f;
      sums[0] += fabsf (weights[i]);
      squares[0] += (double) weights[i] * weights[i];
    }
  for (k = 0; k < 8; k++)
    {
      matrix->magnitude += sums[k];
      matrix->squares += squares[k];
    }
  matrix->taps += taps;
}

FX_VECTORISED static void
divide_row (const double *restrict values, int n, double divisor, float *restrict weights)
{
  int i;

  for (i = 0; i < n; i++)
    weights[i] = (float) (values[i] / divisor);
}

static gboolean
cut_box (ConvolveMatrix *matrix, const double *values, int rows, int columns, double divisor)
{
  int j;

  matrix->weights = g_try_new (float, matrix->rows * matrix->columns);
  if (! matrix->weights)
    return FALSE;
  for (j = 0; j < matrix->rows; j++)
    {
      float *weights = matrix->weights + j * matrix->columns;

      divide_row (find_row (matrix, values, rows, columns, j), matrix->columns, divisor, weights);
      count_row (matrix, weights);
    }
  return TRUE;
}

gboolean
convolve_matrix_is_large (const ConvolveMatrix *matrix)
{
  return MAX (matrix->rows, matrix->columns) > CONVOLVE_SMALL_MAX;
}

gboolean
convolve_matrix_init (ConvolveMatrix *matrix, const double *values, int rows, int columns,
                      double divisor)
{
  find_box (matrix, values, rows, columns);
  if (! cut_box (matrix, values, rows, columns, divisor))
    return FALSE;
  convolve_matrix_sketch (matrix);
  return TRUE;
}

void
convolve_matrix_clear (ConvolveMatrix *matrix)
{
  g_free (matrix->weights);
  g_free (matrix->along_y);
  g_free (matrix->along_x);
}
