#include "properties.h"

#include "instance.h"
#include "matrix-text.h"

#include <glib/gi18n-lib.h>
#include <gegl-paramspecs.h>
#include <string.h>

#define FLAGS (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | GEGL_PARAM_PAD_INPUT)

/* IDs. */

static guint
count_bits (const FilterProperty *property)
{
  guint n = 0;

  while (property->bits && property->bits[n].name)
    n++;
  return n;
}

/* Returns the number of the operation's properties for that of the filter. */
static guint
count_ids (const FilterProperty *property)
{
  return property->type == FILTER_MATRIX ? 3 : count_bits (property) + 1;
}

static PropertyKind
get_kind (const FilterProperty *property, guint place)
{
  static const PropertyKind matrix[] = { PROPERTY_MATRIX, PROPERTY_PROBLEM, PROPERTY_INVALID };

  if (property->type == FILTER_MATRIX)
    return matrix[place];
  if (place < count_bits (property))
    return PROPERTY_BIT;
  return property->role == FILTER_ROLE_GROW ? PROPERTY_CLIP_EXTENT : PROPERTY_SETTING;
}

Property
properties_find (const FilterDescription *filter, guint id)
{
  const FilterProperty *properties = filter->properties;
  guint place = id - 1;

  for (guint shown = 0; shown < filter->n_properties; shown++)
    {
      guint i = filter_get_shown (filter, shown);

      if (place < count_ids (&properties[i]))
        return (Property) { get_kind (&properties[i], place), i, place };
      place -= count_ids (&properties[i]);
    }
  if (filter->map.label && place < 2)
    return (Property) { PROPERTY_MAP_PLACE, 0, place };
  return (Property) { PROPERTY_FLOATS, 0, 0 };
}

/* Cuts off the colon that ends a label, and the space that French has before it. */
static void
cut_colon (GString *label)
{
  static const char *const ends[] = { ":", "\uff1a", " ", "\u00a0", "\u202f" };

  for (gsize i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (label->str, ends[i]))
      g_string_truncate (label, label->len - strlen (ends[i]));
}

/* Returns the translated label without mnemonic and last colon; free it. Where letters are not
 * Latin, a mnemonic stands in parentheses. */
static char *
get_nick (const char *label)
{
  GString *nick = g_string_new (NULL);

  for (; *label; label++)
    if (g_str_has_prefix (label, "(_") && label[2] && label[3] == ')')
      label += strlen ("(_X");
    else if (*label != '_')
      g_string_append_c (nick, *label);
  cut_colon (nick);
  return g_string_free (nick, FALSE);
}

/* Choices. */

static char *
get_enum_name (const FilterDescription *filter, const FilterProperty *property)
{
  g_autofree char *type_name = instance_get_type_name (filter);

  return g_strconcat (type_name, "-", property->name, NULL);
}

/* Returns the operation's number of a choice: of an abyss by GEGL's name for it that of GEGL's
 * enum, since bindings between enums pass the number. */
static int
get_enum_value (const FilterProperty *property, int index)
{
  static const int policies[] = {
    [FX_ABYSS_CLAMP] = 1,
    [FX_ABYSS_NONE] = 0,
    [FX_ABYSS_BLACK] = 2,
    [FX_ABYSS_WHITE] = 3,
  };

  return g_strcmp0 (property->operation_name, "abyss-policy") == 0 ? policies[index] : index;
}

static GEnumValue *
make_enum_values (const FilterProperty *property)
{
  const FilterChoice *choices = property->choices;
  GArray *values = g_array_new (TRUE, TRUE, sizeof (GEnumValue));

  for (int i = 0; choices[i].name; i++)
    {
      const GEnumValue value = { get_enum_value (property, i), _ (choices[i].label),
                                 choices[i].name };

      g_array_append_val (values, value);
    }
  return (GEnumValue *) (gpointer) g_array_free (values, FALSE);
}

/* GEGL registers a module's types twice. The values must stay as long as the type. */
static void
register_enum (GTypeModule *module, const FilterDescription *filter, const FilterProperty *property)
{
  g_autofree char *name = get_enum_name (filter, property);
  GQuark quark = g_quark_from_static_string ("cuda-blur-enum-values");
  GType type = g_type_from_name (name);
  GEnumValue *values = type ? g_type_get_qdata (type, quark) : NULL;

  if (! values)
    values = make_enum_values (property);
  type = g_type_module_register_enum (module, name, values);
  g_type_set_qdata (type, quark, values);
}

void
properties_register (GTypeModule *module, const FilterDescription *filter)
{
  for (guint i = 0; i < filter->n_properties; i++)
    if (filter->properties[i].type == FILTER_CHOICE)
      register_enum (module, filter, &filter->properties[i]);
}

/* Installing. */

static double
get_gamma (const FilterProperty *property)
{
  return property->gegl.ui_gamma > 0.0 ? property->gegl.ui_gamma : 1.0;
}

