#include "take-over-graph.h"

#include "taken.h"

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

void
take_over_graph_replace (GeglOperationClass *class)
{
  g_atomic_pointer_set ((gpointer *) &class->attach, (gpointer) attach_graph);
}
