/* The Gaussian blur's description. */
#include "filter-checks.h"

#define SIGMA_X     0
#define KERNEL_SIZE 2
#define ABYSS       3
#define GROW        5
#define DEVICE      6

TEST (test_defaults, "/filter/defaults")
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  GError *error = NULL;

  filter_settings_check (settings, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < gaussian_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, i < KERNEL_SIZE ? 3.0 : 0.0);
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
  g_autoptr (FilterSettings) read = filter_settings_from_text (filter, text, strlen (text), NULL);

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
      filter_settings_set (settings, i, filter_get_largest (property));
      assert_returns (settings);
    }
  for (guint i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      filter_settings_set (settings, SIGMA_X, odd[i]);
      assert_returns (settings);
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

  filter_check_damaged (&gaussian_blur, text);
  g_assert_false (filter_reads (&gaussian_blur, text, sizeof text)); /* with its end */
  g_assert_false (filter_reads (&gaussian_blur, (const char *) raw, sizeof raw));
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (filter_reads (&gaussian_blur, others[i], strlen (others[i])));
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
      g_assert_false (filter_reads (&gaussian_blur, text, strlen (text)));
    }
}

/* The engine's side. */

static void
assert_growth (const FilterSettings *settings, int expected)
{
  int x, y;

  gaussian_blur.get_growth (settings, &(FxGeometry) { 0 }, &x, &y);
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
  g_autoptr (FxPlan) plan = gaussian_blur.make_plan (settings, &format, &(FxGeometry) { 0 }, FALSE);

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

TESTS (add_commas)
{
  g_test_add_data_func ("/filter/commas/last-values", test_last_values, filter_test_commas);
  g_test_add_data_func ("/filter/commas/trace", test_trace, filter_test_commas);
}
