#include "value.h"

#include <glib-object.h>

void
value_store (gpointer object, const char *name, const FilterSettings *settings, guint property)
{
  g_autofree char *text = NULL;

  switch (filter_settings_get_filter (settings)->properties[property].type)
    {
    case FILTER_NUMBER:
      g_object_set (object, name, filter_settings_get (settings, property), NULL);
      break;
    case FILTER_WHOLE_NUMBER:
    case FILTER_SWITCH:
      g_object_set (object, name, filter_settings_get_int (settings, property), NULL);
      break;
    case FILTER_CHOICE:
    case FILTER_MATRIX:
      text = filter_settings_print (settings, property);
      g_object_set (object, name, text, NULL);
      break;
    }
}

gboolean
value_take (gpointer object, const char *name, FilterSettings *settings, guint property,
            GError **error)
{
  g_autofree char *text = NULL;
  double number = 0.0;
  int whole = 0;

  switch (filter_settings_get_filter (settings)->properties[property].type)
    {
    case FILTER_NUMBER:
      g_object_get (object, name, &number, NULL);
      break;
    case FILTER_WHOLE_NUMBER:
    case FILTER_SWITCH:
      g_object_get (object, name, &whole, NULL);
      number = whole;
      break;
    case FILTER_CHOICE:
    case FILTER_MATRIX:
      g_object_get (object, name, &text, NULL);
      return filter_settings_parse (settings, property, text ? text : "", error);
    }
  filter_settings_set (settings, property, number);
  return TRUE;
}
