/* Settings as words of a command line: their effect, and their refusals. */
#include "filter-words.h"

#include "error.h"
#include "filters.h"
#include "test.h"

static double
get (const FilterSettings *settings, const char *name)
{
  int i = filter_find_property (filter_settings_get_filter (settings), name);

  return filter_settings_get (settings, (guint) i);
}

TEST (test_numbers, "/filter-words/numbers")
{
  char *words[] = { "sigma-x=8.5", "kernel-size=7", "abyss=white", "grow=yes" };
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterSettings)
    settings = filter_settings_from_words (&gaussian_blur, words, G_N_ELEMENTS (words), &error);
  g_autoptr (FilterSettings) initial = filter_settings_from_words (&gaussian_blur, NULL, 0, NULL);

  g_assert_no_error (error);
  g_assert_cmpfloat (get (settings, "sigma-x"), ==, 8.5);
  g_assert_cmpfloat (get (settings, "kernel-size"), ==, 7);
  g_assert_cmpfloat (get (settings, "abyss"), ==, FX_ABYSS_WHITE);
  g_assert_cmpfloat (get (settings, "grow"), ==, TRUE);
  g_assert_cmpfloat (get (settings, "sigma-y"), ==, get (initial, "sigma-y"));
}

TEST (test_matrix, "/filter-words/matrix")
{
  char *words[] = { "values=1.5 2 -3", "divisor=-2", "offset=.25" };
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterSettings) settings = filter_settings_from_words (&convolution_matrix, words,
                                                                    G_N_ELEMENTS (words), &error);
  const double values[] = { 1.5, 2, -3 };
  const FilterMatrix expected = { 1, 3, 3, values };

  g_assert_no_error (error);
  g_assert_true (filter_matrix_equal (filter_settings_get_matrix (settings, 0), &expected));
  g_assert_cmpfloat (get (settings, "divisor"), ==, -2);
  g_assert_cmpfloat (get (settings, "offset"), ==, 0.25);
}

/* Returns the value of a property that a preset's word gives. */
static double
read_word (const FilterProperty *property, const char *word)
{
  int choice = 0;

  if (property->type != FILTER_CHOICE)
    return g_ascii_strtod (word, NULL);
  while (! g_str_has_prefix (word, property->choices[choice].name))
    choice++;
  return choice;
}

/* Presets that come with a filter: each is valid, sets what it names, and leaves the rest. */
TEST (test_presets, "/filter-words/presets")
{
  for (int f = 0; filters[f]; f++)
    for (const FilterPreset *preset = filters[f]->presets; preset && preset->name; preset++)
      {
        g_autoptr (FilterSettings) settings = filter_settings_new (filters[f]);
        g_autoptr (GError) error = NULL;

        g_test_message ("%s", preset->name);
        filter_settings_set_preset (settings, preset, &error);
        g_assert_no_error (error);
        for (guint i = 0; i < filters[f]->n_properties; i++)
          {
            const FilterProperty *property = &filters[f]->properties[i];
            g_autofree char *name = g_strdup_printf ("%s=", property->name);
            const char *word = strstr (preset->words, name);
            double expected = word ? read_word (property, word + strlen (name)) : property->initial;

            g_assert_cmpfloat (filter_settings_get (settings, i), ==, expected);
          }
      }
}

/* Words that are wrong change nothing. */
TEST (test_wrong_preset, "/filter-words/wrong-preset")
{
  static const char *const wrong[] = { "radius=3 blades=2", "radius=3 sigma-x=2", "radius=3 ring" };
  g_autoptr (FilterSettings) settings = filter_settings_new (&lens_blur);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      const FilterPreset preset = { "wrong", wrong[i] };
      g_autoptr (GError) error = NULL;

      g_assert_false (filter_settings_set_preset (settings, &preset, &error));
      g_assert_true (error->domain == FX_ERROR);
      g_assert_cmpfloat (get (settings, "radius"), ==, 10);
    }
}

static void
assert_refused (const char *word, const char *message)
{
  char *words[] = { "divisor=1", (char *) word };
  g_autoptr (GError) error = NULL;

  g_assert_null (filter_settings_from_words (&convolution_matrix, words, 2, &error));
  g_test_message ("%s", error->message);
  g_assert_true (error->domain == FX_ERROR);
  g_assert_nonnull (strstr (error->message, message));
}

TEST (test_refused, "/filter-words/refused")
{
  assert_refused ("divisor=x", "divisor is 'x'");
  assert_refused ("divisor=1,5", "divisor is '1,5'");
  assert_refused ("divisor=", "divisor is ''");
  assert_refused ("divisor=nan", "divisor is nan");
  assert_refused ("channels=1.5", "channels is '1.5'");
  assert_refused ("channels=1e99", "channels is '1e99'");
  assert_refused ("channels=16", "channels is 16");
  assert_refused ("abyss=3", "abyss is '3', but must be one of: clamp, none, black, white");
  assert_refused ("sigma-x=3", "'sigma-x=3' names no property");
  assert_refused ("divisor", "'divisor' names no property");
  assert_refused ("values=1 2", "columns is 2");
  assert_refused ("values=", "no number");
}
