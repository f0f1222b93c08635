/* The descriptions of filters: the contract of all, and the values of each. */
#include "filters.h"
#include "test.h"

#include <locale.h>

#define SIGMA_X     0
#define KERNEL_SIZE 2
#define ABYSS       3
#define GROW        5
#define DEVICE      6

static int
get_last_choice (const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  int last = -1;

  while (choices[last + 1].name)
    last++;
  return last;
}

/* Returns whether settings with that value pass; if not, the error must name the property. */
static gboolean
passes (const FilterDescription *filter, guint property, double value)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  g_autoptr (GError) error = NULL;

  filter_settings_set (settings, property, value);
  if (filter_settings_check (settings, &error))
    return TRUE;
  g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
  g_assert_true (g_str_has_prefix (error->message, filter->properties[property].name));
  return FALSE;
}

/* Returns a value beyond a limit, in the direction of step. */
static double
get_beyond (double limit, int step)
{
  return limit + step * MAX (1.0, fabs (limit) * 1e-6);
}

/* Returns whether settings pass with a matrix of that size, of zeros but for a one. */
static gboolean
passes_size (const FilterDescription *filter, guint property, int rows, int columns)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  g_autofree double *values = g_new0 (double, MAX (rows * columns, 1));
  const FilterMatrix matrix = { rows, columns, MAX (rows * columns, 0), values };

  values[0] = 1.0;
  filter_settings_set_matrix (settings, property, &matrix);
  return filter_settings_check (settings, NULL);
}

static void
check_sizes (const FilterDescription *filter, guint i)
{
  int least = (int) filter->properties[i].minimum, most = (int) filter->properties[i].maximum;
  int size;

  for (size = least - 2; size <= most + 2; size++)
    {
      gboolean fits = size >= least && size <= most && size % 2 == 1;

      g_assert_true (passes_size (filter, i, size, 3) == fits);
      g_assert_true (passes_size (filter, i, 3, size) == fits);
    }
}

/* The engine, which has the last word, takes what the description says, and nothing beyond. */
static void
check_range (const FilterDescription *filter, guint i)
{
  const FilterProperty *property = &filter->properties[i];
  gboolean chosen = filter_property_get_choices (property) != NULL;
  double maximum = chosen ? get_last_choice (property) : property->maximum;

  g_test_message ("%s", property->name);
  if (property->type == FILTER_MATRIX)
    {
      check_sizes (filter, i);
      return;
    }
  g_assert_true (passes (filter, i, property->minimum));
  g_assert_true (passes (filter, i, maximum));
  g_assert_false (passes (filter, i, get_beyond (property->minimum, -1)));
  g_assert_false (passes (filter, i, get_beyond (maximum, 1)));
  if (property->type == FILTER_NUMBER)
    g_assert_false (passes (filter, i, NAN));
}

TEST (test_ranges, "/filter/ranges")
{
  for (int f = 0; filters[f]; f++)
    for (guint i = 0; i < filters[f]->n_properties; i++)
      check_range (filters[f], i);
}

TEST (test_defaults, "/filter/defaults")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  GError *error = NULL;

  filter_settings_check (settings, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < gaussian_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, i < KERNEL_SIZE ? 3.0 : 0.0);
}

/* A text of the procedure's says every number that a caller may give. */
static void
check_blurb (const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  g_autofree char *most = NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_test_message ("%s: %s", property->name, property->blurb);
  if (choices)
    for (int i = 0; choices[i].name; i++)
      {
        g_snprintf (number, sizeof number, " (%d)", i);
        g_assert_nonnull (strstr (property->blurb, number));
      }
  else if (property->type != FILTER_MATRIX) /* whose sizes are arguments by themselves */
    {
      most = g_strdup_printf ("<= %s <= %s", property->name,
                              g_ascii_formatd (number, sizeof number, "%g", property->maximum));
      g_assert_nonnull (strstr (property->blurb, most));
    }
}

TEST (test_texts, "/filter/texts")
{
  for (int f = 0; filters[f]; f++)
    {
      g_assert_true (filters_find (filters[f]->procedure) == filters[f]);
      for (guint i = 0; i < filters[f]->n_properties; i++)
        {
          const FilterProperty *property = &filters[f]->properties[i];

          g_assert_nonnull (property->label);
          g_assert_nonnull (property->tooltip);
          g_assert_cmpint (filter_find_property (filters[f], property->name), ==, (int) i);
          check_blurb (property);
        }
    }
  g_assert_null (filters_find ("plug-in-none"));
  g_assert_cmpint (filter_find_property (&gaussian_blur, "none"), ==, -1);
}