static GParamSpec *
properties_make_number (const FilterProperty *property, const char *nick)
{
  gboolean ranged = property->gegl.ui_minimum < property->gegl.ui_maximum;

  return gegl_param_spec_double (filter_property_get_operation_name (property), nick,
                                 _ (property->tooltip), property->minimum, property->maximum,
                                 property->initial,
                                 ranged ? property->gegl.ui_minimum : property->minimum,
                                 ranged ? property->gegl.ui_maximum : property->maximum,
                                 get_gamma (property), FLAGS);
}

static GParamSpec *
make_whole_number (const FilterProperty *property, const char *nick)
{
  g_autofree char *blurb = filter_property_get_tooltip (property);
  gboolean ranged = property->gegl.ui_minimum < property->gegl.ui_maximum;
  int step = MAX (property->automatic.step, 1);
  GParamSpec *spec = gegl_param_spec_int (filter_property_get_operation_name (property), nick,
                                          blurb, (int) property->minimum, (int) property->maximum,
                                          (int) property->initial,
                                          (int) (ranged ? property->gegl.ui_minimum
                                                        : property->minimum),
                                          (int) (ranged ? property->gegl.ui_maximum
                                                        : property->maximum),
                                          get_gamma (property), FLAGS);

  gegl_param_spec_int_set_steps (GEGL_PARAM_SPEC_INT (spec), step, 5 * step);
  return spec;
}

static GParamSpec *
properties_make_choice (const FilterDescription *filter, const FilterProperty *property,
                        const char *nick)
{
  g_autofree char *type = get_enum_name (filter, property);

  /* GIMP 3 offers only GEGL's own kind of enum to scripts. */
  return gegl_param_spec_enum (filter_property_get_operation_name (property), nick,
                               _ (property->tooltip), g_type_from_name (type),
                               get_enum_value (property, (int) property->initial), FLAGS);
}

/* A graph has no matrices, so the property is a text. */
static GParamSpec *
properties_make_matrix (const FilterProperty *property, const char *nick)
{
  g_autofree char *text = matrix_text_print (property->matrix);
  GParamSpec *spec = gegl_param_spec_string (filter_property_get_operation_name (property), nick,
                                             _ (property->tooltip), FALSE, FALSE, text, FLAGS);

  gegl_param_spec_set_property_key (spec, "multiline", "true");
  return spec;
}

static GParamSpec *
make_setting (const FilterDescription *filter, const FilterProperty *property)
{
  g_autofree char *nick = get_nick (
    _ (property->gegl.nick ? property->gegl.nick : property->label));

  switch (property->type)
    {
    case FILTER_NUMBER:
      return properties_make_number (property, nick);
    case FILTER_WHOLE_NUMBER:
      return make_whole_number (property, nick);
    case FILTER_CHOICE:
      return properties_make_choice (filter, property, nick);
    case FILTER_MATRIX:
      return properties_make_matrix (property, nick);
    case FILTER_SWITCH:
      break;
    }
  return g_param_spec_boolean (filter_property_get_operation_name (property), nick,
                               _ (property->tooltip), property->initial != 0.0, FLAGS);
}

static void
set_keys (GParamSpec *spec, const char *text)
{
  g_auto (GStrv) keys = g_strsplit (text ? text : "", " ", -1);

  for (guint i = 0; keys[i]; i++)
    {
      char *value = strchr (keys[i], '=');

      *value = '\0';
      gegl_param_spec_set_property_key (spec, keys[i], value + 1);
    }
}

/* Has GIMP's dialog hide a control that has no effect with the chosen kind, the first property:
 * "kind {line,zoom}". */
static void
set_kinds (GParamSpec *spec, const FilterProperty *kind, guint kinds)
{
  g_autoptr (GString) text = g_string_new (filter_property_get_operation_name (kind));
  const char *separator = " {";

  for (guint i = 0; kind->choices[i].name; i++)
    if (kinds >> i & 1)
      {
        g_string_append_printf (text, "%s%s", separator, kind->choices[i].name);
        separator = ",";
      }
  g_string_append_c (text, '}');
  gegl_param_spec_set_property_key (spec, "visible", text->str);
}

static GParamSpec *
make_setting_with_keys (const FilterDescription *filter, const FilterProperty *property)
{
  GParamSpec *spec = make_setting (filter, property);

  set_keys (spec, property->gegl.keys);
  if (property->bits)
    gegl_param_spec_set_property_key (spec, "visible", "0"); /* its switches are */
  if (property->kinds)
    set_kinds (spec, filter->properties, property->kinds);
  return spec;
}

static GParamSpec *
make_clip_extent (void)
{
  return g_param_spec_boolean ("clip-extent", _ ("Clip to the input extent"),
                               _ ("The result is no larger than the input"), TRUE, FLAGS);
}

