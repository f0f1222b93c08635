/* The singular value decomposition. Gram and Schmidt's method, which takes the longest column that
 * is left each time, makes Q R of the box, with as many rows of R as the box has rank (Golub and
 * Van Loan, Matrix Computations, 5.4). These are soon at right angles to each other under one-sided
 * Jacobi rotations (8.6.3 there; Drmac and Veselic, 2008): singular vectors, each as long as its
 * singular value. */
#include "decompose.h"

#include <math.h>
#include <string.h>

#define SWEEPS_MAX 40
#define ORTHOGONAL 1e-14 /* the cosine of two rows that are left as they are */

/* Of the sum of the weights' magnitudes: what the products may leave, and what is nothing. */
#define TOLERANCE 2e-7
#define NOTHING   1e-11

#define TAKEN (-1.0) /* in squares: a row that is done with */

typedef struct {
  const double *box;
  int rows, columns;
  double magnitude; /* of all weights */
  double *rest;     /* columns of the box, less what is in R; then the products that are left out */
  int n;            /* rows of R */
  double *r;        /* [n][columns] */
  int *pivots;      /* the column that each row of R was taken with */
  double *squares;  /* of the lengths of columns; then of the rows of R */
  double *line;     /* room for a row or a column */
} Parts;

/* Four sums side by side: each waits for what it was before. */

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
get_magnitude (const double *values, int n)
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

/* The longest column; -1: nothing is left. */
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

/* Takes what all columns have along this one, of which nothing is left. */
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

/* R is a triangle where its columns are taken in the order of the pivots. Column n of its
 * inverse; the square of its length. */
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

/* Whether no fewer products than R has rows will do. What fewer leave is at least the last singular
 * value, and that is at least one over the size of the triangle's inverse. */
static gboolean
needs_all (const Parts *parts)
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

/* Two rows of n. FALSE: they were at right angles. */
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

/* The longest or the shortest row that is not taken. */
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

/* The column that makes a product with a row. */
static void
get_column (const Parts *parts, int n, double *column)
{
  const double *row = parts->r + n * parts->columns;
  int j;

  for (j = 0; j < parts->rows; j++)
    column[j] = dot (parts->box + j * parts->columns, row, parts->columns) / parts->squares[n];
}

/* Products. */

/* Adds a product to those that are left out. FALSE: these are too many then. */
static gboolean
leave_out (Parts *parts, int n)
{
  const double *row = parts->r + n * parts->columns;
  int columns = parts->columns, j, i;

  get_column (parts, n, parts->line);
  for (j = 0; j < parts->rows; j++)
    for (i = 0; i < columns; i++)
      parts->rest[j * columns + i] += parts->line[j] * row[i];
  return get_magnitude (parts->rest, parts->rows * columns) <= TOLERANCE * parts->magnitude;
}

/* Leaves out as many as may be. Returns how many stay. */
static int
count_products (Parts *parts)
{
  int rank = parts->n, shortest;

  memset (parts->rest, 0, parts->rows * parts->columns * sizeof *parts->rest);
  for (; rank > 0 && leave_out (parts, shortest = find_row (parts, FALSE)); rank--)
    parts->squares[shortest] = TAKEN;
  return rank;
}

/* Column and row both get the root of the singular value. */
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
  if (parts->n > CONVOLVE_PRODUCTS_MAX && needs_all (parts))
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
                  .magnitude = get_magnitude (box, n),
                  .rest = rest,
                  .r = r,
                  .pivots = pivots,
                  .squares = squares,
                  .line = line };

  find_products (&parts, matrix);
}
