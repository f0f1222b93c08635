#include "operation.h"

static const OperationProperty properties[] = { { NULL } };

static void
invert_operation_get_growth (const FilterSettings *settings, const FxGeometry *geometry, int *x,
                             int *y)
{
  *x = *y = 0;
}

static void
invert_operation_link_original (const FilterSettings *settings, gboolean clip, GeglNode *graph,
                                GeglNode *input, GeglNode *output)
{
  GeglNode *node = gegl_node_new_child (graph, "operation", "gegl:invert-linear", NULL);

  gegl_node_link_many (input, node, output, NULL);
}

const OperationDescription invert_colors_operation = {
  .filter = &invert_colors,
  .type_name = "CudaInvert",
  .categories = "color",
  .properties = properties,
  .get_growth = invert_operation_get_growth,
  .link = invert_operation_link_original,
};
