/* Products are found by Gaussian elimination with complete pivoting: the product of the row and the
 * column through the largest value is subtracted, then that of the remainder, and so on (Golub and
 * Van Loan, Matrix Computations, 3.4). */
#include "matrix.h"

#include "vector.h"

#include <math.h>
#include <string.h>

/* The error of products, relative to the sum of the weights' magnitudes. */
#define TOLERANCE 2e-7

/* The box. */

/* Returns whether n values, stride apart, are all 0: a row, or a column if stride is the length of
 * a row. */
static gboolean
is_empty (const double *values, int n, int stride)
{
  for (int i = 0; i < n; i++)
    if (values[i * stride] != 0.0)
      return FALSE;
  return TRUE;
}

/* Finds the box of the values other than 0; a single one if all are 0. */
static void
find_box (ConvolveMatrix *matrix, const double *values, int rows, int columns)
{
  int top = 0, left = 0, bottom = rows - 1, right = columns - 1;
  const double *first;

  while (top < rows && is_empty (values + top * columns, columns, 1))
    top++;
  if (top == rows)
    {
      *matrix = (ConvolveMatrix) { .rows = 1, .columns = 1 };
      return;
    }
  while (is_empty (values + bottom * columns, columns, 1))
    bottom--;
  first = values + top * columns;
  while (is_empty (first + left, bottom - top + 1, columns))
    left++;
  while (is_empty (first + right, bottom - top + 1, columns))
    right--;
  *matrix = (ConvolveMatrix) {
    .rows = bottom - top + 1,
    .columns = right - left + 1,
    .top = top - rows / 2,
    .left = left - columns / 2,
  };
}

/* Returns the box, divided by the divisor; NULL if memory runs out. */
static double *
divide_box (const ConvolveMatrix *matrix, const double *values, int rows, int columns,
            double divisor)
{
  double *quotients = g_try_new (double, matrix->rows * matrix->columns), *next = quotients;

  values += (matrix->top + rows / 2) * columns + matrix->left + columns / 2;
  for (int j = 0; j < matrix->rows && quotients; j++, values += columns)
    for (int i = 0; i < matrix->columns; i++)
      *next++ = values[i] / divisor;
  return quotients;
}

/* Adds a row of weights to the matrix's statistics. */
FX_VECTORISED static void
count_row (ConvolveMatrix *matrix, const float *weights)
{
  double magnitude = 0.0, squares = 0.0;
  int columns = matrix->columns, taps = 0, i;

#pragma omp simd reduction(+ : taps, magnitude, squares)
  for (i = 0; i < columns; i++)
    {
      taps += weights[i] != 0.0f;
      magnitude += fabsf (weights[i]);
      squares += (double) weights[i] * weights[i];
    }
  matrix->taps += taps;
  matrix->magnitude += magnitude;
  matrix->squares += squares;
}

static gboolean
init_weights (ConvolveMatrix *matrix, const double *quotients)
{
  int n = matrix->rows * matrix->columns, i;

  matrix->weights = g_try_new (float, n);
  if (! matrix->weights)
    return FALSE;
  for (i = 0; i < n; i++)
    matrix->weights[i] = (float) quotients[i];
  for (i = 0; i < n; i += matrix->columns)
    count_row (matrix, matrix->weights + i);
  return TRUE;
}

/* The products. */

/* Returns the sum of n magnitudes. Raises largest to the largest of them. */
FX_VECTORISED static double
sum_magnitudes (const double *values, int n, double *largest)
{
  double sum = 0.0, most = *largest;

#pragma omp simd reduction(+ : sum) reduction(max : most)
  for (int i = 0; i < n; i++)
    {
      double magnitude = fabs (values[i]);

      sum += magnitude;
      most = magnitude > most ? magnitude : most;
    }
  *largest = most;
  return sum;
}

FX_VECTORISED static void
subtract_row (double *restrict row, const double *restrict other, int n, double factor)
{
  for (int i = 0; i < n; i++)
    row[i] -= factor * other[i];
}

