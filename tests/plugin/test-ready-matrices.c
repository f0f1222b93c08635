/* Ready matrices: their values, sums, symmetries and ranks, with all their numbers. */
#include "ready-matrices.h"

#include "convolve.h"
#include "matrix-text.h"
#include "test.h"

#define STEPS 24  /* between the extremes of a number */
#define FINE  400 /* samples of a pixel along each side */

static const ReadyMatrix *
find (const char *name)
{
  const ReadyMatrix *ready;

  for (ready = ready_matrices; ready->name; ready++)
    if (strcmp (ready->name, name) == 0)
      return ready;
  g_assert_not_reached ();
}

static FilterMatrix *
make (const char *name, double first, double second)
{
  const double numbers[READY_NUMBERS_MAX] = { first, second };

  g_test_message ("%s %g %g", name, first, second);
  return ready_matrix_make (find (name), numbers);
}

static double
get (const FilterMatrix *matrix, int row, int column)
{
  return matrix->values[row * matrix->columns + column];
}

static ConvolveFacts
get_facts (const FilterMatrix *matrix)
{
  const ConvolveParams params = { .rows = matrix->rows,
                                  .columns = matrix->columns,
                                  .values = matrix->values };
  GError *error = NULL;
  ConvolveFacts facts;

  convolve_params_check (&params, &error);
  g_assert_no_error (error);
  convolve_params_get_facts (&params, &facts);
  return facts;
}

/* All that are fixed, as a person writes them. */
TEST (test_fixed, "/ready-matrices/fixed")
{
  static const struct {
    const char *name, *text;
    double sum;
    int rank;
  } cases[] = {
    { "sharpen", "0 -1 0 -1 5 -1 0 -1 0", 1, 2 },
    { "unsharp",
      "-1 -4 -6 -4 -1  -4 -16 -24 -16 -4  -6 -24 476 -24 -6  -4 -16 -24 -16 -4  -1 -4 -6 -4 -1",
      256, 2 },
    { "laplacian-4", "0 1 0 1 -4 1 0 1 0", 0, 2 },
    { "laplacian-8", "1 1 1 1 -8 1 1 1 1", 0, 2 },
    { "sobel-x", "-1 0 1 -2 0 2 -1 0 1", 0, 1 },
    { "sobel-y", "-1 -2 -1 0 0 0 1 2 1", 0, 1 },
    { "prewitt-x", "-1 0 1 -1 0 1 -1 0 1", 0, 1 },
    { "prewitt-y", "-1 -1 -1 0 0 0 1 1 1", 0, 1 },
    { "scharr-x", "-3 0 3 -10 0 10 -3 0 3", 0, 1 },
    { "scharr-y", "-3 -10 -3 0 0 0 3 10 3", 0, 1 },
    { "emboss", "-2 -1 0 -1 1 1 0 1 2", 1, 3 },
    { "edge", "-1 -1 -1 -1 8 -1 -1 -1 -1", 0, 2 },
  };
  gsize i, fixed = 0;

  for (i = 0; ready_matrices[i].name; i++)
    fixed += ready_matrices[i].fixed != NULL;
  g_assert_cmpuint (fixed, ==, G_N_ELEMENTS (cases));
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FilterMatrix) matrix = ready_matrix_make (find (cases[i].name), NULL);
      g_autoptr (FilterMatrix) expected = matrix_text_parse (cases[i].text, -1, 63, NULL);
      ConvolveFacts facts = get_facts (matrix);

      g_test_message ("%s", cases[i].name);
      g_assert_true (filter_matrix_equal (matrix, expected));
      g_assert_cmpfloat (facts.sum, ==, cases[i].sum);
      g_assert_cmpint (facts.rank, ==, cases[i].rank);
    }
}

/* Odd sizes up to 63, finite values, and the same when it is turned by half. */
static void
check_made (const ReadyMatrix *ready, const double *numbers)
{
  g_autoptr (FilterMatrix) matrix = ready_matrix_make (ready, numbers);
  int n = matrix->n_values, i;

  g_test_message ("%s %.17g %.17g: %d x %d", ready->name, numbers[0], numbers[1], matrix->rows,
                  matrix->columns);
  g_assert_cmpint (n, ==, matrix->rows * matrix->columns);
  g_assert_cmpint (get_facts (matrix).taps, >, 0);
  for (i = 0; i < n; i++)
    {
      g_assert_cmpfloat (matrix->values[i], >=, 0.0);
      g_assert_cmpfloat (matrix->values[i], <=, 1.0);
      g_assert_cmpfloat (matrix->values[i], ==, matrix->values[n - 1 - i]);
    }
}

