/* The convolution's description. */
#include "filter-checks.h"

enum { VALUES, DIVISOR, OFFSET, CHANNELS };

#define MATRIX_TEXT                                                                        \
  "1 (values 1x3: 0.1 -1e-300 0.3333333333333333) (divisor -2) (offset 0.5) (channels 9) " \
  "(alpha-weighting straight) (abyss black) (light perceptual) (device gpu)"

static void
set_matrix (FilterSettings *settings, int rows, int columns, int n_values, const double *values)
{
  g_autoptr (FilterMatrix) matrix = filter_matrix_new (rows, columns, n_values, values);

  filter_settings_set_matrix (settings, VALUES, matrix);
}

static FilterSettings *
make_matrix_settings (void)
{
  static const double values[] = { 0.1, -1e-300, 1 / 3.0 };
  static const double numbers[] = { -2, 0.5, 9, 2, 2, 1, 1 };
  FilterSettings *settings = filter_settings_new (&convolution_matrix);

  set_matrix (settings, 1, 3, 3, values);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    filter_settings_set (settings, DIVISOR + i, numbers[i]);
  return settings;
}

TEST (test_matrix_defaults, "/filter/matrix/defaults")
{
  static const double sharpen[] = { 0, -1, 0, -1, 5, -1, 0, -1, 0 };
  static const FilterMatrix expected = { 3, 3, 9, sharpen };
  g_autoptr (FilterSettings) settings = filter_settings_new (&convolution_matrix);
  g_autofree char *trace = filter_settings_trace (settings);

  g_assert_true (filter_settings_check (settings, NULL));
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (settings, VALUES), &expected));
  for (guint i = DIVISOR; i < convolution_matrix.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, 0.0);
  g_assert_cmpstr (trace, ==, "matrix 3x3");
}

/* Settings that are copied or assigned share the matrix, until one of them gets another. */
TEST (test_matrix_copies, "/filter/matrix/copies")
{
  g_autoptr (FilterSettings) settings = make_matrix_settings ();
  g_autoptr (FilterSettings) copy = filter_settings_copy (settings);
  g_autoptr (FilterSettings) other = filter_settings_new (&convolution_matrix);
  const FilterMatrix *matrix = filter_settings_get_matrix (settings, VALUES);

  filter_settings_assign (other, settings);
  filter_settings_assign (other, other);
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (copy, VALUES), matrix));
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (other, VALUES), matrix));
  g_assert_true (filter_settings_get_matrix (copy, VALUES) == matrix);
  set_matrix (copy, 1, 1, 1, matrix->values + 2);
  g_assert_false (filter_matrix_equal (filter_settings_get_matrix (copy, VALUES), matrix));
  g_assert_cmpfloat (matrix->values[1], ==, -1e-300);
  g_assert_cmpfloat (filter_settings_get (other, CHANNELS), ==, 9);
}

static void
assert_matrix_message (int rows, int columns, int n_values, const double *values, double divisor,
                       const char *expected)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&convolution_matrix);
  g_autoptr (GError) error = NULL;

  set_matrix (settings, rows, columns, n_values, values);
  filter_settings_set (settings, DIVISOR, divisor);
  g_assert_false (filter_settings_check (settings, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
  g_assert_cmpstr (error->message, ==, expected);
}

TEST (test_matrix_messages, "/filter/matrix/messages")
{
  static const double values[9] = { 1, 2, NAN }, large[9] = { 1e38, 1e38, 1e38 };

  assert_matrix_message (3, 3, 8, values, 0, "There are 8 values, but a matrix of 3x3 needs 9");
  assert_matrix_message (3, 1, 9, values, 0, "There are 9 values, but a matrix of 3x1 needs 3");
  assert_matrix_message (3, 3, 0, NULL, 0, "There are 0 values, but a matrix of 3x3 needs 9");
  assert_matrix_message (0, 0, 0, NULL, 0, "rows is 0, but must be an odd number from 1 to 1023");
  assert_matrix_message (-1, -1, 1, values, 0,
                         "rows is -1, but must be an odd number from 1 to 1023");
  assert_matrix_message (4, 2, 8, values, 0, "rows is 4, but must be an odd number from 1 to 1023");
  assert_matrix_message (65537, 65535, 9, values, 0,
                         "rows is 65537, but must be an odd number from 1 to 1023");
  assert_matrix_message (3, G_MAXINT, 9, values, 0,
                         "columns is 2147483647, but must be an odd number from 1 to 1023");
  assert_matrix_message (3, 3, 9, values, 0,
                         "The value in row 1, column 3 is nan, but must be a number in single "
                         "precision's range");
  assert_matrix_message (3, 3, 9, large, 0.5, "divisor is 0.5, which makes the values infinite");
}

TEST (test_matrix_last_values, "/filter/matrix/last-values")
{
  static const char text[] = MATRIX_TEXT;
  g_autoptr (FilterSettings) settings = make_matrix_settings (), read = NULL;
  g_autofree char *written = filter_settings_to_text (settings);

  g_assert_cmpstr (written, ==, text);
  read = filter_settings_from_text (&convolution_matrix, text, sizeof text - 1, NULL);
  g_assert_nonnull (read);
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (read, VALUES),
                                      filter_settings_get_matrix (settings, VALUES)));
  for (gsize i = DIVISOR; i < convolution_matrix.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (read, i), ==, filter_settings_get (settings, i));
  filter_check_damaged (&convolution_matrix, text);
}

/* Other notations of the same matrix, and matrices that are none, are no last values. */
TEST (test_wrong_matrix_last_values, "/filter/matrix/wrong-last-values")
{
  static const char *const matrices[] = {
    "1x3: 0.1 -1e-300 0.33333333333333330",
    "3x1: 0.1 -1e-300",
    "0.1 -1e-300 0.3333333333333333",
    "1x3:0.1 -1e-300 0.3333333333333333",
    "1x4: 1 2 3 4",
    "1x3: 1 2 1e999",
    "1x65: 1",
    "1x3: 1 2 1e39",
    "",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (matrices); i++)
    {
      g_auto (GStrv) parts = g_strsplit (MATRIX_TEXT, "1x3: 0.1 -1e-300 0.3333333333333333", 2);
      g_autofree char *text = g_strjoinv (matrices[i], parts);

      g_test_message ("%s", text);
      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      g_assert_false (filter_reads (&convolution_matrix, text, strlen (text)));
    }
}

/* Light does not apply to a mask; a layer never grows. */
TEST (test_matrix_plan, "/filter/matrix/plan")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const FxGeometry geometry = { 0 };
  g_autoptr (FilterSettings) settings = make_matrix_settings ();
  g_autoptr (FxPlan) plan = convolution_matrix.make_plan (settings, &format, &geometry, FALSE);
  int x = 1, y = 1;

  g_assert_false (plan->identity);
  g_assert_cmpint (plan->reach.left + plan->reach.right, ==, 2);
  g_assert_cmpint (plan->reach.above + plan->reach.below, ==, 0);
  convolution_matrix.get_growth (settings, &geometry, &x, &y);
  g_assert_cmpint (x, ==, 0);
  g_assert_cmpint (y, ==, 0);
}

TESTS (add_commas)
{
  g_test_add_data_func ("/filter/commas/matrix", test_matrix_last_values, filter_test_commas);
}
