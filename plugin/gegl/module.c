/* What GEGL calls when it loads the module. */
#include "blur-operation.h"

static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query (GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register (GTypeModule *module);

const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  return &info;
}

gboolean
gegl_module_register (GTypeModule *module)
{
  operation_register (module, &blur_operation);
  return TRUE;
}
