/* The singular value decomposition. The Gram-Schmidt method, which takes the longest remaining
 * column each time, factors the box into Q R, with as many rows in R as the box has rank (Golub and
 * Van Loan, Matrix Computations, 5.4). One-sided Jacobi rotations (8.6.3 there; Drmac and Veselic,
 * 2008) soon make these rows orthogonal: they become singular vectors, each as long as its singular
 * value. */
#include "decompose.h"

#include <math.h>
#include <string.h>

#define SWEEPS_MAX 40
#define ORTHOGONAL 1e-14 /* the cosine below which two rows are orthogonal */

/* Relative to the sum of the weights' magnitudes: the error that the products may leave, and the
 * rest that counts as 0. */
#define TOLERANCE 2e-7
#define NOTHING   1e-11

#define TAKEN (-1.0) /* in squares: a row that is already taken */

typedef struct {
  const double *box;
  int rows, columns;
  double magnitude; /* of all weights */
  double *rest;     /* the box's columns less the part in R; later the products left out */
  int n;            /* rows of R */
  double *r;        /* [n][columns] */
  int *pivots;      /* the column that each row of R was taken from */
  double *squares;  /* squared lengths of columns, later of the rows of R */
  double *line;     /* scratch space for a row or a column */
} Parts;

/* Four independent sums, because each addition waits for the previous one. */

static double
dot (const double *a, const double *b, int n)
{
  double sums[4] = { 0.0 };
  int i, k;

  for (i = 0; i + 4 <= n; i += 4)
    for (k = 0; k < 4; k++)
      sums[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sums[0] += a[i] * b[i];
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

static double
decompose_get_magnitude (const double *values, int n)
{
  double sums[4] = { 0.0 };
  int i, k;

  for (i = 0; i + 4 <= n; i += 4)
    for (k = 0; k < 4; k++)
      sums[k] += fabs (values[i + k]);
  for (; i < n; i++)
    sums[0] += fabs (values[i]);
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}

/* Q R. */

/* Returns the longest column, or -1 if nothing is left. */
static int
find_column (Parts *parts)
{
  double sum = 0.0;
  int best = 0, i;

  for (i = 0; i < parts->columns; i++)
    {
      const double *column = parts->rest + i * parts->rows;

      sum += parts->squares[i] = dot (column, column, parts->rows);
      if (parts->squares[i] > parts->squares[best])
        best = i;
    }
  return sqrt (sum) > NOTHING * parts->magnitude ? best : -1;
}

/* Removes the component along this column from all columns. Nothing is left of this one. */
static void
take_column (Parts *parts, int pivot)
{
  double *row = parts->r + parts->n * parts->columns, *q = parts->line;
  int rows = parts->rows, i, j;

  for (j = 0; j < rows; j++)
    q[j] = parts->rest[pivot * rows + j] / sqrt (parts->squares[pivot]);
  for (i = 0; i < parts->columns; i++)
    {
      double *column = parts->rest + i * rows;

      row[i] = dot (q, column, rows);
      for (j = 0; j < rows; j++)
        column[j] -= row[i] * q[j];
    }
  memset (parts->rest + pivot * rows, 0, rows * sizeof *q);
  parts->pivots[parts->n++] = pivot;
}

static void
take_columns (Parts *parts)
{
  int i, pivot;

  for (i = 0; i < parts->rows * parts->columns; i++)
    parts->rest[i % parts->columns * parts->rows + i / parts->columns] = parts->box[i];
  while (parts->n < MIN (parts->rows, parts->columns) && (pivot = find_column (parts)) >= 0)
    take_column (parts, pivot);
}

/* R is triangular if its columns are in the order of the pivots. Computes column n of its inverse
 * and returns the column's squared length. */
static double
invert_column (const Parts *parts, int n)
{
  double *x = parts->line, sum;
  int i, k;

  for (i = n; i >= 0; i--)
    {
      const double *row = parts->r + i * parts->columns;

      for (sum = i == n, k = i + 1; k <= n; k++)
        sum -= row[parts->pivots[k]] * x[k];
      x[i] = sum / row[parts->pivots[i]];
    }
  return dot (x, x, n + 1);
}

/* Returns whether all rows of R are needed. With fewer products the error is at least the last
 * singular value, which is at least the reciprocal of the norm of the triangle's inverse. */
static gboolean
decompose_needs_all (const Parts *parts)
{
  double sum = 0.0;
  int n;

  for (n = 0; n < parts->n; n++)
    sum += invert_column (parts, n);
  return TOLERANCE * parts->magnitude * sqrt (sum) < 1.0;
}

/* Singular vectors. */

static void
rotate (double *restrict a, double *restrict b, int n, double cosine, double sine)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double x = a[i], y = b[i];

      a[i] = cosine * x - sine * y;
      b[i] = sine * x + cosine * y;
    }
}

