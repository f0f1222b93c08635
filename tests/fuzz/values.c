/* The last values, a text that GIMP keeps: accepted values are in range, and are read back the same
 * after they are written. */
#include "fuzz.h"

#include "filter-words.h"
#include "filters.h"

static void
check_values (const FilterDescription *filter, const char *bytes, gsize size)
{
  g_autoptr (FilterSettings) settings = filter_settings_from_bytes (filter, bytes, size, NULL);
  g_autoptr (FilterSettings) again = NULL;
  g_autofree char *kept = NULL, *traced = NULL, *described = NULL;
  gsize length;

  if (! settings)
    return;
  g_assert_true (filter_settings_check (settings, NULL));
  kept = filter_settings_to_bytes (settings, &length);
  again = filter_settings_from_bytes (filter, kept, length, NULL);
  g_assert_true (again && filter_settings_equal (again, settings));
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
