/* The descriptions of filters: the contract of all. */
#include "filter-checks.h"

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
  g_autoptr (FilterMatrix) matrix = NULL;

  values[0] = 1.0;
  matrix = filter_matrix_new (rows, columns, rows * columns, values);
  filter_settings_set_matrix (settings, property, matrix);
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
  double maximum = filter_get_largest (property);

  g_test_message ("%s", property->name);
  if (property->type == FILTER_MATRIX)
    {
      check_sizes (filter, i);
      return;
    }
  g_assert_true (filter_passes (filter, i, property->minimum));
  g_assert_true (filter_passes (filter, i, maximum));
  g_assert_false (filter_passes (filter, i, get_beyond (property->minimum, -1)));
  g_assert_false (filter_passes (filter, i, get_beyond (maximum, 1)));
  if (property->type == FILTER_NUMBER)
    g_assert_false (filter_passes (filter, i, NAN));
}

TEST (test_ranges, "/filter/ranges")
{
  for (int f = 0; filters[f]; f++)
    for (guint i = 0; i < filters[f]->n_properties; i++)
      check_range (filters[f], i);
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
  g_assert_cmpint (filter_find_property (filters[0], "none"), ==, -1);
}

/* GIMP's search looks at a menu item's label and at this text of the filter's. */
TEST (test_search, "/filter/search")
{
  static const struct {
    const char *procedure, *word;
  } searches[] = { { "plug-in-cuda-lens-blur", "bokeh" },
                   { "plug-in-cuda-lens-blur", "focus" },
                   { "plug-in-cuda-convolve", "kernel" },
                   { "plug-in-cuda-selective-blur", "noise" } };

  for (guint i = 0; i < G_N_ELEMENTS (searches); i++)
    g_assert_nonnull (strstr (filters_find (searches[i].procedure)->blurb, searches[i].word));
}

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