/* The remainder of the box, from which products are subtracted. */
typedef struct {
  double *values;
  int rows, columns;
} Residual;

/* Returns the sum of magnitudes, and sets row and column to the place of the largest. */
static double
find_pivot (const Residual *residual, int *row, int *column)
{
  double sum = 0.0, largest = 0.0;

  *row = *column = 0;
  for (int j = 0; j < residual->rows; j++)
    {
      double before = largest;

      sum += sum_magnitudes (residual->values + (gsize) j * residual->columns, residual->columns,
                             &largest);
      if (largest > before)
        *row = j;
    }
  while (*column < residual->columns - 1 &&
         fabs (residual->values[(gsize) *row * residual->columns + *column]) < largest)
    ++*column;
  return sum;
}

/* Subtracts the product of the column and the row through a value, each scaled by the root of the
 * value. */
static void
subtract_product (const Residual *residual, int row, int column, float *along_y, float *along_x)
{
  double *pivots = residual->values + (gsize) row * residual->columns, pivot = pivots[column];
  double root = sqrt (fabs (pivot));

  for (int i = 0; i < residual->columns; i++)
    along_x[i] = (float) (pivots[i] * root / pivot);
  for (int j = 0; j < residual->rows; j++)
    {
      double *values = residual->values + (gsize) j * residual->columns;

      along_y[j] = (float) (values[column] / root);
      if (j != row)
        subtract_row (values, pivots, residual->columns, values[column] / pivot);
    }
  memset (pivots, 0, residual->columns * sizeof *pivots);
}

/* Subtracts products until the sum of magnitudes is at most least. Returns their number, or
 * CONVOLVE_PRODUCTS_MAX + 1 if those do not suffice. */
static int
subtract_products (const Residual *residual, double least, float *along_y, float *along_x)
{
  int n, row, column;

  for (n = 0; find_pivot (residual, &row, &column) > least; n++)
    {
      if (n == CONVOLVE_PRODUCTS_MAX)
        return n + 1;
      subtract_product (residual, row, column, along_y + (gsize) n * residual->rows,
                        along_x + (gsize) n * residual->columns);
    }
  return n;
}

/* Overwrites the quotients. */
static void
init_products (ConvolveMatrix *matrix, double *quotients)
{
  const Residual residual = { quotients, matrix->rows, matrix->columns };

  matrix->along_y = g_new (float, CONVOLVE_PRODUCTS_MAX * matrix->rows);
  matrix->along_x = g_new (float, CONVOLVE_PRODUCTS_MAX * matrix->columns);
  if (matrix->taps > 0)
    matrix->rank = subtract_products (&residual, TOLERANCE * matrix->magnitude, matrix->along_y,
                                      matrix->along_x);
  if (matrix->rank > CONVOLVE_PRODUCTS_MAX)
    {
      g_clear_pointer (&matrix->along_y, g_free);
      g_clear_pointer (&matrix->along_x, g_free);
    }
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
  g_autofree double *quotients = NULL;

  find_box (matrix, values, rows, columns);
  quotients = divide_box (matrix, values, rows, columns, divisor);
  if (! quotients || ! init_weights (matrix, quotients))
    return FALSE;
  init_products (matrix, quotients);
  return TRUE;
}

int
convolve_matrix_choose_products (const ConvolveMatrix *matrix, double fixed, double each,
                                 double *cost)
{
  double products = matrix->rank * (fixed + each * (matrix->rows + matrix->columns));
  gboolean cheaper = matrix->rank <= CONVOLVE_PRODUCTS_MAX && products < matrix->taps;

  *cost = cheaper ? products : matrix->taps;
  return cheaper ? matrix->rank : 0;
}

void
convolve_matrix_clear (ConvolveMatrix *matrix)
{
  g_free (matrix->weights);
  g_free (matrix->along_y);
  g_free (matrix->along_x);
}