static GParamSpec *
make_bit (const FilterProperty *property, guint bit)
{
  g_autofree char *nick = get_nick (_ (property->bits[bit].label));

  return g_param_spec_boolean (property->bits[bit].name, nick, _ (property->tooltip), TRUE, FLAGS);
}

/* GIMP 3 shows a property with this key in a box, at once when it changes. An empty text alone does
 * not hide the box. */
static GParamSpec *
make_problem (void)
{
  GParamSpec *spec = gegl_param_spec_string ("problem", _ ("The pixels stay as they are"),
                                             "What is wrong with the settings", FALSE, FALSE, "",
                                             FLAGS);

  gegl_param_spec_set_property_key (spec, "error", "true");
  gegl_param_spec_set_property_key (spec, "visible", "invalid");
  return spec;
}

/* Makes a switch that is not for users: GIMP does not show it. */
static GParamSpec *
make_hidden (const char *name, const char *blurb)
{
  GParamSpec *spec = g_param_spec_boolean (name, name, blurb, FALSE, FLAGS);

  gegl_param_spec_set_property_key (spec, "visible", "0");
  return spec;
}

/* For GIMP 3, which lays a map over the upper left corner of a layer, wherever both are. */
static GParamSpec *
make_map_place (guint axis)
{
  static const char *const names[] = { "map-x", "map-y" };
  GParamSpec *spec = g_param_spec_int (names[axis], names[axis], "Where the map lies, in pixels",
                                       -FX_SIZE_MAX, FX_SIZE_MAX, 0, FLAGS);

  gegl_param_spec_set_property_key (spec, "visible", "0");
  return spec;
}

static GParamSpec *
make_spec (const FilterDescription *filter, const Property *property)
{
  const FilterProperty *of = &filter->properties[property->index];

  switch (property->kind)
    {
    case PROPERTY_PROBLEM:
      return make_problem ();
    case PROPERTY_INVALID:
      return make_hidden ("invalid", "Whether there is a problem");
    case PROPERTY_BIT:
      return make_bit (of, property->bit);
    case PROPERTY_CLIP_EXTENT:
      return make_clip_extent ();
    case PROPERTY_MAP_PLACE:
      return make_map_place (property->bit);
    case PROPERTY_FLOATS:
      return make_hidden ("floats", "The result is in floats");
    case PROPERTY_SETTING:
    case PROPERTY_MATRIX:
      break;
    }
  return make_setting_with_keys (filter, of);
}

void
properties_install (GObjectClass *class, const FilterDescription *filter)
{
  Property property = { 0 };

  for (guint id = 1; property.kind != PROPERTY_FLOATS; id++)
    {
      property = properties_find (filter, id);
      g_object_class_install_property (class, id, make_spec (filter, &property));
    }
}

/* Values. */

/* Returns the valid number to take in place of value, which is now set for the property. */
static int
to_valid (const FilterProperty *property, const FilterSettings *settings, guint index, int value)
{
  int step = MAX (property->automatic.step, 1), over = (value - 1) % step;
  int last = filter_settings_get_int (settings, index);

  if (value > 0 && value < property->least)
    return value < last ? 0 : property->least;
  if (value <= 0 || over == 0)
    return value;
  if (last == 0 && value <= step)
    return property->automatic.get (settings);
  return value < last ? value - over : value + step - over;
}

static int
find_choice (const FilterProperty *property, int value)
{
  for (int i = 0; property->choices[i].name; i++)
    if (get_enum_value (property, i) == value)
      return i;
  return (int) property->initial;
}

gboolean
properties_set (const FilterDescription *filter, FilterSettings *settings, guint index,
                const GValue *value)
{
  const FilterProperty *property = &filter->properties[index];
  g_auto (GValue) whole = G_VALUE_INIT;
  int given, taken;

  if (property->type == FILTER_NUMBER)
    {
      filter_settings_set (settings, index, g_value_get_double (value));
      return FALSE;
    }
  g_value_init (&whole, G_TYPE_INT);
  g_value_transform (value, &whole);
  given = g_value_get_int (&whole);
  if (property->type == FILTER_CHOICE)
    given = find_choice (property, given);
  taken = to_valid (property, settings, index, given);
  filter_settings_set (settings, index, taken);
  return taken != given;
}

void
properties_get (const FilterDescription *filter, const FilterSettings *settings, guint index,
                GValue *value)
{
  const FilterProperty *property = &filter->properties[index];
  double number = filter_settings_get (settings, index);
  g_auto (GValue) whole = G_VALUE_INIT;

  if (property->type == FILTER_NUMBER)
    {
      g_value_set_double (value, number);
      return;
    }
  g_value_init (&whole, G_TYPE_INT);
  g_value_set_int (&whole, get_enum_value (property, (int) number));
  g_value_transform (&whole, value);
}
