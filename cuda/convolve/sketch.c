/* The products of a matrix, of which only those count that are at most CONVOLVE_PRODUCTS_MAX.
 * That there must be more is seen from some of its rows, whose singular values are at most those of
 * the matrix. Otherwise a sketch has as many more columns as make the largest singular vectors
 * exact: the range of the matrix's product with any few columns, which is multiplied by it once
 * more (Halko, Martinsson and Tropp, Finding Structure with Randomness, 2011). */
#include "sketch.h"

#include "vector.h"

#include <math.h>
#include <string.h>

#define SAMPLES 16 /* rows */
#define COLUMNS 8  /* of the sketch, more than CONVOLVE_PRODUCTS_MAX */

/* Relative to the sum of the weights' magnitudes, the error that products may leave. */
#define TOLERANCE 2e-7

/* By how much a singular value must exceed that. Squares of them are accurate to 1e-15 of the
 * largest one. */
#define MARGIN 2.0

#define SWEEPS_MAX 30
#define DIAGONAL   1e-17 /* the part of a symmetric matrix's trace that counts as 0 */

/* A column that is shorter than this part of what it was before others were taken from it is
 * nothing but rounding errors. */
#define NOTHING 1e-12

/* Symmetric matrices of n x n values. */

/* Rotates rows, or columns, a and b. */
static void
turn (double *m, int n, int a, int b, int step, double cosine, double sine)
{
  int i;

  for (i = 0; i < n; i++, m += step)
    {
      double x = m[a], y = m[b];

      m[a] = cosine * x - sine * y;
      m[b] = sine * x + cosine * y;
    }
}

/* Makes value a, b of m 0, and turns the columns of vectors as much. */
static void
clear_value (double *m, double *vectors, int n, int a, int b)
{
  double zeta = (m[b * n + b] - m[a * n + a]) / (2.0 * m[a * n + b]);
  double tangent = copysign (1.0, zeta) / (fabs (zeta) + hypot (1.0, zeta));
  double cosine = 1.0 / hypot (1.0, tangent), sine = cosine * tangent;

  turn (m, n, a, b, n, cosine, sine);
  turn (m, n, a * n, b * n, 1, cosine, sine);
  turn (vectors, n, a, b, n, cosine, sine);
}

/* Makes m diagonal by Jacobi rotations. The columns of vectors become its eigenvectors. */
static void
diagonalise (double *m, double *vectors, int n)
{
  double trace = 0.0;
  gboolean turned = TRUE;
  int sweep, a, b;

  for (a = 0; a < n * n; a++)
    vectors[a] = a % (n + 1) == 0;
  for (a = 0; a < n; a++)
    trace += m[a * n + a];
  for (sweep = 0; turned && sweep < SWEEPS_MAX; sweep++)
    for (turned = FALSE, a = 0; a < n; a++)
      for (b = a + 1; b < n; b++)
        if (fabs (m[a * n + b]) > DIAGONAL * trace)
          {
            clear_value (m, vectors, n, a, b);
            turned = TRUE;
          }
}

/* Returns the place of the k-th largest value of the diagonal, from 0 on. */
static int
find_largest (const double *m, int n, int k)
{
  int a, b;

  for (a = 0; a < n; a++)
    {
      int larger = 0;

      for (b = 0; b < n; b++)
        larger += m[b * n + b] > m[a * n + a] || (m[b * n + b] == m[a * n + a] && b < a);
      if (larger == k)
        return a;
    }
  return 0;
}

/* The screen. */

FX_VECTORISED static double
dot_rows (const float *a, const float *b, int n)
{
  double sums[8] = { 0.0 }, sum = 0.0;
  int i, k;

  for (i = 0; i + 8 <= n; i += 8)
    for (k = 0; k < 8; k++)
      sums[k] += (double) a[i + k] * b[i + k];
  for (; i < n; i++)
    sum += (double) a[i] * b[i];
  for (k = 0; k < 8; k++)
    sum += sums[k];
  return sum;
}

/* Returns whether some rows alone take more products than the most. Rows that mirror each other are
 * not taken. */
