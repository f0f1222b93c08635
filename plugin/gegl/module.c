/* The functions that GEGL calls when it loads the module. */
#include "filters.h"
#include "instance.h"
#include "operation.h"

static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query (GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register (GTypeModule *module);

/* Returns whether another copy of this module has registered the operation: GEGL loads the copy for
 * all users, and then the user's own. */
static gboolean
is_registered (GTypeModule *module, const FilterDescription *filter)
{
  g_autofree char *name = instance_get_type_name (filter);
  GType type = g_type_from_name (name);

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
  for (guint i = 0; filters[i]; i++)
    if (! is_registered (module, filters[i]))
      operation_register (module, filters[i]);
  return TRUE;
}