/* Messages. */

static void
assert_message (guint property, double value, const char *expected)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  g_autoptr (GError) error = NULL;

  filter_settings_set (settings, property, value);
  g_assert_false (filter_settings_check (settings, &error));
  g_assert_cmpstr (error->message, ==, expected);
}

TEST (test_messages, "/filter/messages")
{
  assert_message (SIGMA_X, -1, "sigma-x is -1, but must be 0 to 5000 pixels");
  assert_message (KERNEL_SIZE, 4,
                  "kernel-size is 4, but must be 0 (automatic) or an odd number from 1 to 9999");
  assert_message (ABYSS, 4, "abyss is 4, but must be 0 (clamp), 1 (none), 2 (black) or 3 (white)");
  assert_message (GROW, 2, "grow is 2, but must be 0 (no) or 1 (yes)");
  assert_message (DEVICE, -1, "device is -1, but must be 0 (automatic), 1 (GPU) or 2 (CPU)");
}

/* Last values. */

#define TEXT                                                                                  \
  "1 (sigma-x 0.10000000000000001) (sigma-y 3) (kernel-size 35) (abyss none) (light linear) " \
  "(grow yes) (device cpu)"

static FilterSettings *
make_settings (void)
{
  FilterSettings *settings = filter_settings_new (&gaussian_blur);

  filter_settings_set (settings, SIGMA_X, 0.1);
  filter_settings_set (settings, KERNEL_SIZE, 35);
  filter_settings_set (settings, ABYSS, FX_ABYSS_NONE);
  filter_settings_set (settings, GROW, TRUE);
  filter_settings_set (settings, DEVICE, FX_DEVICE_CPU);
  return settings;
}

static void
assert_returns (const FilterSettings *settings)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);
  g_autofree char *text = filter_settings_to_text (settings);
  g_autoptr (FilterSettings) read = filter_settings_from_text (filter, text, strlen (text));

  g_assert_nonnull (read);
  for (guint i = 0; i < filter->n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (read, i), ==, filter_settings_get (settings, i));
}

/* Each property's extremes, and numbers of many digits. */
TEST (test_last_values, "/filter/last-values")
{
  static const double odd[] = { 5e-324, 1 / 3.0, 12.34567891, 4999.9 };
  const FilterDescription *filter = &gaussian_blur;
  g_autoptr (FilterSettings) settings = make_settings ();
  g_autofree char *text = filter_settings_to_text (settings);

  g_assert_cmpstr (text, ==, TEXT);
  assert_returns (settings);
  for (guint i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];

      filter_settings_set (settings, i, property->minimum);
      assert_returns (settings);
      filter_settings_set (settings, i,
                           filter_property_get_choices (property) ? get_last_choice (property)
                                                                  : property->maximum);
      assert_returns (settings);
    }
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      filter_settings_set (settings, SIGMA_X, odd[i]);
      assert_returns (settings);
    }
}

static gboolean
is_read (const FilterDescription *filter, const char *text, gsize length)
{
  g_autoptr (FilterSettings) read = filter_settings_from_text (filter, text, length);

  return read != NULL;
}

/* Cut off anywhere or changed anywhere, text is none. */
static void
check_damaged (const FilterDescription *filter, const char *text)
{
  gsize length = strlen (text);

  g_assert_true (is_read (filter, text, length));
  for (gsize i = 0; i < length; i++)
    {
      g_autofree char *changed = g_strdup (text);

      changed[i] ^= 0x40; /* no digit becomes another one */
      g_assert_false (is_read (filter, text, i));
      g_assert_false (is_read (filter, changed, length));
    }
}

/* Also texts of another version, and the raw bytes of an early format. */
TEST (test_damaged_last_values, "/filter/damaged-last-values")
{
  static const char text[] = TEXT;
  static const char *const others[] = {
    "", "1", "2 (sigma-x 3)", "1 (sigma-x 3)", TEXT " ", TEXT " (later 1)", " " TEXT,
  };
  static const guint8 raw[48] = { 0, 0, 0, 0, 0, 0, 8, 64 };

  check_damaged (&gaussian_blur, text);
  g_assert_false (is_read (&gaussian_blur, text, sizeof text)); /* with its end */
  g_assert_false (is_read (&gaussian_blur, (const char *) raw, sizeof raw));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (is_read (&gaussian_blur, others[i], strlen (others[i])));
}

