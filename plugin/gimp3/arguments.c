#include "arguments.h"

#include "matrix-text.h"
#include "value.h"

#include <glib/gi18n-lib.h>

/* Adding. */

/* Takes the place of a number of GIMP 2.10's by the name of the choice. If GIMP knew the choices, a
 * script that names another one would get the initial one, with a warning on the terminal. */
static void
add_choice (GimpProcedure *procedure, const FilterProperty *property, const char *tooltip)
{
  g_autofree char *names = filter_property_list_choices (property);
  g_autofree char *blurb = g_strdup_printf ("%s (%s)", tooltip, names);

  gimp_procedure_add_string_argument (procedure, property->name, _ (property->label), blurb,
                                      property->choices[(int) property->initial].name,
                                      G_PARAM_READWRITE);
}

/* Python has no way to pass an array of doubles, so a matrix is a text, as for the operation. */
static void
add_matrix (GimpProcedure *procedure, const FilterProperty *property, const char *blurb)
{
  g_autofree char *text = matrix_text_print_line (property->matrix);

  gimp_procedure_add_string_argument (procedure, property->name, _ (property->label), blurb, text,
                                      G_PARAM_READWRITE);
}

static void
add_property (GimpProcedure *procedure, const FilterProperty *property)
{
  g_autofree char *blurb = filter_property_get_tooltip (property);

  switch (property->type)
    {
    case FILTER_NUMBER:
      gimp_procedure_add_double_argument (procedure, property->name, _ (property->label), blurb,
                                          property->minimum, property->maximum, property->initial,
                                          G_PARAM_READWRITE);
      break;
    case FILTER_WHOLE_NUMBER:
      gimp_procedure_add_int_argument (procedure, property->name, _ (property->label), blurb,
                                       (int) property->minimum, (int) property->maximum,
                                       (int) property->initial, G_PARAM_READWRITE);
      break;
    case FILTER_CHOICE:
      add_choice (procedure, property, blurb);
      break;
    case FILTER_SWITCH:
      gimp_procedure_add_boolean_argument (procedure, property->name, _ (property->label), blurb,
                                           property->initial != 0.0, G_PARAM_READWRITE);
      break;
    case FILTER_MATRIX:
      add_matrix (procedure, property, blurb);
      break;
    }
}

void
arguments_add (GimpProcedure *procedure, const FilterDescription *filter)
{
  if (filter->map.label)
    gimp_procedure_add_drawable_argument (procedure, ARGUMENTS_MAP, _ (filter->map.label),
                                          _ (filter->map.tooltip), TRUE, G_PARAM_READWRITE);
  for (guint i = 0; i < filter->n_properties; i++)
    add_property (procedure, &filter->properties[i]);
  if (filter->map.label)
    return;
  gimp_procedure_add_boolean_argument (procedure, ARGUMENTS_AS_EFFECT, _ ("_As an effect"),
                                       _ ("Leave a layer effect, which can be edited later, "
                                          "instead of changing the pixels"),
                                       FALSE, G_PARAM_READWRITE);
}

GList *
arguments_list_shown (const FilterDescription *filter)
{
  gboolean map = filter->map.label != NULL;
  GList *names = map ? NULL : g_list_prepend (NULL, (gpointer) ARGUMENTS_AS_EFFECT);

  for (guint i = filter->n_properties; i-- > 0;)
    names = g_list_prepend (names,
                            (gpointer) filter->properties[filter_get_shown (filter, i)].name);
  return map ? g_list_prepend (names, (gpointer) ARGUMENTS_MAP) : names;
}

/* Values. */

FilterSettings *
arguments_get (GimpProcedureConfig *config, const FilterDescription *filter, GError **error)
{
  g_autoptr (FilterSettings) settings = filter_settings_new (filter);

  for (guint i = 0; i < filter->n_properties; i++)
    if (! value_take (config, filter->properties[i].name, settings, i, error))
      return NULL;
  return filter_settings_check (settings, error) ? g_steal_pointer (&settings) : NULL;
}

void
arguments_set (GimpProcedureConfig *config, const FilterSettings *settings)
{
  const FilterDescription *filter = filter_settings_get_filter (settings);

  for (guint i = 0; i < filter->n_properties; i++)
    value_store (config, filter->properties[i].name, settings, i);
}
