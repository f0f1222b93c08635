#include "take-over.h"

#include "error.h"
#include "message.h"
#include "take-over-graph.h"
#include "take-over-process.h"
#include "take-over-switch.h"
#include "taken.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Returns the class of GEGL's operation with that name below parent, with a reference that keeps
 * it, or NULL. The type's name depends on GEGL's version. */
static GeglOperationClass *
ref_class (GType parent, const char *name)
{
  g_autofree GType *types = g_type_children (parent, NULL);
  GeglOperationClass *found = NULL;

  for (guint i = 0; types[i] && ! found; i++)
    {
      GeglOperationClass *class = g_type_class_ref (types[i]);

      if (g_strcmp0 (class->name, name) == 0)
        return class;
      g_type_class_unref (class);
      found = ref_class (types[i], name);
    }
  return found;
}

static gboolean
has_known_layout (void)
{
  GTypeQuery operation, graph;

  g_type_query (GEGL_TYPE_OPERATION, &operation);
  g_type_query (GEGL_TYPE_OPERATION_META, &graph);
  return operation.class_size == sizeof (GeglOperationClass) &&
         operation.instance_size == sizeof (GeglOperation) &&
         graph.class_size == sizeof (GeglOperationMetaClass);
}

/* Bindings between enums pass the number. */
static gboolean
has_same_choices (GParamSpec *theirs, GParamSpec *ours)
{
  GEnumClass *choices = G_PARAM_SPEC_ENUM (theirs)->enum_class;
  const GEnumClass *own = G_PARAM_SPEC_ENUM (ours)->enum_class;

  for (guint i = 0; i < own->n_values; i++)
    {
      const GEnumValue *value = g_enum_get_value (choices, own->values[i].value);

      if (! value || strcmp (value->value_nick, own->values[i].value_nick) != 0)
        return FALSE;
    }
  return choices->n_values == own->n_values;
}

static gboolean
has_same_type (GParamSpec *theirs, GParamSpec *ours)
{
  return G_TYPE_FUNDAMENTAL (theirs->value_type) == G_TYPE_FUNDAMENTAL (ours->value_type) &&
         (! G_IS_PARAM_SPEC_ENUM (theirs) || has_same_choices (theirs, ours));
}

static gboolean
has_known_properties (GeglOperationClass *class, const TakeOverProperty *properties,
                      OperationClass *ours)
{
  for (const TakeOverProperty *property = properties; property->gegl_name; property++)
    {
      GParamSpec *theirs = g_object_class_find_property (G_OBJECT_CLASS (class),
                                                         property->gegl_name);

      if (! theirs ||
          ! has_same_type (theirs, g_object_class_find_property (G_OBJECT_CLASS (ours),
                                                                 taken_get_own_name (property))))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_switch (GeglOperationClass *class, const char *name)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_CLASS (class), name);

  return spec && spec->value_type == G_TYPE_BOOLEAN;
}

static gboolean
has_known_functions (const GeglOperationClass *class)
{
  return class->prepare && class->get_required_for_output && class->get_invalidated_by_change &&
         class->process;
}

static gboolean
has_choice (GeglOperationClass *class, const TakeOver *take_over)
{
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_CLASS (class), take_over->choice);
  gboolean known = spec && G_IS_PARAM_SPEC_ENUM (spec);

  return known && GEGL_OPERATION_META_CLASS (class)->update &&
         g_enum_get_value_by_nick (G_PARAM_SPEC_ENUM (spec)->enum_class, take_over->chosen);
}

/* Replaces functions of the class. Returns FALSE if it is not known. */
static gboolean
replace (GeglOperationClass *class, const TakeOver *take_over, OperationClass *ours)
{
  gboolean graph = g_type_is_a (G_TYPE_FROM_CLASS (class), GEGL_TYPE_OPERATION_META);

  if (! has_known_properties (class, take_over->properties, ours) ||
      (take_over->precise && ! has_switch (class, take_over->precise)) ||
      (! graph && ! has_known_functions (class)) ||
      (take_over->choice && ! (graph && has_choice (class, take_over))) ||
      (take_over->beside && ! (graph && GEGL_OPERATION_META_CLASS (class)->update)))
    return FALSE;
  if (! taken_record (class, take_over, ours))
    return TRUE;
  if (graph)
    take_over_graph_replace (class);
  else
    take_over_process_replace (class);
  return TRUE;
}

static gboolean
begin (const TakeOver *take_over, OperationClass *ours, GError **error)
{
  GeglOperationClass *class;
  int major, minor, micro;
  gboolean wanted;

  if (! take_over_switch_read (take_over->name, &wanted, error))
    return FALSE;
  if (! wanted)
    return TRUE;
  class = has_known_layout () ? ref_class (GEGL_TYPE_OPERATION, take_over->name) : NULL;
  if (class && replace (class, take_over, ours))
    return TRUE;
  if (class)
    g_type_class_unref (class);
  gegl_get_version (&major, &minor, &micro);
  return fx_refuse (error, _ ("%s of GEGL %d.%d.%d is not known, so it is not replaced"),
                    take_over->name, major, minor, micro);
}

void
take_over_begin (OperationClass *ours)
{
  for (const TakeOver *each = ours->filter->take_overs; each && each->name; each++)
    {
      g_autoptr (GError) error = NULL;

      if (! begin (each, ours, &error))
        message_show_once (error->message);
    }
}
