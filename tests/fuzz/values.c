/* The last values, a text that GIMP keeps: accepted values are in range, and are read back the same
 * after they are written. */
#include "fuzz.h"

#include "filter-words.h"
#include "filters.h"

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
  described = filter_settings_describe (settings, NULL);
  g_assert_true (! described || g_utf8_validate (described, -1, NULL));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  const FilterDescription *const *filter;

  for (filter = filters; *filter; filter++)
    check_values (*filter, (const char *) data, size);
  return 0;
}
