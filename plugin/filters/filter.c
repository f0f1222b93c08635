#include "filter.h"

#include "matrix-text.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

typedef union {
  double number;
  FilterMatrix *matrix;
} Value;

struct FilterSettings {
  const FilterDescription *filter;
  FilterMap *map; /* or NULL */
  Value values[];
};

/* Properties. */

const char *
filter_property_get_operation_name (const FilterProperty *property)
{
  if (property->role == FILTER_ROLE_GROW)
    return "clip-extent";
  return property->operation_name ? property->operation_name : property->name;
}

char *
filter_property_get_tooltip (const FilterProperty *property)
{
  if (! property->automatic.tooltip)
    return g_strdup (_ (property->tooltip));
  return g_strconcat (_ (property->tooltip), ". 0: ", _ (property->automatic.tooltip), NULL);
}

char *
filter_property_get_blurb (const FilterProperty *property)
{
  const FilterChoice *choices = property->bits ? property->bits
                                               : filter_property_get_choices (property);
  GString *text = g_string_new (property->tooltip);

  if (property->automatic.tooltip)
    g_string_append_printf (text, ". 0: %s", property->automatic.tooltip);
  for (int i = 0; choices && choices[i].name; i++)
    g_string_append_printf (text, "%s%s (%d)", i > 0 ? ", " : ": ", choices[i].name,
                            property->bits ? 1 << i : i);
  if (property->minimum < property->maximum)
    g_string_append_printf (text, " (%g <= %s <= %g)", property->minimum, property->name,
                            property->maximum);
  return g_string_free (text, FALSE);
}

int
filter_find_property (const FilterDescription *filter, const char *name)
{
  for (guint i = 0; i < filter->n_properties; i++)
    if (strcmp (filter->properties[i].name, name) == 0)
      return (int) i;
  return -1;
}

int
filter_find_role (const FilterDescription *filter, FilterRole role)
{
  for (guint i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].role == role)
      return (int) i;
  return -1;
}

int
filter_find_matrix (const FilterDescription *filter)
{
  for (guint i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].type == FILTER_MATRIX)
      return (int) i;
  return -1;
}

guint
filter_get_shown (const FilterDescription *filter, guint place)
{
  for (gboolean last = FALSE; last <= TRUE; last++)
    for (guint i = 0; i < filter->n_properties; i++)
      if (filter->properties[i].last == last && place-- == 0)
        return i;
  g_return_val_if_reached (0);
}

const FilterChoice *
filter_property_get_choices (const FilterProperty *property)
{
  static const FilterChoice switched[] = { [FALSE] = { "no" }, [TRUE] = { "yes" }, { NULL } };

  return property->type == FILTER_SWITCH ? switched : property->choices;
}

/* Returns the index of the choice with that name, or -1. */
static int
find_choice (const FilterProperty *property, const char *name)
{
  const FilterChoice *choices = filter_property_get_choices (property);

  for (int i = 0; choices[i].name; i++)
    if (strcmp (choices[i].name, name) == 0)
      return i;
  return -1;
}

char *
filter_property_list_choices (const FilterProperty *property)
{
  const FilterChoice *choices = filter_property_get_choices (property);
  GString *names = g_string_new (choices[0].name);

  for (int i = 1; choices[i].name; i++)
    g_string_append_printf (names, ", %s", choices[i].name);
  return g_string_free (names, FALSE);
}

/* Settings. */

static gboolean
is_matrix (const FilterDescription *filter, guint property)
{
  return filter->properties[property].type == FILTER_MATRIX;
}

FilterSettings *
filter_settings_new (const FilterDescription *filter)
{
  FilterSettings *settings = g_malloc0 (sizeof *settings +
                                        filter->n_properties * sizeof settings->values[0]);

  settings->filter = filter;
  for (guint i = 0; i < filter->n_properties; i++)
    if (is_matrix (filter, i))
      settings->values[i].matrix = filter_matrix_ref (filter->properties[i].matrix);
    else
      settings->values[i].number = filter->properties[i].initial;
  return settings;
}

FilterSettings *
filter_settings_copy (const FilterSettings *settings)
{
  FilterSettings *copy = filter_settings_new (settings->filter);

  filter_settings_assign (copy, settings);
  return copy;
}

void
filter_settings_free (FilterSettings *settings)
{
  for (guint i = 0; settings && i < settings->filter->n_properties; i++)
    if (is_matrix (settings->filter, i))
      filter_matrix_free (settings->values[i].matrix);
  if (settings)
    filter_map_free (settings->map);
  g_free (settings);
}

void
filter_settings_assign (FilterSettings *settings, const FilterSettings *from)
{
  const FilterDescription *filter = from->filter;

  for (guint i = 0; i < filter->n_properties; i++)
    if (is_matrix (filter, i))
      filter_settings_set_matrix (settings, i, from->values[i].matrix);
    else
      settings->values[i] = from->values[i];
  filter_settings_set_map (settings, from->map);
}

