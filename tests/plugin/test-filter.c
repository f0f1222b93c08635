/* The descriptions of filters: what must hold of each, and the one of the Gaussian. */
#include "filters.h"
#include "gaussian-blur.h"

#include <locale.h>
#include <math.h>
#include <string.h>

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

/* Whether settings with that value pass; if not, the error must name the property. */
static gboolean
passes (const Filter *filter, guint property, double value)
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

/* The engine, which has the last word, takes what the description says, and nothing beyond. */
static void
check_range (const Filter *filter, guint i)
{
  const FilterProperty *property = &filter->properties[i];
  gboolean chosen = filter_property_get_choices (property) != NULL;
  double maximum = chosen ? get_last_choice (property) : property->maximum;

  g_test_message ("%s", property->name);
  g_assert_true (passes (filter, i, property->minimum));
  g_assert_true (passes (filter, i, maximum));
  g_assert_false (passes (filter, i, property->minimum - 1));
  g_assert_false (passes (filter, i, maximum + 1));
  if (property->type == FILTER_NUMBER)
    g_assert_false (passes (filter, i, NAN));
}

static void
test_ranges (void)
{
  int f;
  guint i;

  for (f = 0; filters[f]; f++)
    for (i = 0; i < filters[f]->n_properties; i++)
      check_range (filters[f], i);
}

static void
test_defaults (void)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  GError *error = NULL;
  guint i;

  filter_settings_check (settings, &error);
  g_assert_no_error (error);
  for (i = 0; i < gaussian_blur.n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (settings, i), ==, i < KERNEL_SIZE ? 3.0 : 0.0);
}

/* A text of the procedure's says every number that a caller may give. */
static void
check_blurb (const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  g_autofree char *most = NULL;
  int i;

  g_test_message ("%s: %s", property->name, property->blurb);
  if (choices)
    for (i = 0; choices[i].name; i++)
      {
        g_autofree char *number = g_strdup_printf (" (%d)", i);

        g_assert_nonnull (strstr (property->blurb, number));
      }
  else
    {
      most = g_strdup_printf ("<= %s <= %g", property->name, property->maximum);
      g_assert_nonnull (strstr (property->blurb, most));
    }
}

static void
test_texts (void)
{
  int f;
  guint i;

  for (f = 0; filters[f]; f++)
    {
      g_assert_true (filters_find (filters[f]->procedure) == filters[f]);
      for (i = 0; i < filters[f]->n_properties; i++)
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

static void
test_messages (void)
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
  const Filter *filter = filter_settings_get_filter (settings);
  g_autofree char *text = filter_settings_to_text (settings);
  g_autoptr (FilterSettings) read = filter_settings_from_text (filter, text, strlen (text));
  guint i;

  g_assert_nonnull (read);
  for (i = 0; i < filter->n_properties; i++)
    g_assert_cmpfloat (filter_settings_get (read, i), ==, filter_settings_get (settings, i));
}

/* Each property's extremes, and numbers of many digits. */
static void
test_last_values (void)
{
  static const double odd[] = { 5e-324, 1 / 3.0, 12.34567891, 4999.9 };
  const Filter *filter = &gaussian_blur;
  g_autoptr (FilterSettings) settings = make_settings ();
  g_autofree char *text = filter_settings_to_text (settings);
  guint i;

  g_assert_cmpstr (text, ==, TEXT);
  assert_returns (settings);
  for (i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];

      filter_settings_set (settings, i, property->minimum);
      assert_returns (settings);
      filter_settings_set (settings, i,
                           filter_property_get_choices (property) ? get_last_choice (property)
                                                                  : property->maximum);
      assert_returns (settings);
    }
  for (i = 0; i < G_N_ELEMENTS (odd); i++)
    {
      filter_settings_set (settings, SIGMA_X, odd[i]);
      assert_returns (settings);
    }
}

static gboolean
is_read (const char *text, gsize length)
{
  g_autoptr (FilterSettings) read = filter_settings_from_text (&gaussian_blur, text, length);

  return read != NULL;
}

/* Of another version, cut off anywhere, changed anywhere, or the raw bytes that there were once. */
static void
test_damaged_last_values (void)
{
  static const char text[] = TEXT;
  static const char *const others[] = {
    "", "1", "2 (sigma-x 3)", "1 (sigma-x 3)", TEXT " ", TEXT " (later 1)", " " TEXT,
  };
  static const guint8 raw[48] = { 0, 0, 0, 0, 0, 0, 8, 64 };
  char changed[sizeof text];
  gsize i;

  g_assert_true (is_read (text, sizeof text - 1));
  g_assert_false (is_read (text, sizeof text)); /* with its end */
  g_assert_false (is_read ((const char *) raw, sizeof raw));
  for (i = 0; i < sizeof text - 1; i++)
    {
      g_assert_false (is_read (text, i));
      memcpy (changed, text, sizeof text);
      changed[i] ^= 0x40; /* no digit becomes another one */
      g_assert_false (is_read (changed, sizeof text - 1));
    }
  for (i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (is_read (others[i], strlen (others[i])));
}

/* What is out of range is damaged as well. */
static void
test_wrong_last_values (void)
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
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (GStrv) parts = g_strsplit (TEXT, changes[i].from, 2);
      g_autofree char *text = g_strjoinv (changes[i].to, parts);

      g_test_message ("%s", text);
      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      g_assert_false (is_read (text, strlen (text)));
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

static void
test_growth (void)
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

static void
test_identity (void)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);

  g_assert_false (is_identity (settings));
  filter_settings_set (settings, KERNEL_SIZE, 1);
  g_assert_true (is_identity (settings));
}

/* No locale's comma gets into what is kept or traced. */
static void
test_trace (void)
{
  g_autoptr (FilterSettings) settings = make_settings ();
  g_autofree char *trace = filter_settings_trace (settings);

  g_assert_cmpstr (trace, ==, "sigma 0.10 3.00");
}

int
main (int argc, char **argv)
{
  setlocale (LC_NUMERIC, "de_DE.UTF-8"); /* where there is one */
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/filter/ranges", test_ranges);
  g_test_add_func ("/filter/defaults", test_defaults);
  g_test_add_func ("/filter/texts", test_texts);
  g_test_add_func ("/filter/messages", test_messages);
  g_test_add_func ("/filter/last-values", test_last_values);
  g_test_add_func ("/filter/damaged-last-values", test_damaged_last_values);
  g_test_add_func ("/filter/wrong-last-values", test_wrong_last_values);
  g_test_add_func ("/filter/growth", test_growth);
  g_test_add_func ("/filter/identity", test_identity);
  g_test_add_func ("/filter/trace", test_trace);
  return g_test_run ();
}
