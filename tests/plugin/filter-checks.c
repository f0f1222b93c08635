#include "filter-checks.h"

#include <locale.h>

double
filter_get_largest (const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  int last = 0;

  if (! choices)
    return property->maximum;
  while (choices[last + 1].name)
    last++;
  return last;
}

gboolean
filter_passes (const FilterDescription *filter, guint property, double value)
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

gboolean
filter_reads (const FilterDescription *filter, const char *text, gsize length)
{
  g_autoptr (FilterSettings) read = filter_settings_from_text (filter, text, length, NULL);

  return read != NULL;
}

void
filter_check_damaged (const FilterDescription *filter, const char *text)
{
  gsize length = strlen (text);

  g_assert_true (filter_reads (filter, text, length));
  for (gsize i = 0; i < length; i++)
    {
      g_autofree char *changed = g_strdup (text);

      changed[i] ^= 0x40; /* no digit becomes another one */
      g_assert_false (filter_reads (filter, text, i));
      g_assert_false (filter_reads (filter, changed, length));
    }
}

void
filter_test_commas (gconstpointer test)
{
  if (! setlocale (LC_NUMERIC, "de_DE.UTF-8"))
    {
      g_test_skip ("no German locale");
      return;
    }
  ((void (*) (void)) test) ();
  setlocale (LC_NUMERIC, "C");
}