/* Makes two rows of n orthogonal. Returns FALSE if they already were. */
static gboolean
straighten (double *a, double *b, int n)
{
  double aa = dot (a, a, n), bb = dot (b, b, n), ab = dot (a, b, n);
  double zeta, tangent, cosine;

  if (fabs (ab) <= ORTHOGONAL * sqrt (aa * bb))
    return FALSE;
  zeta = (bb - aa) / (2.0 * ab);
  tangent = copysign (1.0, zeta) / (fabs (zeta) + hypot (1.0, zeta));
  cosine = 1.0 / hypot (1.0, tangent);
  rotate (a, b, n, cosine, cosine * tangent);
  return TRUE;
}

static void
straighten_rows (Parts *parts)
{
  int columns = parts->columns, sweep, a, b;
  gboolean turned = TRUE;

  for (sweep = 0; turned && sweep < SWEEPS_MAX; sweep++)
    for (turned = FALSE, a = 0; a < parts->n; a++)
      for (b = a + 1; b < parts->n; b++)
        turned |= straighten (parts->r + a * columns, parts->r + b * columns, columns);
  for (a = 0; a < parts->n; a++)
    parts->squares[a] = dot (parts->r + a * columns, parts->r + a * columns, columns);
}

/* Returns the longest or the shortest row that is not taken. */
static int
find_row (const Parts *parts, gboolean longest)
{
  int best = -1, n;

  for (n = 0; n < parts->n; n++)
    if (parts->squares[n] != TAKEN &&
        (best < 0 || (parts->squares[n] > parts->squares[best]) == longest))
      best = n;
  return best;
}

/* Computes the column that forms a product with row n. */
static void
get_column (const Parts *parts, int n, double *column)
{
  const double *row = parts->r + n * parts->columns;
  int j;

  for (j = 0; j < parts->rows; j++)
    column[j] = dot (parts->box + j * parts->columns, row, parts->columns) / parts->squares[n];
}

/* Products. */

/* Adds a product to those left out. Returns FALSE if they then exceed the tolerance. */
static gboolean
leave_out (Parts *parts, int n)
{
  const double *row = parts->r + n * parts->columns;
  int columns = parts->columns, j, i;

  get_column (parts, n, parts->line);
  for (j = 0; j < parts->rows; j++)
    for (i = 0; i < columns; i++)
      parts->rest[j * columns + i] += parts->line[j] * row[i];
  return decompose_get_magnitude (parts->rest, parts->rows * columns) <=
         TOLERANCE * parts->magnitude;
}

/* Leaves out as many products as possible. Returns how many remain. */
static int
count_products (Parts *parts)
{
  int rank = parts->n, shortest;

  memset (parts->rest, 0, parts->rows * parts->columns * sizeof *parts->rest);
  for (; rank > 0 && leave_out (parts, shortest = find_row (parts, FALSE)); rank--)
    parts->squares[shortest] = TAKEN;
  return rank;
}

/* Column and row are both scaled by the root of the singular value. */
static void
store_products (Parts *parts, ConvolveMatrix *matrix)
{
  int n, j, i;

  matrix->along_y = g_new (float, matrix->rank * matrix->rows);
  matrix->along_x = g_new (float, matrix->rank * matrix->columns);
  for (n = 0; n < matrix->rank; n++)
    {
      int longest = find_row (parts, TRUE);
      double root = sqrt (sqrt (parts->squares[longest]));

      get_column (parts, longest, parts->line);
      for (j = 0; j < matrix->rows; j++)
        matrix->along_y[n * matrix->rows + j] = (float) (parts->line[j] * root);
      for (i = 0; i < matrix->columns; i++)
        matrix->along_x[n * matrix->columns + i] =
          (float) (parts->r[longest * matrix->columns + i] / root);
      parts->squares[longest] = TAKEN;
    }
}

static void
find_products (Parts *parts, ConvolveMatrix *matrix)
{
  take_columns (parts);
  matrix->rank = parts->n;
  if (parts->n > CONVOLVE_PRODUCTS_MAX && decompose_needs_all (parts))
    return;
  straighten_rows (parts);
  matrix->rank = count_products (parts);
  if (matrix->rank <= CONVOLVE_PRODUCTS_MAX)
    store_products (parts, matrix);
}

void
convolve_matrix_decompose (ConvolveMatrix *matrix, const double *box)
{
  int rows = matrix->rows, columns = matrix->columns, n = rows * columns;
  g_autofree double *rest = g_new (double, n);
  g_autofree double *r = g_new (double, MIN (rows, columns) * columns);
  g_autofree int *pivots = g_new (int, MIN (rows, columns));
  g_autofree double *squares = g_new (double, columns);
  g_autofree double *line = g_new (double, MAX (rows, columns));
  Parts parts = { .box = box,
                  .rows = rows,
                  .columns = columns,
                  .magnitude = decompose_get_magnitude (box, n),
                  .rest = rest,
                  .r = r,
                  .pivots = pivots,
                  .squares = squares,
                  .line = line };

  find_products (&parts, matrix);
}
