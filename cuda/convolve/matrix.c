/* The products of a matrix are found by elimination: that of the row and the column through the
 * largest value is taken off, then that of what is left, and so on (Golub and Van Loan, Matrix
 * Computations, 3.4: complete pivoting). */
#include "matrix.h"

#include "vector.h"

#include <math.h>
#include <string.h>

/* Relative to the sum of the weights' magnitudes, the error that products may leave. */
#define TOLERANCE 2e-7

/* Rows that are looked at first: if they alone take too many products, so does the matrix. */
#define SAMPLES 16

/* The box. */

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

/* The products. */

/* Returns the sum of n magnitudes. Raises largest to the largest of them. */
FX_VECTORISED static double
sum_magnitudes (const double *values, int n, double *largest)
{
  double sums[8] = { 0.0 }, most[8] = { 0.0 }, sum = 0.0;
  int i, k;

  for (i = 0; i + 8 <= n; i += 8)
    for (k = 0; k < 8; k++)
      {
        sums[k] += fabs (values[i + k]);
        most[k] = fabs (values[i + k]) > most[k] ? fabs (values[i + k]) : most[k];
      }
  for (; i < n; i++)
    {
      sum += fabs (values[i]);
      *largest = MAX (*largest, fabs (values[i]));
    }
  for (k = 0; k < 8; k++)
    {
      sum += sums[k];
      *largest = MAX (*largest, most[k]);
    }
  return sum;
}

FX_VECTORISED static void
subtract_row (double *restrict row, const double *restrict other, int n, double factor)
{
  int i;

  for (i = 0; i < n; i++)
    row[i] -= factor * other[i];
}

/* Rows, of which products are taken off. */
typedef struct {
  double *values;
  int rows, columns;
} Rest;

/* Returns the sum of magnitudes, and sets the place of the largest one. */
static double
find_pivot (const Rest *rest, int *row, int *column)
{
  double sum = 0.0, largest = 0.0;
  int j;

  *row = *column = 0;
  for (j = 0; j < rest->rows; j++)
    {
      double before = largest;

      sum += sum_magnitudes (rest->values + (gsize) j * rest->columns, rest->columns, &largest);
      if (largest > before)
        *row = j;
    }
  while (*column < rest->columns - 1 &&
         fabs (rest->values[(gsize) *row * rest->columns + *column]) < largest)
    ++*column;
  return sum;
}

/* Takes off the product of the column and the row through a value. Both are scaled by the value's
 * root. */
static void
take_product (const Rest *rest, int row, int column, float *along_y, float *along_x)
{
  double *pivots = rest->values + (gsize) row * rest->columns, pivot = pivots[column];
  double root = sqrt (fabs (pivot));
  int j, i;

  for (i = 0; i < rest->columns; i++)
    along_x[i] = (float) (pivots[i] * root / pivot);
  for (j = 0; j < rest->rows; j++)
    {
      double *values = rest->values + (gsize) j * rest->columns;

      along_y[j] = (float) (values[column] / root);
      if (j != row)
        subtract_row (values, pivots, rest->columns, values[column] / pivot);
    }
  memset (pivots, 0, rest->columns * sizeof *pivots);
}

/* Takes products off until less than some sum of magnitudes is left. Returns how many,
 * CONVOLVE_PRODUCTS_MAX + 1 if they are not enough. */
static int
take_products (const Rest *rest, double least, float *along_y, float *along_x)
{
  int n, row, column;

  for (n = 0; find_pivot (rest, &row, &column) > least; n++)
    {
      if (n == CONVOLVE_PRODUCTS_MAX)
        return n + 1;
      take_product (rest, row, column, along_y + (gsize) n * rest->rows,
                    along_x + (gsize) n * rest->columns);
    }
  return n;
}

/* Returns rows of the box, divided by the divisor: all, or fewer that do not mirror each other. */
static double *
divide_rows (const ConvolveMatrix *matrix, const double *values, int rows, int columns,
             double divisor, int n)
{
  double *quotients = g_try_new (double, n * matrix->columns), *next = quotients;
  int apart = matrix->rows / n, j, i;

  for (j = 0; j < n && quotients; j++)
    {
      const double *row = find_row (matrix, values, rows, columns, j * apart + 7 * j % apart);

      for (i = 0; i < matrix->columns; i++)
        *next++ = row[i] / divisor;
    }
  return quotients;
}

static gboolean
init_products (ConvolveMatrix *matrix, const double *values, int rows, int columns, double divisor)
{
  const int counts[] = { MIN (SAMPLES, matrix->rows), matrix->rows };
  int n;

  matrix->along_y = g_new (float, CONVOLVE_PRODUCTS_MAX * matrix->rows);
  matrix->along_x = g_new (float, CONVOLVE_PRODUCTS_MAX * matrix->columns);
  for (n = 0; n < 2 && matrix->taps > 0 && matrix->rank <= CONVOLVE_PRODUCTS_MAX; n++)
    {
      g_autofree double *quotients = divide_rows (matrix, values, rows, columns, divisor,
                                                  counts[n]);
      const Rest rest = { quotients, counts[n], matrix->columns };

      if (! quotients)
        return FALSE;
      matrix->rank = take_products (&rest, TOLERANCE * matrix->magnitude, matrix->along_y,
                                    matrix->along_x);
    }
  if (matrix->rank > CONVOLVE_PRODUCTS_MAX)
    {
      g_clear_pointer (&matrix->along_y, g_free);
      g_clear_pointer (&matrix->along_x, g_free);
    }
  return TRUE;
}

/* The matrix. */

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
  return cut_box (matrix, values, rows, columns, divisor) &&
         init_products (matrix, values, rows, columns, divisor);
}

void
convolve_matrix_clear (ConvolveMatrix *matrix)
{
  g_free (matrix->weights);
  g_free (matrix->along_y);
  g_free (matrix->along_x);
}
