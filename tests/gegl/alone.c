/* A module that takes gegl:gaussian-blur over, and has no operation to put in its place. */
#include "gaussian-blur-take-over.h"

#include <gegl-plugin.h>

static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query (GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register (GTypeModule *module);

static void
init_class (gpointer class, gpointer data)
{
  g_assert_true (gegl_take_over_begin (NULL));
}

const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  return &info;
}

gboolean
gegl_module_register (GTypeModule *module)
{
  const GTypeInfo type = { .class_size = sizeof (GeglOperationMetaClass),
                           .class_init = init_class,
                           .instance_size = sizeof (GeglOperationMeta) };

  g_type_module_register_type (module, GEGL_TYPE_OPERATION_META, "TestAlone", &type, 0);
  return TRUE;
}
