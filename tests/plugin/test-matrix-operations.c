/* Operations on whole matrices: written out, and on random ones. */
#include "matrix-operations.h"

#include "matrix-text.h"
#include "test.h"

#define MATRICES 200

typedef FilterMatrix *(*Operation) (const FilterMatrix *matrix);

static FilterMatrix *
make (const char *text)
{
  FilterMatrix *matrix = matrix_text_parse (text, -1, 63, NULL);

  g_assert_nonnull (matrix);
  return matrix;
}

static FilterMatrix *
make_random (void)
{
  int rows = 2 * g_test_rand_int_range (0, 32) + 1, columns = 2 * g_test_rand_int_range (0, 32) + 1;
  double values[63 * 63];

  for (int i = 0; i < rows * columns; i++)
    values[i] = g_test_rand_double_range (-1, 2);
  return filter_matrix_new (rows, columns, rows * columns, values);
}

static void
assert_done (Operation operation, const char *text, const char *expected)
{
  g_autoptr (FilterMatrix) matrix = make (text), result = operation (matrix);
  g_autoptr (FilterMatrix) wanted = make (expected);

  g_test_message ("%s", text);
  g_assert_cmpint (result->rows, ==, wanted->rows);
  g_assert_true (filter_matrix_equal (result, wanted));
}

TEST (test_places, "/matrix-operations/places")
{
  assert_done (matrix_transpose, "1x3: 1 2 3", "3x1: 1 2 3");
  assert_done (matrix_transpose, "3x5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
               "5x3: 1 6 11 2 7 12 3 8 13 4 9 14 5 10 15");
  assert_done (matrix_rotate, "3x3: 1 2 3 4 5 6 7 8 9", "3x3: 7 4 1 8 5 2 9 6 3");
  assert_done (matrix_rotate, "1x3: 1 2 3", "3x1: 1 2 3");
  assert_done (matrix_rotate, "3x1: 1 2 3", "1x3: 3 2 1");
  assert_done (matrix_mirror_horizontally, "3x5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
               "3x5: 5 4 3 2 1 10 9 8 7 6 15 14 13 12 11");
  assert_done (matrix_mirror_vertically, "3x5: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
               "3x5: 11 12 13 14 15 6 7 8 9 10 1 2 3 4 5");
}

/* Repeated that many times, an operation gives the matrix back. */
static void
assert_returns (Operation operation, int times, const FilterMatrix *matrix)
{
  g_autoptr (FilterMatrix) result = filter_matrix_ref (matrix);

  while (times--)
    {
      FilterMatrix *next = operation (result);

      filter_matrix_free (result);
      result = next;
    }
  g_assert_true (filter_matrix_equal (result, matrix));
}

TEST (test_returns, "/matrix-operations/returns")
{
  for (int i = 0; i < MATRICES; i++)
    {
      g_autoptr (FilterMatrix) matrix = make_random ();

      assert_returns (matrix_transpose, 2, matrix);
      assert_returns (matrix_mirror_horizontally, 2, matrix);
      assert_returns (matrix_mirror_vertically, 2, matrix);
      assert_returns (matrix_rotate, 4, matrix);
    }
}

TEST (test_normalize, "/matrix-operations/normalize")
{
  assert_done (matrix_normalize, "1 2 1 2 4 2 1 2 1",
               "0.0625 0.125 0.0625 0.125 0.25 0.125 0.0625 0.125 0.0625");
  assert_done (matrix_normalize, "-1 -1 0", "0.5 0.5 0");
  assert_done (matrix_normalize, "-1 0 1 -2 0 2 -1 0 1",
               "-0.125 0 0.125 -0.25 0 0.25 -0.125 0 0.125");
  assert_done (matrix_normalize, "0 0 0", "0 0 0");
  assert_done (matrix_normalize, "1e308 1e308 1e308", "1e308 1e308 1e308");
}