static gboolean
has_more (const ConvolveMatrix *matrix)
{
  int n = MIN (SAMPLES, matrix->rows), apart = matrix->rows / n, a, b;
  double m[SAMPLES * SAMPLES], vectors[SAMPLES * SAMPLES], least;
  const float *rows[SAMPLES];

  if (n <= CONVOLVE_PRODUCTS_MAX)
    return FALSE;
  for (a = 0; a < n; a++)
    rows[a] = matrix->weights + (gsize) (a * apart + 7 * a % apart) * matrix->columns;
  for (a = 0; a < n; a++)
    for (b = 0; b <= a; b++)
      m[a * n + b] = m[b * n + a] = dot_rows (rows[a], rows[b], matrix->columns);
  diagonalise (m, vectors, n);
  least = m[find_largest (m, n, CONVOLVE_PRODUCTS_MAX) * (n + 1)];
  return sqrt (MAX (least, 0.0)) > MARGIN * TOLERANCE * matrix->magnitude;
}

/* The sketch: COLUMNS columns for the rows of the matrix, and as many for its columns. The sum of
 * their products is the matrix, or nearly. */

typedef struct {
  const ConvolveMatrix *matrix;
  double *along_y; /* [rows][COLUMNS] */
  double *along_x; /* [columns][COLUMNS] */
  double lengths[COLUMNS];
} Sketch;

/* along_y = the matrix times along_x. */
FX_VECTORISED static void
multiply_rows (const float *weights, int rows, int columns, const double *restrict along_x,
               double *restrict along_y)
{
  int j, i, k;

  for (j = 0; j < rows; j++, weights += columns)
    {
      double sums[COLUMNS] = { 0.0 };

      for (i = 0; i < columns; i++)
        for (k = 0; k < COLUMNS; k++)
          sums[k] += weights[i] * along_x[i * COLUMNS + k];
      memcpy (along_y + (gsize) j * COLUMNS, sums, sizeof sums);
    }
}

/* along_x = the transposed matrix times along_y. */
FX_VECTORISED static void
multiply_columns (const float *weights, int rows, int columns, const double *restrict along_y,
                  double *restrict along_x)
{
  int j, i, k;

  memset (along_x, 0, (gsize) columns * COLUMNS * sizeof *along_x);
  for (j = 0; j < rows; j++, weights += columns, along_y += COLUMNS)
    for (i = 0; i < columns; i++)
      for (k = 0; k < COLUMNS; k++)
        along_x[i * COLUMNS + k] += weights[i] * along_y[k];
}

static double
dot_columns (const double *columns, int n, int a, int b)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < n; i++, columns += COLUMNS)
    sum += columns[a] * columns[b];
  return sum;
}

/* Adds factor times column b to column a. */
static void
add_column (double *columns, int n, int a, int b, double factor)
{
  int i;

  for (i = 0; i < n; i++, columns += COLUMNS)
    columns[a] += factor * columns[b];
}

/* Makes the columns orthonormal (Gram and Schmidt, twice), or 0 if nothing is left of them. */
static void
make_orthonormal (double *columns, int n)
{
  int a, b, twice;

  for (a = 0; a < COLUMNS; a++)
    {
      double before = sqrt (dot_columns (columns, n, a, a)), after;

      for (twice = 0; twice < 2; twice++)
        for (b = 0; b < a; b++)
          add_column (columns, n, a, b, -dot_columns (columns, n, a, b));
      after = sqrt (dot_columns (columns, n, a, a));
      add_column (columns, n, a, a, after > NOTHING * before ? 1.0 / after - 1.0 : -1.0);
    }
}

/* Replaces the columns by their products with a square matrix of which the columns order are taken.
 */
static void
combine (double *columns, int n, const double *square, const int *order)
{
  int i, k, l;

  for (i = 0; i < n; i++, columns += COLUMNS)
    {
      double line[COLUMNS];

      memcpy (line, columns, sizeof line);
      for (k = 0; k < COLUMNS; k++)
        for (columns[k] = 0.0, l = 0; l < COLUMNS; l++)
          columns[k] += line[l] * square[l * COLUMNS + order[k]];
    }
}

/* Makes along_y orthonormal and along_x what goes with it, each product by a singular value of the
 * sketch, the largest first. */
static void
sketch_project (Sketch *sketch)
{
  const ConvolveMatrix *matrix = sketch->matrix;
  double m[COLUMNS * COLUMNS], vectors[COLUMNS * COLUMNS];
  int order[COLUMNS], a, b;

  make_orthonormal (sketch->along_y, matrix->rows);
  multiply_columns (matrix->weights, matrix->rows, matrix->columns, sketch->along_y,
                    sketch->along_x);
  for (a = 0; a < COLUMNS; a++)
    for (b = 0; b <= a; b++)
      m[a * COLUMNS + b] = m[b * COLUMNS + a] = dot_columns (sketch->along_x, matrix->columns, a,
                                                             b);
  diagonalise (m, vectors, COLUMNS);
  for (a = 0; a < COLUMNS; a++)
    {
      order[a] = find_largest (m, COLUMNS, a);
      sketch->lengths[a] = sqrt (MAX (m[order[a] * (COLUMNS + 1)], 0.0));
    }
  combine (sketch->along_x, matrix->columns, vectors, order);
  combine (sketch->along_y, matrix->rows, vectors, order);
}