static double
get_step (const ReadyNumber *number, int step)
{
  return number->minimum + (number->maximum - number->minimum) * step / STEPS;
}

TEST (test_numbers, "/ready-matrices/numbers")
{
  const ReadyMatrix *ready;
  int i, k;

  for (ready = ready_matrices; ready->name; ready++)
    for (i = -1; i <= STEPS + 1 && ! ready->fixed; i++)
      for (k = -1; k <= (ready->numbers[1].label ? STEPS + 1 : -1); k++)
        {
          const double numbers[] = { get_step (&ready->numbers[0], i),
                                     get_step (&ready->numbers[1], k) };

          check_made (ready, numbers);
        }
}

TEST (test_box, "/ready-matrices/box")
{
  static const int sizes[][2] = {
    { 1, 1 }, { 2, 3 }, { 3, 3 }, { 62, 63 }, { 63, 63 }, { 99, 63 }
  };

  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (FilterMatrix) matrix = make ("box", sizes[i][0], 0);

      g_assert_cmpint (matrix->rows, ==, sizes[i][1]);
      g_assert_cmpint (matrix->columns, ==, sizes[i][1]);
      g_assert_cmpfloat (get_facts (matrix).sum, ==, sizes[i][1] * sizes[i][1]);
      g_assert_cmpint (get_facts (matrix).rank, ==, 1);
    }
}

static void
assert_text (const FilterMatrix *matrix, const char *text)
{
  g_autofree char *line = matrix_text_print_line (matrix);

  g_assert_cmpstr (line, ==, text);
}

/* Along the axes a line is its whole pixels, and half ones at its ends. */
TEST (test_motion_axes, "/ready-matrices/motion/axes")
{
  static const struct {
    double length, angle;
    const char *text;
  } cases[] = {
    { 1, 0, "1x1: 1" },
    { 3, 0, "1x3: 1 1 1" },
    { 3, 180, "1x3: 1 1 1" },
    { 3, -180, "1x3: 1 1 1" },
    { 4, 0, "1x5: 0.5 1 1 1 0.5" },
    { 3, 90, "3x1: 1 1 1" },
    { 2.5, -90, "3x1: 0.75 1 0.75" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FilterMatrix) matrix = make ("motion", cases[i].length, cases[i].angle);

      assert_text (matrix, cases[i].text);
    }
}

static double
get_plain_sum (const FilterMatrix *matrix)
{
  double sum = 0.0;

  for (int i = 0; i < matrix->n_values; i++)
    sum += matrix->values[i];
  return sum;
}

/* The matrix covers the whole line: nothing is cut off at its edge. */
TEST (test_motion_sum, "/ready-matrices/motion/sum")
{
  double length, angle;

  for (length = 1; length <= 62; length += 3.05)
    for (angle = -180; angle <= 180; angle += 7.5)
      {
        g_autoptr (FilterMatrix) matrix = make ("motion", length, angle);

        g_assert_cmpfloat (fabs (get_plain_sum (matrix) - length), <=, 1e-9);
      }
}

/* Sets x and y to sample j of the pixel, from 0 to FINE * FINE - 1. */
static void
get_sample (int i, int k, int j, double *x, double *y)
{
  int row = j / FINE, column = j % FINE;

  *x = k - 0.5 + (column + 0.5) / FINE;
  *y = i - 0.5 + (row + 0.5) / FINE;
}

static double
sample_line (double length, double angle, int i, int k)
{
  double along_x = cos (angle * G_PI / 180), along_y = -sin (angle * G_PI / 180), x, y;
  int n = 0, j;

  for (j = 0; j < FINE * FINE; j++)
    {
      get_sample (i, k, j, &x, &y);
      n += fabs (x * along_x + y * along_y) <= length / 2 &&
           fabs (y * along_x - x * along_y) <= 0.5;
    }
  return (double) n / (FINE * FINE);
}