/* A text with a value out of range counts as damaged as well. */
TEST (test_wrong_last_values, "/filter/wrong-last-values")
{
  static const struct {
    const char *from, *to;
  } changes[] = {
    { "sigma-y 3", "sigma-y 5001" },
    { "sigma-y 3", "sigma-y nan" },
    { "sigma-y 3", "sigma-y -3" },
    { "kernel-size 35", "kernel-size 36" },
    { "kernel-size 35", "kernel-size 1e1" },
    { "abyss none", "abyss grey" },
    { "grow yes", "grow 1" },
    { "sigma-y 3", "sigma-y 3.0" },
    { "1 (", "2 (" },
    { "sigma-y", "sigma-z" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (GStrv) parts = g_strsplit (TEXT, changes[i].from, 2);
      g_autofree char *text = g_strjoinv (changes[i].to, parts);

      g_test_message ("%s", text);
      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      g_assert_false (is_read (&gaussian_blur, text, strlen (text)));
    }
}

/* The engine's side. */

static void
assert_growth (const FilterSettings *settings, int expected)
{
  int x, y;

  gaussian_blur.get_growth (settings, &x, &y);
  g_assert_cmpint (x, ==, expected);
  g_assert_cmpint (y, ==, expected);
}

TEST (test_growth, "/filter/growth")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);

  assert_growth (settings, 0);
  filter_settings_set (settings, GROW, TRUE);
  assert_growth (settings, 12);
  filter_settings_set (settings, KERNEL_SIZE, 9);
  assert_growth (settings, 4);
  g_assert_cmpint (gaussian_blur.properties[KERNEL_SIZE].automatic.get (settings), ==, 25);
}

static gboolean
is_identity (const FilterSettings *settings)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autoptr (FxPlan) plan = gaussian_blur.make_plan (settings, &format, FALSE);

  return plan->identity;
}

TEST (test_identity, "/filter/identity")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);

  g_assert_false (is_identity (settings));
  filter_settings_set (settings, KERNEL_SIZE, 1);
  g_assert_true (is_identity (settings));
}

/* No locale's decimal comma gets into stored or traced text. */
TEST (test_trace, "/filter/trace")
{
  g_autoptr (FilterSettings) settings = make_settings ();
  g_autofree char *trace = filter_settings_trace (settings);

  g_assert_cmpstr (trace, ==, "sigma 0.10 3.00");
}

/* The convolution. */

enum { VALUES, DIVISOR, OFFSET, CHANNELS };

#define MATRIX_TEXT                                                                        \
  "1 (values 1x3: 0.1 -1e-300 0.3333333333333333) (divisor -2) (offset 0.5) (channels 9) " \
  "(alpha-weighting straight) (abyss black) (light perceptual) (device gpu)"

static void
set_matrix (FilterSettings *settings, int rows, int columns, int n_values, const double *values)
{
  const FilterMatrix matrix = { rows, columns, n_values, values };

  filter_settings_set_matrix (settings, VALUES, &matrix);
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

/* Settings that are copied or assigned share nothing. */
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
  g_assert_true (filter_settings_get_matrix (copy, VALUES)->values != matrix->values);
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

  assert_matrix_message (3, 3, 8, values, 0,
                         "There are 8 values, but 9 are needed for 3 rows of 3 columns");
  assert_matrix_message (3, 1, 9, values, 0,
                         "There are 9 values, but 3 are needed for 3 rows of 1 columns");
  assert_matrix_message (3, 3, 0, NULL, 0,
                         "There are 0 values, but 9 are needed for 3 rows of 3 columns");
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
  read = filter_settings_from_text (&convolution_matrix, text, sizeof text - 1);
  g_assert_nonnull (read);
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (read, VALUES),
                                      filter_settings_get_matrix (settings, VALUES)));
  for (gsize i = DIVISOR; i < convolution_matrix.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (read, i), ==, filter_settings_get (settings, i));
  check_damaged (&convolution_matrix, text);
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
      g_assert_false (is_read (&convolution_matrix, text, strlen (text)));
    }
}

/* Light does not apply to a mask; a layer never grows. */
TEST (test_matrix_plan, "/filter/matrix/plan")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autoptr (FilterSettings) settings = make_matrix_settings ();
  g_autoptr (FxPlan) plan = convolution_matrix.make_plan (settings, &format, FALSE);
  int x = 1, y = 1;

  g_assert_false (plan->identity);
  g_assert_cmpint (plan->reach.left + plan->reach.right, ==, 2);
  g_assert_cmpint (plan->reach.above + plan->reach.below, ==, 0);
  convolution_matrix.get_growth (settings, &x, &y);
  g_assert_cmpint (x, ==, 0);
  g_assert_cmpint (y, ==, 0);
}

