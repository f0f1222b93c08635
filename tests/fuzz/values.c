/* The last values, a text that GIMP keeps: accepted values are in range, and are read back the same
 * after they are written; and sigma as the program for files takes it, any number that strtod
 * reads. */
#include "fuzz.h"

#include "filter-words.h"
#include "filters.h"

#include <math.h>

static void
check_values (const FilterDescription *filter, const char *text, gsize size)
{
  g_autoptr (FilterSettings) settings = filter_settings_from_text (filter, text, size, NULL);
  g_autoptr (FilterSettings) again = NULL;
  g_autofree char *kept = NULL, *other = NULL, *traced = NULL, *described = NULL;

  if (! settings)
    return;
  g_assert_true (filter_settings_check (settings, NULL));
  kept = filter_settings_to_text (settings);
  again = filter_settings_from_text (filter, kept, strlen (kept), NULL);
  g_assert_nonnull (again);
  other = filter_settings_to_text (again);
  g_assert_cmpstr (kept, ==, other);
  traced = filter_settings_trace (settings);
  g_assert_nonnull (traced);
  if (filter->describe)
    {
      described = filter->describe (settings);
      g_assert_true (g_utf8_validate (described, -1, NULL));
    }
}

static void
check_sigma (const char *text)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (&gaussian_blur);
  double sigma = g_ascii_strtod (text, NULL);
  gboolean in_range = sigma >= 0.0 && sigma <= 5000.0;

  filter_settings_set (settings, (guint) filter_find_property (&gaussian_blur, "sigma-x"), sigma);
  g_assert_cmpint (filter_settings_check (settings, NULL), ==, in_range);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  const FilterDescription *const *filter;

  for (filter = filters; *filter; filter++)
    check_values (*filter, (const char *) data, size);
  check_sigma (text);
  return 0;
}
