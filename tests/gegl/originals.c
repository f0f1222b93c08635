/* GEGL's own operations, which take over if the engine fails on every device, for Python
 * (test_originals.py): a library of the descriptions' link functions and of door.c. */
#include "operation.h"

void originals_link (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                     GeglNode *input, GeglNode *output);

#define POINT(name) &name##_operation,
static const OperationDescription *const operations[] = { FILTER_LIST (POINT) };

void
originals_link (const FilterSettings *settings, gboolean clip, GeglNode *graph, GeglNode *input,
                GeglNode *output)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (operations[i]->filter == filter_settings_get_filter (settings))
      operations[i]->link (settings, clip, graph, input, output);
}
