/* This file writes into classes that are GEGL's: attach of an operation that is a graph and, if
 * ours takes its place with one choice alone, update, which GEGL calls after each change of a
 * property.
 *
 * Without such a choice, a node is made of ours alone, and properties are redirected to it. With
 * one, or if GEGL's update would run without it, ours is beside GEGL's own graph, and the output is
 * linked to either. GEGL's own update reads what its attach has set, and may link the output
 * itself: so that attach always runs, and update only while GEGL's own graph is in use, of which it
 * sets everything. */
#include "take-over-graph.h"

#include "taken.h"

#include <string.h>

/* The data that is attached to a node of GEGL's. */
typedef struct {
  GeglNode *ours;   /* in its graph, which owns it */
  GeglNode *theirs; /* whose result ours replaces now, or NULL */
} Beside;

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("cuda-blur-beside");
}

/* Makes our operation in the node's graph, with the inputs of the node. */
static GeglNode *
add_ours (GeglOperation *theirs)
{
  GeglNode *ours = gegl_node_new_child (theirs->node, "operation", taken_get (theirs)->operation,
                                        "floats", taken_is_part (theirs), NULL);

  gegl_node_link (gegl_node_get_input_proxy (theirs->node, "input"), ours);
  if (gegl_node_has_pad (ours, "aux"))
    gegl_node_connect_to (gegl_node_get_input_proxy (theirs->node, "aux"), "output", ours, "aux");
  return ours;
}

/* Ours alone. */

static void
redirect (GeglOperation *theirs)
{
  const TakeOverProperty *property;
  GeglNode *ours = add_ours (theirs);

  gegl_node_link (ours, gegl_node_get_output_proxy (theirs->node, "output"));
  for (property = taken_get (theirs)->take_over->properties; property->gegl_name; property++)
    gegl_operation_meta_redirect (theirs, property->gegl_name, ours, taken_get_own_name (property));
}

/* Ours beside GEGL's graph. */

static gboolean
stands_beside (const TakeOver *take_over)
{
  return take_over->choice || take_over->beside;
}

static gboolean
is_chosen (GeglOperation *theirs)
{
  const TakeOver *take_over = taken_get (theirs)->take_over;
  GObjectClass *class = G_OBJECT_GET_CLASS (theirs);
  GParamSpec *spec;
  int value;

  if (! take_over->choice)
    return TRUE;
  spec = g_object_class_find_property (class, take_over->choice);
  g_object_get (theirs, take_over->choice, &value, NULL);
  return strcmp (g_enum_get_value (G_PARAM_SPEC_ENUM (spec)->enum_class, value)->value_nick,
                 take_over->chosen) == 0;
}

static void
update (GeglOperation *theirs)
{
  GeglNode *output = gegl_node_get_output_proxy (theirs->node, "output");
  Beside *beside = g_object_get_qdata (G_OBJECT (theirs), get_quark ());
  gboolean fits = beside && is_chosen (theirs) &&
                  taken_set_ours (gegl_node_get_gegl_operation (beside->ours), theirs, NULL);

  if (fits && ! beside->theirs)
    {
      beside->theirs = gegl_node_get_producer (output, "input", NULL);
      gegl_node_link (beside->ours, output);
    }
  if (fits)
    return;
  if (beside && beside->theirs)
    gegl_node_link (g_steal_pointer (&beside->theirs), output);
  taken_get (theirs)->update (theirs);
}

static void
stand_beside (GeglOperation *theirs)
{
  Beside *beside = g_new0 (Beside, 1);

  taken_get (theirs)->theirs.attach (theirs);
  beside->ours = add_ours (theirs);
  taken_set_take_over (gegl_node_get_gegl_operation (beside->ours), taken_get (theirs)->take_over);
  g_object_set_qdata_full (G_OBJECT (theirs), get_quark (), beside, g_free);
  update (theirs);
}

static void
attach (GeglOperation *theirs)
{
  if (! taken_is_wanted (theirs))
    taken_get (theirs)->theirs.attach (theirs);
  else if (stands_beside (taken_get (theirs)->take_over))
    stand_beside (theirs);
  else
    redirect (theirs);
}

void
take_over_graph_replace (GeglOperationClass *class)
{
  GeglOperationMetaClass *meta = GEGL_OPERATION_META_CLASS (class);
  const Taken *taken = taken_find (G_TYPE_FROM_CLASS (class));

  if (stands_beside (taken->take_over))
    g_atomic_pointer_set ((gpointer *) &meta->update, (gpointer) update);
  g_atomic_pointer_set ((gpointer *) &class->attach, (gpointer) attach);
}
