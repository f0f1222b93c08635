#include "take-over.h"

#include "error.h"
#include "message.h"
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
  GTypeQuery operation;

  g_type_query (GEGL_TYPE_OPERATION, &operation);
  return operation.class_size == sizeof (GeglOperationClass) &&
         operation.instance_size == sizeof (GeglOperation);
}

static gboolean
has_known_choices (GParamSpec *spec, const char *const *choices)
{
  GEnumClass *class = G_PARAM_SPEC_ENUM (spec)->enum_class;
  guint n;

  for (n = 0; choices[n]; n++)
    {
      const GEnumValue *value = g_enum_get_value (class, (int) n);

      if (! value || strcmp (value->value_nick, choices[n]) != 0)
        return FALSE;
    }
  return class->n_values == n;
}

static gboolean
has_known_properties (GeglOperationClass *class, const TakenProperty *properties)
{
  const TakenProperty *property;

  for (property = properties; property->theirs; property++)
    {
      GParamSpec *spec = g_object_class_find_property (G_OBJECT_CLASS (class), property->theirs);

      if (! spec || ! g_type_is_a (spec->value_type, property->type) ||
          (property->choices && ! has_known_choices (spec, property->choices)))
        return FALSE;
    }
  return TRUE;
}

static gboolean
has_known_functions (const GeglOperationClass *class)
{
  return class->prepare && class->get_required_for_output && class->get_invalidated_by_change &&
         class->process;
}

/* A node of GEGL's operations that are graphs of others becomes a graph of ours. */
static void
attach_graph (GeglOperation *theirs)
{
  const Taken *taken = taken_get (theirs);
  const TakenProperty *property;
  GeglNode *node = theirs->node, *ours;

  if (! taken_is_wanted (theirs))
    {
      taken->theirs.attach (theirs);
      return;
    }
  ours = gegl_node_new_child (node, "operation", taken->ours->filter->operation, "floats",
                              taken_is_part (theirs), NULL);
  gegl_node_link_many (gegl_node_get_input_proxy (node, "input"), ours,
                       gegl_node_get_output_proxy (node, "output"), NULL);
  for (property = taken->operation->properties; property->theirs; property++)
    gegl_operation_meta_redirect (theirs, property->theirs, ours, property->ours);
}

/* Replaces functions of the class. Returns FALSE if it is not known. */
static gboolean
replace (GeglOperationClass *class, const TakenOperation *operation,
         const OperationDescription *ours)
{
  gboolean graph = g_type_is_a (G_TYPE_FROM_CLASS (class), GEGL_TYPE_OPERATION_META);

  if (! has_known_properties (class, operation->properties) ||
      (! graph && ! has_known_functions (class)))
    return FALSE;
  if (! taken_record (class, operation, ours))
    return TRUE;
  if (graph)
    g_atomic_pointer_set ((gpointer *) &class->attach, (gpointer) attach_graph);
  else
    take_over_process_replace (class);
  return TRUE;
}

static gboolean
begin (const TakenOperation *operation, const OperationDescription *ours, GError **error)
{
  GeglOperationClass *class;
  int major, minor, micro;
  gboolean wanted;

  if (! take_over_switch_read (operation->name, &wanted, error))
    return FALSE;
  if (! wanted)
    return TRUE;
  class = has_known_layout () ? ref_class (GEGL_TYPE_OPERATION, operation->name) : NULL;
  if (class && replace (class, operation, ours))
    return TRUE;
  if (class)
    g_type_class_unref (class);
  gegl_get_version (&major, &minor, &micro);
  return fx_refuse (error, _ ("%s of GEGL %d.%d.%d is not known, so it is not replaced"),
                    operation->name, major, minor, micro);
}

void
take_over_begin (const OperationDescription *ours)
{
  const TakenOperation *operation;

  for (operation = ours->taken; operation && operation->name; operation++)
    {
      g_autoptr (GError) error = NULL;

      if (! begin (operation, ours, &error))
        message_show_once (error->message);
    }
}