/* Columns that are as good as random, but always the same. */
static void
sketch_begin (Sketch *sketch)
{
  const ConvolveMatrix *matrix = sketch->matrix;
  guint32 state = 1;
  int i;

  for (i = 0; i < matrix->columns * COLUMNS; i++)
    {
      state = state * 1664525u + 1013904223u; /* Numerical Recipes, 7.1 */
      sketch->along_x[i] = state / 4294967296.0 - 0.5;
    }
}

/* Returns the magnitude of the matrix less its first products. */
FX_VECTORISED static double
get_rest (const float *weights, int rows, int columns, const double *restrict along_x,
          const double *restrict along_y)
{
  double rest = 0.0;
  int j, i;

  for (j = 0; j < rows; j++, weights += columns, along_y += COLUMNS)
    {
      double sum = 0.0;

      for (i = 0; i < columns; i++)
        {
          const double *x = along_x + i * COLUMNS;

          sum += fabs (weights[i] - (along_y[0] * x[0] + along_y[1] * x[1] + along_y[2] * x[2] +
                                     along_y[3] * x[3]));
        }
      rest += sum;
    }
  return rest;
}

G_STATIC_ASSERT (CONVOLVE_PRODUCTS_MAX == 4); /* as in get_rest */

/* Returns whether the first products are enough. */
static gboolean
is_enough (const Sketch *sketch, int products)
{
  const ConvolveMatrix *matrix = sketch->matrix;
  gsize n = (gsize) matrix->rows * COLUMNS, i;
  g_autofree double *along_y = g_new (double, n);

  if (sketch->lengths[products] > TOLERANCE * matrix->magnitude)
    return FALSE;
  for (i = 0; i < n; i++)
    along_y[i] = (int) (i % COLUMNS) < products ? sketch->along_y[i] : 0.0;
  return get_rest (matrix->weights, matrix->rows, matrix->columns, sketch->along_x, along_y) <=
         TOLERANCE * matrix->magnitude;
}

/* Column and row are both scaled by the root of the singular value. */
static void
sketch_store (const Sketch *sketch, ConvolveMatrix *matrix)
{
  int n, i;

  matrix->along_y = g_new (float, matrix->rank * matrix->rows);
  matrix->along_x = g_new (float, matrix->rank * matrix->columns);
  for (n = 0; n < matrix->rank; n++)
    {
      double root = sqrt (sketch->lengths[n]);

      for (i = 0; i < matrix->rows; i++)
        matrix->along_y[n * matrix->rows + i] = (float) (sketch->along_y[i * COLUMNS + n] * root);
      for (i = 0; i < matrix->columns; i++)
        matrix->along_x[n * matrix->columns + i] = (float) (sketch->along_x[i * COLUMNS + n] /
                                                            root);
    }
}

void
convolve_matrix_sketch (ConvolveMatrix *matrix)
{
  g_autofree double *along_y = g_new (double, (gsize) matrix->rows *COLUMNS);
  g_autofree double *along_x = g_new (double, (gsize) matrix->columns *COLUMNS);
  Sketch sketch = { .matrix = matrix, .along_y = along_y, .along_x = along_x };
  int pass;

  matrix->rank = matrix->magnitude > 0.0 ? CONVOLVE_PRODUCTS_MAX + 1 : 0;
  if (matrix->rank == 0)
    return;
  if (has_more (matrix))
    return;
  sketch_begin (&sketch);
  for (pass = 0; pass < 2; pass++)
    {
      multiply_rows (matrix->weights, matrix->rows, matrix->columns, along_x, along_y);
      sketch_project (&sketch);
      if (sketch.lengths[CONVOLVE_PRODUCTS_MAX] > MARGIN * TOLERANCE * matrix->magnitude)
        return;
    }
  for (matrix->rank = 1; matrix->rank <= CONVOLVE_PRODUCTS_MAX; matrix->rank++)
    if (is_enough (&sketch, matrix->rank))
      {
        sketch_store (&sketch, matrix);
        return;
      }
}