gboolean
filter_settings_equal (const FilterSettings *a, const FilterSettings *b)
{
  for (guint i = 0; i < a->filter->n_properties; i++)
    if (is_matrix (a->filter, i) ? ! filter_matrix_equal (a->values[i].matrix, b->values[i].matrix)
                                 : a->values[i].number != b->values[i].number)
      return FALSE;
  return a->map == b->map;
}

const FilterDescription *
filter_settings_get_filter (const FilterSettings *settings)
{
  return settings->filter;
}

void
filter_settings_get_params (const FilterSettings *settings, gpointer params)
{
  const FilterDescription *filter = settings->filter;

  for (guint i = 0; i < filter->n_properties; i++)
    {
      FilterPlace place = filter->properties[i].place;

      if (place.size == sizeof (double))
        G_STRUCT_MEMBER (double, params, place.offset) = filter_settings_get (settings, i);
      else if (place.size > 0)
        G_STRUCT_MEMBER (int, params, place.offset) = filter_settings_get_int (settings, i);
    }
}

double
filter_settings_get (const FilterSettings *settings, guint property)
{
  return settings->values[property].number;
}

int
filter_settings_get_int (const FilterSettings *settings, guint property)
{
  return (int) filter_settings_get (settings, property);
}

void
filter_settings_set (FilterSettings *settings, guint property, double value)
{
  settings->values[property].number = value;
}

gboolean
filter_settings_use (const FilterSettings *settings, guint property)
{
  guint kinds = settings->filter->properties[property].kinds;

  return ! kinds || kinds >> filter_settings_get_int (settings, 0) & 1;
}

const FilterMatrix *
filter_settings_get_matrix (const FilterSettings *settings, guint property)
{
  return settings->values[property].matrix;
}

/* Takes the reference first: matrix may be the one that is replaced. */
void
filter_settings_set_matrix (FilterSettings *settings, guint property, const FilterMatrix *matrix)
{
  FilterMatrix *last = settings->values[property].matrix;

  settings->values[property].matrix = filter_matrix_ref (matrix);
  filter_matrix_free (last);
}

FilterMap *
filter_settings_get_map (const FilterSettings *settings)
{
  return settings->map;
}

/* Takes the reference first: map may be the one that is replaced. */
void
filter_settings_set_map (FilterSettings *settings, FilterMap *map)
{
  FilterMap *last = settings->map;

  settings->map = filter_map_ref (map);
  filter_map_free (last);
}

gboolean
filter_settings_use_linear_map (const FilterSettings *settings)
{
  int linear = filter_find_role (settings->filter, FILTER_ROLE_LINEAR_MAP);

  return linear >= 0 && settings->values[linear].number != 0.0;
}

char *
filter_settings_print (const FilterSettings *settings, guint property)
{
  const FilterProperty *is = &settings->filter->properties[property];
  const Value *value = &settings->values[property];
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  switch (is->type)
    {
    case FILTER_NUMBER:
      return g_strdup (g_ascii_dtostr (number, sizeof number, value->number));
    case FILTER_WHOLE_NUMBER:
      return g_strdup_printf ("%d", (int) value->number);
    case FILTER_MATRIX:
      return matrix_text_print_line (value->matrix);
    case FILTER_CHOICE:
    case FILTER_SWITCH:
      break;
    }
  return g_strdup (filter_property_get_choices (is)[(int) value->number].name);
}

static gboolean
parse_matrix (FilterSettings *settings, guint property, const char *text, GError **error)
{
  int largest = (int) settings->filter->properties[property].maximum;
  g_autoptr (FilterMatrix) matrix = matrix_text_parse (text, -1, largest, error);

  if (! matrix)
    return FALSE;
  filter_settings_set_matrix (settings, property, matrix);
  return TRUE;
}

static gboolean
filter_parse_number (const FilterProperty *property, const char *text, double *number,
                     GError **error)
{
  char *end;

  *number = g_ascii_strtod (text, &end);
  if (end == text || *end)
    return fx_refuse (error, _ ("%s is '%s', but must be a number"), property->name, text);
  if (property->type != FILTER_NUMBER &&
      ! (*number == floor (*number) && fabs (*number) <= G_MAXINT))
    return fx_refuse (error, _ ("%s is '%s', but must be a whole number"), property->name, text);
  return TRUE;
}

static gboolean
filter_parse_choice (const FilterProperty *property, const char *text, double *choice,
                     GError **error)
{
  g_autofree char *names = NULL;

  *choice = find_choice (property, text);
  if (*choice >= 0)
    return TRUE;
  names = filter_property_list_choices (property);
  return fx_refuse (error, _ ("%s is '%s', but must be one of: %s"), property->name, text, names);
}

