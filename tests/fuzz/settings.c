/* Files of settings, of each filter: accepted settings have passed the check, and are read back the
 * same after they are written. The filter then makes a plan of them. */
#include "fuzz.h"

#include "filter-words.h"
#include "filters.h"
#include "settings-file.h"
#include "temporary.h"

static void
check_settings (const FilterSettings *settings)
{
  static const FxFormat format = { .sample = FX_SAMPLE_U8, .channels = 4, .gamma = TRUE };
  static const FxGeometry geometry = { .width = 640.0, .height = 480.0 };
  const FilterDescription *filter = filter_settings_get_filter (settings);
  gsize length;
  g_autofree char *bytes = filter_settings_to_bytes (settings, &length);
  g_autoptr (FilterSettings) again = filter_settings_from_bytes (filter, bytes, length, NULL);
  g_autoptr (FxPlan) plan = NULL;
  int x = -1, y = -1;

  g_assert_true (filter_settings_check (settings, NULL));
  g_assert_true (again && filter_settings_equal (again, settings));
  plan = filter_settings_make_plan (settings, &format, &geometry, FALSE);
  g_assert_nonnull (plan);
  filter_settings_get_growth (settings, &geometry, &x, &y);
  g_assert_true (x >= 0 && y >= 0);
}

static void
check_import (const FilterDescription *filter, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FilterSettings) settings = settings_file_import (filter, path, &error);
  g_autoptr (FilterSettings) again = NULL;
  g_autofree char *copy = temporary_get_path ("export");

  g_assert_true (! settings == (error != NULL));
  if (! settings)
    return;
  check_settings (settings);
  g_assert_true (settings_file_export (copy, settings, NULL));
  again = settings_file_import (filter, copy, NULL);
  g_assert_nonnull (again);
  g_assert_true (filter_settings_equal (settings, again));
}

static void
check_preset (const Preset *preset, const Preset *again)
{
  g_assert_true (*preset->name && g_utf8_validate (preset->name, -1, NULL));
  g_assert_cmpstr (preset->name, ==, again->name);
  check_settings (preset->settings);
  g_assert_true (filter_settings_equal (preset->settings, again->settings));
}

static void
check_presets (const FilterDescription *filter, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) presets = settings_file_read_presets (filter, path, &error);
  g_autoptr (GPtrArray) again = NULL;
  g_autofree char *copy = temporary_get_path ("presets");

  g_assert_true (! presets == (error != NULL));
  if (! presets || presets->len == 0)
    return;
  g_assert_true (settings_file_write_presets (filter, copy, presets, NULL));
  again = settings_file_read_presets (filter, copy, NULL);
  g_assert_true (again && again->len == presets->len);
  for (guint i = 0; i < presets->len; i++)
    check_preset (g_ptr_array_index (presets, i), g_ptr_array_index (again, i));
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  g_autofree char *path = temporary_set_contents ("settings", data, size);
  const FilterDescription *const *filter;

  for (filter = filters; *filter; filter++)
    {
      check_import (*filter, path);
      check_presets (*filter, path);
    }
  return 0;
}