/* The lens blur. */

enum { RADIUS, BLADES, ROTATION, ROUNDNESS, RING, SQUEEZE, HIGHLIGHTS, THRESHOLD };

TEST (test_lens_defaults, "/filter/lens/defaults")
{
  static const double expected[] = { 10, 6, 0, 0, 0, 0, 0, 0.8, 0, 0, 0, 0 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  g_autofree char *trace = filter_settings_trace (settings);

  g_assert_true (filter_settings_check (settings, NULL));
  g_assert_cmpuint (lens_blur.n_properties, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < lens_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, expected[i]);
  g_assert_cmpstr (trace, ==, "radius 10.00");
}

/* An aperture has no blade, or as many as the description and the engine agree on. */
TEST (test_lens_blades, "/filter/lens/blades")
{
  const FilterProperty *property = &lens_blur.properties[BLADES];

  for (int blades = -1; blades <= 13; blades++)
    g_assert_true (passes (&lens_blur, BLADES, blades) ==
                   (blades == 0 || (blades >= property->least && blades <= 12)));
}

/* A layer grows if it is to, by less where the aperture is squeezed. */
TEST (test_lens_growth, "/filter/lens/growth")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  int x, y;

  filter_settings_set (settings, RADIUS, 20);
  filter_settings_set (settings, BLADES, 0);
  lens_blur.get_growth (settings, &x, &y);
  g_assert_cmpint (x, ==, 0);
  g_assert_cmpint (y, ==, 0);
  filter_settings_set (settings, filter_find_property (&lens_blur, "grow"), TRUE);
  lens_blur.get_growth (settings, &x, &y);
  g_assert_cmpint (x, ==, 20);
  g_assert_cmpint (y, ==, 20);
  filter_settings_set (settings, SQUEEZE, 1);
  lens_blur.get_growth (settings, &x, &y);
  g_assert_cmpint (x, ==, 10);
  g_assert_cmpint (y, ==, 20);
}

/* The picture of the aperture does not depend on the radius: it has a bright middle and dark
 * corners, but with a ring the middle is darker than the rim. */
TEST (test_lens_picture, "/filter/lens/picture")
{
  enum { SIZE = 41, MIDDLE = SIZE / 2 * SIZE + SIZE / 2 };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  float disc[SIZE * SIZE], other[SIZE * SIZE];

  filter_settings_set (settings, BLADES, 0);
  lens_blur.draw_picture (settings, SIZE, disc);
  g_assert_cmpfloat (disc[0], ==, 0);
  g_assert_cmpfloat (disc[MIDDLE], ==, 1);
  filter_settings_set (settings, RADIUS, 333);
  lens_blur.draw_picture (settings, SIZE, other);
  g_assert_cmpmem (disc, sizeof disc, other, sizeof other);
  filter_settings_set (settings, RING, 1);
  lens_blur.draw_picture (settings, SIZE, other);
  g_assert_cmpfloat (other[MIDDLE], <, other[MIDDLE + SIZE / 2 - 4]);
}

/* A mask's values are no light, so they have no highlights. */
TEST (test_lens_coverage, "/filter/lens/coverage")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, TRUE };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);
  g_autoptr (FxPlan) mask = NULL, layer = NULL;

  filter_settings_set (settings, HIGHLIGHTS, 4);
  filter_settings_set (settings, THRESHOLD, 0.5);
  mask = lens_blur.make_plan (settings, &format, TRUE);
  layer = lens_blur.make_plan (settings, &format, FALSE);
  g_assert_false (fx_codec_has_highlights (&mask->codec));
  g_assert_true (fx_codec_has_highlights (&layer->codec));
}

/* The same in a locale with decimal commas, if there is one. */
static void
test_commas (gconstpointer test)
{
  if (! setlocale (LC_NUMERIC, "de_DE.UTF-8"))
    {
      g_test_skip ("no German locale");
      return;
    }
  ((void (*) (void)) test) ();
  setlocale (LC_NUMERIC, "C");
}

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  g_test_add_data_func ("/filter/commas/last-values", test_last_values, test_commas);
  g_test_add_data_func ("/filter/commas/trace", test_trace, test_commas);
  g_test_add_data_func ("/filter/commas/matrix", test_matrix_last_values, test_commas);
  return g_test_run ();
}