gboolean
filter_settings_parse (FilterSettings *settings, guint property, const char *text, GError **error)
{
  const FilterProperty *is = &settings->filter->properties[property];
  double value;

  if (is->type == FILTER_MATRIX)
    return parse_matrix (settings, property, text, error);
  if (! (filter_property_get_choices (is) ? filter_parse_choice (is, text, &value, error)
                                          : filter_parse_number (is, text, &value, error)))
    return FALSE;
  filter_settings_set (settings, property, value);
  return TRUE;
}

void
filter_settings_drop_light (FilterSettings *settings, FxLight light)
{
  const FilterDescription *filter = settings->filter;

  for (guint i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].role == FILTER_ROLE_LIGHT)
      filter_settings_set (settings, i, light);
    else if (filter->properties[i].role == FILTER_ROLE_HIGHLIGHTS)
      filter_settings_set (settings, i, 0.0);
}

/* The format of coverage is linear. */
FxPlan *
filter_settings_make_plan (const FilterSettings *settings, const FxFormat *format,
                           const FxGeometry *geometry, gboolean coverage)
{
  g_autoptr (FilterSettings) used = filter_settings_copy (settings);
  FxPlan *plan;

  if (coverage)
    filter_settings_drop_light (used, FX_LIGHT_LINEAR);
  plan = settings->filter->make_plan (used, format, geometry, coverage);
  return plan ? plan : fx_plan_new_missing (format);
}

void
filter_settings_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                            int *y)
{
  int grow = filter_find_role (settings->filter, FILTER_ROLE_GROW);

  *x = *y = 0;
  if (grow >= 0 && settings->values[grow].number != 0.0)
    settings->filter->get_growth (settings, geometry, x, y);
}

void
filter_settings_set_grown (FilterSettings *settings)
{
  int abyss = filter_find_role (settings->filter, FILTER_ROLE_ABYSS);

  if (abyss >= 0)
    settings->values[abyss].number = FX_ABYSS_NONE;
}

FxDevice
filter_settings_get_device (const FilterSettings *settings)
{
  int device = filter_find_role (settings->filter, FILTER_ROLE_DEVICE);

  return device >= 0 ? (FxDevice) settings->values[device].number : FX_DEVICE_AUTO;
}

static gboolean
check_switch (const FilterProperty *property, double value, GError **error)
{
  if (value == FALSE || value == TRUE)
    return TRUE;
  return fx_refuse (error, _ ("%s is %d, but must be 0 (no) or 1 (yes)"), property->name,
                    (int) value);
}

/* If the size is out of range, the filter refuses it. */
static gboolean
filter_check_count (const FilterProperty *property, const FilterMatrix *matrix, GError **error)
{
  int rows = matrix->rows, columns = matrix->columns, largest = (int) property->maximum;

  if (rows < 1 || rows > largest || columns < 1 || columns > largest ||
      matrix->n_values == rows * columns)
    return TRUE;
  return filter_matrix_refuse_count (matrix->n_values, rows, columns, error);
}

static gboolean
check_value (const FilterProperty *property, const Value *value, GError **error)
{
  if (property->type == FILTER_SWITCH)
    return check_switch (property, value->number, error);
  return property->type != FILTER_MATRIX || filter_check_count (property, value->matrix, error);
}

gboolean
filter_settings_check (const FilterSettings *settings, GError **error)
{
  const FilterDescription *filter = settings->filter;

  for (guint i = 0; i < filter->n_properties; i++)
    if (! check_value (&filter->properties[i], &settings->values[i], error))
      return FALSE;
  return filter->check (settings, error) &&
         fx_device_check (filter_settings_get_device (settings), error);
}

/* A choice is its name. Two digits after the point are enough for a number, and the size is enough
 * for a matrix. */
static void
append_traced (GString *text, const FilterProperty *property, const Value *value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append (text, property->traced);
  if (property->type == FILTER_MATRIX)
    g_string_append_printf (text, "%dx%d", value->matrix->rows, value->matrix->columns);
  else if (property->type == FILTER_CHOICE)
    g_string_append (text, property->choices[(int) value->number].name);
  else
    g_string_append (text, g_ascii_formatd (number, sizeof number, "%.2f", value->number));
}

char *
filter_settings_describe (const FilterSettings *settings, const FxPlan *plan)
{
  const FilterDescription *filter = settings->filter;
  const FxFormat format = { .sample = FX_SAMPLE_U8, .channels = 3, .gamma = TRUE };
  const FxGeometry pixel = { .width = 1.0, .height = 1.0 };
  g_autoptr (FxPlan) own = NULL;

  if (! filter->describe)
    return NULL;
  if (! plan)
    own = filter_settings_make_plan (settings, &format, &pixel, FALSE);
  return filter->describe (settings, plan ? plan : own);
}

char *
filter_settings_trace (const FilterSettings *settings)
{
  const FilterDescription *filter = settings->filter;
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].traced && filter_settings_use (settings, i))
      append_traced (text, &filter->properties[i], &settings->values[i]);
  return g_string_free (text, FALSE);
}
