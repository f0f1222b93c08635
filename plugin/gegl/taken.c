#include "taken.h"

#include "filter-words.h"
#include "take-over-switch.h"

#include <string.h>

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("cuda-blur-taken");
}

gboolean
taken_record (GeglOperationClass *class, const TakeOver *take_over, const OperationClass *ours)
{
  GType type = G_TYPE_FROM_CLASS (class);
  Taken *taken;

  if (g_type_get_qdata (type, get_quark ()))
    return FALSE;
  taken = g_new (Taken, 1);
  *taken = (Taken) { take_over, ours->filter->operation, G_TYPE_FROM_CLASS (ours), *class };
  if (g_type_is_a (type, GEGL_TYPE_OPERATION_META))
    taken->update = GEGL_OPERATION_META_CLASS (class)->update;
  g_type_set_qdata (type, get_quark (), taken);
  return TRUE;
}

const Taken *
taken_get (GeglOperation *operation)
{
  return taken_find (G_TYPE_FROM_INSTANCE (operation));
}

const Taken *
taken_find (GType type)
{
  return g_type_get_qdata (type, get_quark ());
}

const char *
taken_get_own_name (const TakeOverProperty *property)
{
  return property->name ? property->name : property->gegl_name;
}

/* Returns the index of the property, which must be there. */
static guint
find_setting (const FilterDescription *filter, const TakeOverProperty *property)
{
  guint i = 0;

  while (strcmp (filter_property_get_operation_name (&filter->properties[i]),
                 taken_get_own_name (property)) != 0)
    i++;
  return i;
}

void
taken_convert (const TakeOver *take_over, const FxGeometry *geometry, FilterSettings *settings)
{
  for (const TakeOverProperty *property = take_over->properties; property->gegl_name; property++)
    if (property->convert)
      {
        guint own = find_setting (filter_settings_get_filter (settings), property);
        double value = filter_settings_get (settings, own);

        filter_settings_set (settings, own, property->convert (value, geometry));
      }
}

gboolean
taken_is_wanted (GeglOperation *operation)
{
  gboolean wanted;

  return take_over_switch_read (taken_get (operation)->take_over->name, &wanted, NULL) && wanted;
}

gboolean
taken_is_part (const GeglOperation *operation)
{
  return gegl_node_get_parent (operation->node) != NULL;
}

/* Our operations. */

static gboolean
set_property (GObject *ours, GObject *theirs, const TakeOverProperty *property,
              const FxGeometry *geometry)
{
  const char *name = taken_get_own_name (property);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (ours), name);
  g_auto (GValue) value = G_VALUE_INIT, last = G_VALUE_INIT;

  g_value_init (&value, spec->value_type); /* an enum of ours has the same numbers */
  g_object_get_property (theirs, property->gegl_name, &value);
  if (geometry && property->convert)
    g_value_set_double (&value, property->convert (g_value_get_double (&value), geometry));
  if (g_param_value_validate (spec, &value))
    return FALSE;
  g_object_get_property (ours, name, &last);
  if (g_param_values_cmp (spec, &value, &last) != 0) /* what is set is computed again */
    g_object_set_property (ours, name, &value);
  return TRUE;
}

gboolean
taken_set_ours (GeglOperation *ours, GeglOperation *theirs, const FxGeometry *geometry)
{
  const TakeOverProperty *property;

  for (property = taken_get (theirs)->take_over->properties; property->gegl_name; property++)
    if (! set_property (G_OBJECT (ours), G_OBJECT (theirs), property, geometry))
      return FALSE;
  return TRUE;
}

static void
set_words (Operation *operation, const TakeOver *take_over)
{
  if (take_over->words)
    filter_settings_set_words (operation->settings, take_over->words, NULL);
}

void
taken_set_theirs (GeglOperation *base, GeglOperation *theirs)
{
  ((Operation *) base)->theirs = theirs;
  base->node = theirs->node;
  set_words ((Operation *) base, taken_get (theirs)->take_over);
}

void
taken_set_take_over (GeglOperation *base, const TakeOver *take_over)
{
  ((Operation *) base)->take_over = take_over;
  set_words ((Operation *) base, take_over);
}

gboolean
taken_has_same_samples (GeglOperation *base)
{
  Operation *operation = (Operation *) base;
  const TakeOver *take_over = taken_get (operation->theirs)->take_over;
  const Babl *theirs = gegl_operation_get_format (operation->theirs, "input");
  G_GNUC_UNUSED g_autoptr (GMutexLocker) locker = NULL;
  gboolean precise;

  if (! take_over->has_same_samples)
    return TRUE;
  g_object_get (operation->theirs, take_over->precise, &precise, NULL);
  locker = g_mutex_locker_new (&operation->lock);
  return babl_format_get_model (operation->pixels.babl) == babl_format_get_model (theirs) &&
         take_over->has_same_samples (operation->settings, &operation->pixels.format, precise);
}

gboolean
taken_keeps_edges (const Operation *operation)
{
  return operation->theirs && taken_get (operation->theirs)->take_over->keeps_edges;
}
