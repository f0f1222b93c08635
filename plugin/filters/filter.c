#include "filter.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct FilterSettings {
  const Filter *filter;
  double values[];
};

/* Properties. */

int
filter_find_property (const Filter *filter, const char *name)
{
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    if (strcmp (filter->properties[i].name, name) == 0)
      return (int) i;
  return -1;
}

const FilterChoice *
filter_property_get_choices (const FilterProperty *property)
{
  static const FilterChoice switched[] = { [FALSE] = { "no" }, [TRUE] = { "yes" }, { NULL } };

  return property->type == FILTER_SWITCH ? switched : property->choices;
}

int
filter_property_find_choice (const FilterProperty *property, const char *name)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  int i;

  for (i = 0; choices[i].name; i++)
    if (strcmp (choices[i].name, name) == 0)
      return i;
  return -1;
}

/* The largest value that may be. */
static double
get_maximum (const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  double last = property->maximum;

  if (choices)
    for (last = -1.0; choices[(int) last + 1].name; last++)
      ;
  return last;
}

char *
filter_property_print (const FilterProperty *property, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  if (property->type == FILTER_NUMBER)
    return g_strdup (g_ascii_dtostr (number, sizeof number, value));
  if (property->type == FILTER_WHOLE_NUMBER)
    return g_strdup_printf ("%d", (int) value);
  return g_strdup (filter_property_get_choices (property)[(int) value].name);
}

/* Settings. */

static gsize
get_size (const Filter *filter)
{
  return sizeof (FilterSettings) + filter->n_properties * sizeof (double);
}

FilterSettings *
filter_settings_new (const Filter *filter)
{
  FilterSettings *settings = g_malloc (get_size (filter));
  guint i;

  settings->filter = filter;
  for (i = 0; i < filter->n_properties; i++)
    settings->values[i] = filter->properties[i].initial;
  return settings;
}

FilterSettings *
filter_settings_copy (const FilterSettings *settings)
{
  return g_memdup2 (settings, get_size (settings->filter));
}

void
filter_settings_free (FilterSettings *settings)
{
  g_free (settings);
}

void
filter_settings_assign (FilterSettings *settings, const FilterSettings *from)
{
  memcpy (settings, from, get_size (from->filter));
}

const Filter *
filter_settings_get_filter (const FilterSettings *settings)
{
  return settings->filter;
}

double
filter_settings_get (const FilterSettings *settings, guint property)
{
  return settings->values[property];
}

void
filter_settings_set (FilterSettings *settings, guint property, double value)
{
  settings->values[property] = value;
}

FxDevice
filter_settings_get_device (const FilterSettings *settings)
{
  const Filter *filter = settings->filter;
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].role == FILTER_ROLE_DEVICE)
      return (FxDevice) settings->values[i];
  return FX_DEVICE_AUTO;
}

static gboolean
check_switch (const FilterProperty *property, double value, GError **error)
{
  if (value == FALSE || value == TRUE)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_ARGUMENT, _("%s is %d, but must be 0 (no) or 1 (yes)"),
               property->name, (int) value);
  return FALSE;
}

gboolean
filter_settings_check (const FilterSettings *settings, GError **error)
{
  const Filter *filter = settings->filter;
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].type == FILTER_SWITCH &&
        ! check_switch (&filter->properties[i], settings->values[i], error))
      return FALSE;
  return filter->check (settings, error) &&
         fx_device_check (filter_settings_get_device (settings), error);
}

/* Text: the version, then each property in parentheses, in their order. */

char *
filter_settings_to_text (const FilterSettings *settings)
{
  const Filter *filter = settings->filter;
  GString *text = g_string_new (NULL);
  guint i;

  g_string_printf (text, "%u", filter->version);
  for (i = 0; i < filter->n_properties; i++)
    {
      const FilterProperty *property = &filter->properties[i];
      g_autofree char *value = filter_property_print (property, settings->values[i]);

      g_string_append_printf (text, " (%s %s)", property->name, value);
    }
  return g_string_free (text, FALSE);
}

static double
parse_value (const FilterProperty *property, const char *text)
{
  return filter_property_get_choices (property) ? filter_property_find_choice (property, text)
                                                : g_ascii_strtod (text, NULL);
}

/* part: "NAME VALUE)". */
static gboolean
parse_property (const FilterProperty *property, const char *part, double *value)
{
  gsize name = strlen (property->name), length = strlen (part);
  g_autofree char *text = NULL;

  if (! g_str_has_prefix (part, property->name) || length < name + 2)
    return FALSE;
  text = g_strndup (part + name + 1, length - name - 2);
  *value = parse_value (property, text);
  return *value >= property->minimum && *value <= get_maximum (property);
}

static gboolean
parse (FilterSettings *settings, const char *text)
{
  const Filter *filter = settings->filter;
  g_auto (GStrv) parts = g_strsplit (text, " (", -1);
  guint i;

  if (g_strv_length (parts) != filter->n_properties + 1)
    return FALSE;
  for (i = 0; i < filter->n_properties; i++)
    if (! parse_property (&filter->properties[i], parts[i + 1], &settings->values[i]))
      return FALSE;
  return filter_settings_check (settings, NULL);
}

/* What would not be written again to the byte is none of ours: so parsing need not be strict. */
FilterSettings *
filter_settings_from_text (const Filter *filter, const char *text, gsize length)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);
  g_autofree char *given = g_strndup (text, length), *again = NULL;

  if (! parse (settings, given))
    return NULL;
  again = filter_settings_to_text (settings);
  return strlen (again) == length && memcmp (again, text, length) == 0 ? g_steal_pointer (&settings)
                                                                       : NULL;
}

char *
filter_settings_trace (const FilterSettings *settings)
{
  const Filter *filter = settings->filter;
  GString *text = g_string_new (NULL);
  guint i;

  for (i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].traced)
      {
        char number[G_ASCII_DTOSTR_BUF_SIZE];

        g_ascii_formatd (number, sizeof number, "%.2f", settings->values[i]);
        g_string_append_printf (text, "%s%s", filter->properties[i].traced, number);
      }
  return g_string_free (text, FALSE);
}
