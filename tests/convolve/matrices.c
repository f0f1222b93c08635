#include "matrices.h"

static double
get_random (void)
{
  return g_test_rand_double_range (-1.0, 1.0);
}

static void
add_product (double *values, int rows, int columns)
{
  g_autofree double *row = g_new (double, columns);

  for (int i = 0; i < columns; i++)
    row[i] = get_random ();
  for (int j = 0; j < rows; j++)
    {
      const double factor = get_random ();

      for (int i = 0; i < columns; i++)
        values[j * columns + i] += factor * row[i];
    }
}

static void
mirror (double *values, int rows, int columns, double sign)
{
  for (int j = 0; j < rows; j++)
    for (int i = 0; i < columns / 2; i++)
      values[j * columns + columns - 1 - i] = sign * values[j * columns + i];
}

static void
fill (double *values, int n, double share)
{
  for (int i = 0; i < n; i++)
    if (g_test_rand_double () < share)
      values[i] = get_random ();
}

static void
take_sum (double *values, int n)
{
  double sum = 0.0;

  for (int i = 0; i < n; i++)
    sum += values[i];
  values[n / 2] -= sum;
}

double *
matrix_make (MatrixKind kind, int rows, int columns)
{
  const int n = rows * columns;
  double *values = g_new0 (double, n);

  switch (kind)
    {
    case MATRIX_DENSE:
      fill (values, n, 1.0);
      break;
    case MATRIX_POSITIVE:
      for (int i = 0; i < n; i++)
        values[i] = g_test_rand_double ();
      break;
    case MATRIX_SPARSE:
      fill (values, n, 0.1);
      break;
    case MATRIX_RANK_1:
    case MATRIX_RANK_2:
    case MATRIX_RANK_3:
      for (int i = 0; i <= (int) (kind - MATRIX_RANK_1); i++)
        add_product (values, rows, columns);
      break;
    case MATRIX_ZERO_SUM:
      fill (values, n, 1.0);
      take_sum (values, n);
      break;
    case MATRIX_SYMMETRIC:
    case MATRIX_OPPOSITE:
      fill (values, n, 1.0);
      mirror (values, rows, columns, kind == MATRIX_SYMMETRIC ? 1.0 : -1.0);
      break;
    case MATRIX_BOX:
      for (int i = 0; i < n; i++)
        values[i] = 1.0;
      break;
    case MATRIX_ONE:
      values[g_test_rand_int_range (0, n)] = get_random ();
      break;
    default:
      break;
    }
  return values;
}