TEST (test_invert, "/matrix-operations/invert")
{
  assert_done (matrix_invert, "0 1 0 1 4 1 0 1 0", "0 -0.125 0 -0.125 0.5 -0.125 0 -0.125 0");
  assert_done (matrix_invert, "0 1 0 1 -4 1 0 1 0", "0 -1 0 -1 5 -1 0 -1 0");
  assert_done (matrix_invert, "1", "0");
  assert_done (matrix_invert, "0", "1");
}

static double
get_sum (const FilterMatrix *matrix)
{
  double sum = 0;

  for (int i = 0; i < matrix->n_values; i++)
    sum += matrix->values[i];
  return sum;
}

TEST (test_sums, "/matrix-operations/sums")
{
  int i, k;

  for (i = 0; i < MATRICES; i++)
    {
      g_autoptr (FilterMatrix) matrix = make_random ();
      g_autoptr (FilterMatrix) normalized = matrix_normalize (matrix);
      g_autoptr (FilterMatrix) inverted = matrix_invert (matrix);
      g_autoptr (FilterMatrix) twice = matrix_invert (inverted);
      double sum = get_sum (matrix), bound = 1e-11 * (1 + matrix->n_values / fabs (sum));

      g_test_message ("%d x %d, sum %g", matrix->rows, matrix->columns, sum);
      g_assert_cmpfloat (fabs (get_sum (normalized) - 1), <=, bound);
      g_assert_cmpfloat (fabs (get_sum (inverted)), <=, bound);
      for (k = 0; k < matrix->n_values; k++)
        g_assert_cmpfloat (fabs (twice->values[k] - normalized->values[k]), <=, bound);
    }
}

static void
assert_resized (const char *text, int rows, int columns, const char *expected)
{
  g_autoptr (FilterMatrix) matrix = make (text), wanted = make (expected);
  g_autoptr (FilterMatrix) result = matrix_resize (matrix, rows, columns);

  g_test_message ("%s to %d x %d", text, rows, columns);
  g_assert_true (filter_matrix_equal (result, wanted));
}

TEST (test_resize, "/matrix-operations/resize")
{
  assert_resized ("1 2 3 4 5 6 7 8 9", 3, 3, "1 2 3 4 5 6 7 8 9");
  assert_resized ("1 2 3 4 5 6 7 8 9", 1, 3, "1x3: 4 5 6");
  assert_resized ("1 2 3 4 5 6 7 8 9", 3, 1, "3x1: 2 5 8");
  assert_resized ("1 2 3 4 5 6 7 8 9", 1, 5, "1x5: 0 4 5 6 0");
  assert_resized ("7", 3, 5, "3x5: 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0");
}

static void
assert_pasted (const char *text, int row, int column, const char *expected)
{
  g_autoptr (FilterMatrix) matrix = make ("1 2 3 4 5 6 7 8 9"), wanted = make (expected);
  g_autoptr (FilterMatrix) block = matrix_text_parse_block (text, -1, 63, NULL);
  g_autoptr (FilterMatrix) result = matrix_paste (matrix, block, row, column, 5);

  g_test_message ("%s at %d, %d", text, row, column);
  g_assert_true (filter_matrix_equal (result, wanted));
}

TEST (test_paste, "/matrix-operations/paste")
{
  assert_pasted ("0\t-1", 0, 0, "0 -1 3 4 5 6 7 8 9");
  assert_pasted ("0 -1\n-2 -3", 1, 1, "1 2 3 4 0 -1 7 -2 -3");
  assert_pasted ("-1 -2", 1, 2, "3x5: 1 2 3 0 0 4 5 -1 -2 0 7 8 9 0 0");
  assert_pasted ("-1\n-2\n-3\n-4", 0, 0, "5x3: -1 2 3 -2 5 6 -3 8 9 -4 0 0 0 0 0");
  assert_pasted ("-1 -2 -3 -4 -5 -6", 0, 0, "3x5: -1 -2 -3 -4 -5 4 5 6 0 0 7 8 9 0 0");
}
