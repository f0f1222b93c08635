#include "values.h"

#include "error.h"
#include "matrix-text.h"
#include "problems.h"
#include "properties.h"

#include <string.h>

/* Returns a copy of text, or NULL if text is NULL or memory runs out. */
static char *
copy_text (const char *text)
{
  gsize size = text ? strlen (text) + 1 : 0;
  char *copy = text ? g_try_malloc (size) : NULL;

  return copy ? memcpy (copy, text, size) : NULL;
}

/* Call this under the lock. */
static void
set_matrix (Operation *operation, guint index, const char *text)
{
  const FilterProperty *property = &instance_get_filter (operation)->properties[index];
  g_autoptr (FilterMatrix) matrix = NULL;

  g_free (operation->text);
  operation->text = copy_text (text ? text : "");
  g_clear_error (&operation->unreadable);
  if (operation->text)
    matrix = matrix_text_parse (operation->text, -1, (int) property->maximum,
                                &operation->unreadable);
  else
    fx_set_no_memory (&operation->unreadable);
  if (matrix)
    filter_settings_set_matrix (operation->settings, index, matrix);
}

/* Returns the bits that are on, by the sum or else by the switches. Call this under the lock. */
static guint
get_bits (const Operation *operation)
{
  return operation->sum ? operation->sum : operation->bits;
}

gboolean
values_has_bits (const Operation *operation)
{
  return get_bits (operation) != 0;
}

/* All switches together are automatic, which the sum is if it is 0. Call this under the lock. */
static void
take_bits (Operation *operation, guint index)
{
  guint all = (guint) instance_get_filter (operation)->properties[index].maximum;

  filter_settings_set (operation->settings, index,
                       ! operation->sum && operation->bits == all ? 0 : get_bits (operation));
}

/* Call this under the lock. */
static void
set_bit (Operation *operation, const Property *property, gboolean on)
{
  guint all = (guint) instance_get_filter (operation)->properties[property->index].maximum;
  guint bit = 1u << property->bit, bits = get_bits (operation) & all;

  operation->bits = on ? bits | bit : bits & ~bit;
  operation->sum = 0;
  take_bits (operation, property->index);
}

/* Call this under the lock. Returns whether the value was replaced. */
static gboolean
set_setting (Operation *operation, guint index, const GValue *value)
{
  const FilterDescription *filter = instance_get_filter (operation);

  if (! filter->properties[index].bits)
    return properties_set (filter, operation->settings, index, value);
  operation->sum = (guint) g_value_get_int (value);
  take_bits (operation, index);
  return FALSE;
}

/* Call this under the lock. */
static void
get_setting (const Operation *operation, guint index, GValue *value)
{
  const FilterDescription *filter = instance_get_filter ((gpointer) operation);

  if (filter->properties[index].bits)
    g_value_set_int (value, (int) operation->sum);
  else
    properties_get (filter, operation->settings, index, value);
}

/* Call this under the lock. Returns whether the value was replaced. */
static gboolean
set_value (Operation *operation, const Property *property, const GValue *value)
{
  switch (property->kind)
    {
    case PROPERTY_SETTING:
      return set_setting (operation, property->index, value);
    case PROPERTY_MATRIX:
      set_matrix (operation, property->index, g_value_get_string (value));
      break;
    case PROPERTY_BIT:
      set_bit (operation, property, g_value_get_boolean (value));
      break;
    case PROPERTY_CLIP_EXTENT:
      operation->clip = g_value_get_boolean (value);
      filter_settings_set (operation->settings, property->index, ! operation->clip);
      break;
    case PROPERTY_MAP_PLACE:
      operation->map_place[property->bit] = g_value_get_int (value);
      break;
    case PROPERTY_FLOATS:
      operation->floats = g_value_get_boolean (value);
      break;
    case PROPERTY_PROBLEM:
    case PROPERTY_INVALID:
      break;
    }
  return FALSE;
}

/* Tells GIMP's dialog what other properties have become when this one was set. */
static void
tell (Operation *operation, const Property *property)
{
  const FilterProperty *of = &instance_get_filter (operation)->properties[property->index];

  if (property->kind == PROPERTY_BIT)
    g_object_notify (G_OBJECT (operation), of->name);
  for (guint i = 0; property->kind == PROPERTY_SETTING && of->bits && of->bits[i].name; i++)
    g_object_notify (G_OBJECT (operation), of->bits[i].name);
  problems_notify (operation);
}

/* Tells GIMP's dialog which number has replaced the one that it set. */
static gboolean
notify_replaced (Operation *operation)
{
  g_object_notify_by_pspec (G_OBJECT (operation), operation->replaced);
  return G_SOURCE_REMOVE;
}

/* While GIMP sets a property, it does not listen to it. */
static void
notify_later (Operation *operation, GParamSpec *replaced)
{
  GSource *source = g_idle_source_new ();

  operation->replaced = replaced;
  g_source_set_closure (source, g_cclosure_new_object_swap (G_CALLBACK (notify_replaced),
                                                            G_OBJECT (operation)));
  g_source_attach (source, NULL);
  g_source_unref (source);
}

void
values_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  const Property property = properties_find (instance_get_filter (object), id);
  Operation *operation = (Operation *) object;
  gboolean replaced;

  if (property.kind == PROPERTY_PROBLEM || property.kind == PROPERTY_INVALID)
    return; /* these are read alone; GIMP sets all that it shows */
  g_mutex_lock (&operation->lock);
  replaced = set_value (operation, &property, value);
  instance_invalidate (operation);
  g_mutex_unlock (&operation->lock);
  tell (operation, &property);
  if (replaced)
    notify_later (operation, spec);
}

void
values_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  const Property property = properties_find (instance_get_filter (object), id);
  Operation *operation = (Operation *) object;

  g_mutex_lock (&operation->lock);
  switch (property.kind)
    {
    case PROPERTY_SETTING:
      get_setting (operation, property.index, value);
      break;
    case PROPERTY_MATRIX:
      g_value_take_string (value, copy_text (operation->text));
      break;
    case PROPERTY_PROBLEM:
      g_value_set_string (value, operation->reported);
      break;
    case PROPERTY_INVALID:
      g_value_set_boolean (value, operation->reported && *operation->reported);
      break;
    case PROPERTY_BIT:
      g_value_set_boolean (value, (get_bits (operation) >> property.bit & 1) != 0);
      break;
    case PROPERTY_CLIP_EXTENT:
      g_value_set_boolean (value, operation->clip);
      break;
    case PROPERTY_MAP_PLACE:
      g_value_set_int (value, operation->map_place[property.bit]);
      break;
    case PROPERTY_FLOATS:
      g_value_set_boolean (value, operation->floats);
      break;
    }
  g_mutex_unlock (&operation->lock);
}
