/* write-presets FOLDER: writes the presets that come with filters, as GIMP 3 has the user's own of
 * an operation: a file for each filter that has some, by GIMP's name for it. The build runs this.
 *
 * GIMP sets what a preset does not name to what a dialog begins with. So all settings are in each,
 * with their initial values in place of what the filter's preset leaves as it is. */
#include "filter-words.h"
#include "filters.h"

#include <glib/gstdio.h>

static char *
print_value (const FilterSettings *settings, guint property)
{
  const FilterProperty *is = &filter_settings_get_filter (settings)->properties[property];

  if (is->type == FILTER_NUMBER)
    return g_strdup_printf ("%.15g", filter_settings_get (settings, property));
  if (is->role == FILTER_ROLE_GROW)
    return g_strdup (filter_settings_get (settings, property) != 0.0 ? "no" : "yes");
  return filter_settings_print (settings, property);
}

static gboolean
append_preset (GString *text, const FilterDescription *filter, const FilterPreset *preset,
               GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);

  if (! filter_settings_set_words (settings, preset->words, error))
    return FALSE;
  g_string_append_printf (text, "(GimpGegl-%s-config \"%s\"", filter->name, preset->name);
  for (guint place = 0; place < filter->n_properties; place++)
    {
      guint i = filter_get_shown (filter, place);
      g_autofree char *value = print_value (settings, i);

      g_string_append_printf (text, "\n    (%s %s)",
                              filter_property_get_operation_name (&filter->properties[i]), value);
    }
  g_string_append (text, ")\n");
  return TRUE;
}

static gboolean
write_presets (const char *folder, const FilterDescription *filter, GError **error)
{
  g_autofree char *path = g_strdup_printf ("%s/GimpGegl-%s-config.settings", folder, filter->name);
  g_autoptr (GString) text = g_string_new (NULL);

  for (const FilterPreset *preset = filter->presets; preset && preset->name; preset++)
    if (! append_preset (text, filter, preset, error))
      return FALSE;
  return text->len == 0 || g_file_set_contents (path, text->str, (gssize) text->len, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  if (argc != 2)
    g_error ("usage: write-presets FOLDER");
  g_mkdir_with_parents (argv[1], 0755);
  for (guint i = 0; filters[i]; i++)
    if (! write_presets (argv[1], filters[i], &error))
      {
        g_printerr ("write-presets: %s: %s\n", filters[i]->name, error->message);
        return 1;
      }
  return 0;
}
