/* The functions that GEGL calls when it loads the module. */
#include "operation.h"

#define POINT(name) &name##_operation,

static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query (GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register (GTypeModule *module);

/* Returns whether another copy of this module has registered the operation: GEGL loads the copy for
 * all users, and then the user's own. */
static gboolean
is_registered (GTypeModule *module, const OperationDescription *description)
{
  GType type = g_type_from_name (description->type_name);

  return type && g_type_get_plugin (type) != G_TYPE_PLUGIN (module);
}

const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  return &info;
}

gboolean
gegl_module_register (GTypeModule *module)
{
  static const OperationDescription *const operations[] = { FILTER_LIST (POINT) };

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (! is_registered (module, operations[i]))
      operation_register (module, operations[i]);
  return TRUE;
}
