#include "matrix.h"

#include <math.h>
#include <string.h>

#define SWEEPS_MAX 40
#define ORTHOGONAL 1e-14 /* the cosine of two columns that are left as they are */
#define TOLERANCE  2e-7

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
is_column_empty (const double *values, int rows, int columns, int column)
{
  int j;

  for (j = 0; j < rows; j++)
    if (values[j * columns + column] != 0.0)
      return FALSE;
  return TRUE;
}

/* One weight of 0 where there is no other. */
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

/* box: the same in double precision. */
static double *
cut_box (ConvolveMatrix *matrix, const double *values, int rows, int columns, double factor)
{
  int n = matrix->rows * matrix->columns, i;
  double *box = g_new (double, n);

  matrix->weights = g_new (float, n);
  for (i = 0; i < n; i++)
    {
      int row = i / matrix->columns + matrix->top + rows / 2;
      int column = i % matrix->columns + matrix->left + columns / 2;

      box[i] = values[row * columns + column] * factor;
      matrix->weights[i] = (float) box[i];
      matrix->taps += matrix->weights[i] != 0.0f;
    }
  return box;
}

/* Products: the singular value decomposition, by one-sided Jacobi rotations (Golub and Van Loan,
 * Matrix Computations, 8.6.3): columns of u are rotated against each other until they are at right
 * angles; then u v^T is the box, and the columns' lengths are its singular values. */

static double
dot (const double *a, const double *b, int n)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void
rotate (double *a, double *b, int n, double cosine, double sine)
{
  int i;

  for (i = 0; i < n; i++)
    {
      double x = a[i], y = b[i];

      a[i] = cosine * x - sine * y;
      b[i] = sine * x + cosine * y;
    }
}

/* The columns a and b of u, and those of v, which have n and m rows. FALSE: they were at right
 * angles. */
static gboolean
straighten (double *u_a, double *u_b, int n, double *v_a, double *v_b, int m)
{
  double a = dot (u_a, u_a, n), b = dot (u_b, u_b, n), both = dot (u_a, u_b, n);
  double zeta, tangent, cosine;

  if (fabs (both) <= ORTHOGONAL * sqrt (a * b))
    return FALSE;
  zeta = (b - a) / (2.0 * both);
  tangent = copysign (1.0, zeta) / (fabs (zeta) + hypot (1.0, zeta));
  cosine = 1.0 / hypot (1.0, tangent);
  rotate (u_a, u_b, n, cosine, cosine * tangent);
  rotate (v_a, v_b, m, cosine, cosine * tangent);
  return TRUE;
}

/* u: columns of the box, one after the other; v: room for columns x columns. */
static void
decompose (double *u, double *v, int rows, int columns)
{
  gboolean turned = TRUE;
  int sweep, a, b;

  memset (v, 0, columns * columns * sizeof *v);
  for (a = 0; a < columns; a++)
    v[a * columns + a] = 1.0;
  for (sweep = 0; turned && sweep < SWEEPS_MAX; sweep++)
    for (turned = FALSE, a = 0; a < columns; a++)
      for (b = a + 1; b < columns; b++)
        turned |= straighten (u + a * rows, u + b * rows, rows, v + a * columns, v + b * columns,
                              columns);
}

/* The column of u that is longest; its length. */
static int
find_longest (const double *u, int rows, int columns, double *length)
{
  int best = 0, i;

  *length = -1.0;
  for (i = 0; i < columns; i++)
    {
      double square = dot (u + i * rows, u + i * rows, rows);

      if (square > *length)
        {
          *length = square;
          best = i;
        }
    }
  *length = sqrt (MAX (*length, 0.0));
  return best;
}

/* Takes the product of a column of u and one of v, both of which get the root of its singular
 * value, from rest. */
static void
take_product (ConvolveMatrix *matrix, int n, double *u, const double *v, double length,
              double *rest)
{
  float *y = matrix->along_y + n * matrix->rows, *x = matrix->along_x + n * matrix->columns;
  double root = sqrt (length);
  int j, i;

  for (j = 0; j < matrix->rows; j++)
    y[j] = (float) (u[j] / root);
  for (i = 0; i < matrix->columns; i++)
    x[i] = (float) (v[i] * root);
  for (j = 0; j < matrix->rows; j++)
    for (i = 0; i < matrix->columns; i++)
      rest[j * matrix->columns + i] -= (double) y[j] * x[i];
  memset (u, 0, matrix->rows * sizeof *u); /* not to be found again */
}

static double
get_magnitude (const double *values, int n)
{
  double sum = 0.0;
  int i;

  for (i = 0; i < n; i++)
    sum += fabs (values[i]);
  return sum;
}

/* rest: the box, of which the products are taken. */
static void
find_products (ConvolveMatrix *matrix, double *rest)
{
  int rows = matrix->rows, columns = matrix->columns, n = rows * columns, i;
  int most = MIN (rows, columns);
  g_autofree double *u = g_new (double, n);
  g_autofree double *v = g_new (double, columns *columns);
  double allowed = TOLERANCE * get_magnitude (rest, n);

  for (i = 0; i < n; i++)
    u[i % columns * rows + i / columns] = rest[i];
  decompose (u, v, rows, columns);
  matrix->along_y = g_new (float, most *rows);
  matrix->along_x = g_new (float, most *columns);
  while (matrix->rank < most && get_magnitude (rest, n) > allowed)
    {
      double length;
      int longest = find_longest (u, rows, columns, &length);

      take_product (matrix, matrix->rank++, u + longest * rows, v + longest * columns, length,
                    rest);
    }
}

void
convolve_matrix_init (ConvolveMatrix *matrix, const double *values, int rows, int columns,
                      double factor)
{
  g_autofree double *box = NULL;

  find_box (matrix, values, rows, columns);
  box = cut_box (matrix, values, rows, columns, factor);
  find_products (matrix, box);
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