/* Upwards to the right at 30 degrees. */
TEST (test_motion_area, "/ready-matrices/motion/area")
{
  g_autoptr (FilterMatrix) matrix = make ("motion", 6, 30);
  int i, k;

  g_assert_cmpint (matrix->rows, ==, 5);
  g_assert_cmpint (matrix->columns, ==, 7);
  g_assert_cmpfloat (get (matrix, 1, 5), >, 0.5);
  g_assert_cmpfloat (get (matrix, 3, 5), ==, 0.0);
  for (i = -2; i <= 2; i++)
    for (k = -3; k <= 3; k++)
      g_assert_cmpfloat (fabs (get (matrix, i + 2, k + 3) - sample_line (6, 30, i, k)), <=, 0.01);
}

static double
sample_disc (double radius, int i, int k)
{
  double x, y;
  int n = 0, j;

  for (j = 0; j < FINE * FINE; j++)
    {
      get_sample (i, k, j, &x, &y);
      n += hypot (x, y) <= radius;
    }
  return (double) n / (FINE * FINE);
}

/* The same in all eight directions, of the disc's area, which the sides of a pixel may touch. */
TEST (test_disc, "/ready-matrices/disc")
{
  static const double radii[] = { 0.5, 0.6, G_SQRT2 / 2, 0.71, 1, 1.5, 2.5, 3.3, 10, 31, 31.5 };
  int i, k;

  for (gsize r = 0; r < G_N_ELEMENTS (radii); r++)
    {
      g_autoptr (FilterMatrix) matrix = make ("disc", radii[r], 0);
      int side = matrix->rows;

      g_assert_cmpint (matrix->columns, ==, side);
      g_assert_cmpfloat (side / 2.0, >=, radii[r]);
      g_assert_cmpfloat (fabs (get_plain_sum (matrix) - G_PI * radii[r] * radii[r]), <=, 1e-9);
      for (i = 0; i < side; i++)
        for (k = 0; k < side; k++)
          {
            g_assert_cmpfloat (get (matrix, i, k), ==, get (matrix, k, i));
            g_assert_cmpfloat (get (matrix, i, k), ==, get (matrix, i, side - 1 - k));
            if (side <= 7)
              g_assert_cmpfloat (fabs (get (matrix, i, k) -
                                       sample_disc (radii[r], i - side / 2, k - side / 2)),
                                 <=, 0.01);
          }
    }
}

/* Rank 1, sum 1, and the quotients of its values are those of the bell. */
TEST (test_gaussian, "/ready-matrices/gaussian")
{
  static const double sigmas[][2] = { { 0.2, 3 }, { 0.5, 5 }, { 1, 9 }, { 2.6, 23 }, { 7.75, 63 } };

  for (gsize s = 0; s < G_N_ELEMENTS (sigmas); s++)
    {
      double sigma = sigmas[s][0];
      g_autoptr (FilterMatrix) matrix = make ("gaussian", sigma, 0);
      int side = matrix->rows, middle = side / 2;

      g_assert_cmpint (side, ==, (int) sigmas[s][1]);
      g_assert_cmpint (matrix->columns, ==, side);
      g_assert_cmpint (get_facts (matrix).rank, ==, 1);
      g_assert_cmpfloat (fabs (get_plain_sum (matrix) - 1), <=, 1e-14);
      for (int i = 0; i < side; i++)
        g_assert_cmpfloat (fabs (get (matrix, i, middle) / get (matrix, middle, middle) -
                                 exp (-(i - middle) * (i - middle) / (2 * sigma * sigma))),
                           <=, 1e-15);
    }
}

/* Names tell them apart, and what the dialog starts with is in range. */
TEST (test_table, "/ready-matrices/table")
{
  const ReadyMatrix *ready;

  for (ready = ready_matrices; ready->name; ready++)
    {
      g_assert_true (find (ready->name) == ready);
      g_assert_true (! ready->fixed == (ready->make && ready->numbers[0].label));
      for (int i = 0; i < READY_NUMBERS_MAX && ready->numbers[i].label; i++)
        {
          g_assert_cmpfloat (ready->numbers[i].minimum, <=, ready->numbers[i].initial);
          g_assert_cmpfloat (ready->numbers[i].initial, <=, ready->numbers[i].maximum);
        }
    }
}
