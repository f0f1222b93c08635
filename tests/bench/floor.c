/* The floor under every operation: one that is in the place of cuda:gaussian-blur and hands its
 * input on by reference or, with FLOOR_COPIES, as a copy: GIMP then has other tiles to deal with
 * than before, as after any operation that does something. With the take-over GIMP's own commands
 * go through it. */
#include "gaussian-blur-take-over.h"

#include <gegl-plugin.h>

#ifdef FLOOR_COPIES
#include <gegl-parallel.h>
#endif

#define FLAGS (G_PARAM_READWRITE | G_PARAM_CONSTRUCT | GEGL_PARAM_PAD_INPUT)

/* The properties that the take-over sets. */
enum { STD_DEV_X = 1, STD_DEV_Y, ABYSS, CLIP, FLOATS };

static GType abyss_type;

G_MODULE_EXPORT const GeglModuleInfo *gegl_module_query (GTypeModule *module);
G_MODULE_EXPORT gboolean gegl_module_register (GTypeModule *module);

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_param_value_set_default (spec, value);
}

static void
prepare (GeglOperation *operation)
{
  const Babl *format = gegl_operation_get_source_format (operation, "input");

  gegl_operation_set_format (operation, "input", format);
  gegl_operation_set_format (operation, "output", format);
}

#ifdef FLOOR_COPIES
typedef struct {
  GeglBuffer *from, *to;
  const Babl *format;
} Copy;

/* On each thread, a tile of GIMP's at a time. */
static void
copy_part (const GeglRectangle *part, gpointer data)
{
  const Copy *copy = data;
  guint8 pixels[128 * 128 * 16];
  GeglRectangle tile = { part->x, part->y, 128, 128 };

  for (tile.y = part->y; tile.y < part->y + part->height; tile.y += 128)
    for (tile.x = part->x; tile.x < part->x + part->width; tile.x += 128)
      {
        GeglRectangle rect;

        gegl_rectangle_intersect (&rect, &tile, part);
        gegl_buffer_get (copy->from, &rect, 1.0, copy->format, pixels, GEGL_AUTO_ROWSTRIDE,
                         GEGL_ABYSS_NONE);
        gegl_buffer_set (copy->to, &rect, 0, copy->format, pixels, GEGL_AUTO_ROWSTRIDE);
      }
}
#endif

static gboolean
process (GeglOperation *operation, GeglOperationContext *context, const gchar *pad,
         const GeglRectangle *result, gint level)
{
  GObject *input = gegl_operation_context_get_object (context, "input");

#ifdef FLOOR_COPIES
  const Copy copy = { GEGL_BUFFER (input), gegl_operation_context_get_target (context, "output"),
                      gegl_operation_get_format (operation, "output") };

  gegl_parallel_distribute_area (result, 128.0 * 128.0, GEGL_SPLIT_STRATEGY_AUTO, copy_part,
                                 (gpointer) &copy);
#else
  gegl_operation_context_take_object (context, "output", g_object_ref (input));
#endif
  return TRUE;
}

static void
init_class (gpointer class, gpointer data)
{
  GObjectClass *object_class = class;
  GeglOperationClass *operation_class = class;

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  g_object_class_install_property (object_class, STD_DEV_X,
                                   g_param_spec_double ("std-dev-x", "", "", 0, 1500, 1, FLAGS));
  g_object_class_install_property (object_class, STD_DEV_Y,
                                   g_param_spec_double ("std-dev-y", "", "", 0, 1500, 1, FLAGS));
  g_object_class_install_property (object_class, ABYSS,
                                   g_param_spec_enum ("abyss-policy", "", "", abyss_type, 1,
                                                      FLAGS));
  g_object_class_install_property (object_class, CLIP,
                                   g_param_spec_boolean ("clip-extent", "", "", TRUE, FLAGS));
  g_object_class_install_property (object_class, FLOATS,
                                   g_param_spec_boolean ("floats", "", "", FALSE, FLAGS));
  operation_class->prepare = prepare;
  operation_class->process = process;
  gegl_operation_class_set_keys (operation_class, "name", "cuda:gaussian-blur", "title", "Floor",
                                 NULL);
  gegl_take_over_begin (NULL);
}

const GeglModuleInfo *
gegl_module_query (GTypeModule *module)
{
  static const GeglModuleInfo info = { GEGL_MODULE_ABI_VERSION };

  return &info;
}

gboolean
gegl_module_register (GTypeModule *module)
{
  static const GEnumValue abysses[] = {
    { 0, "none", "none" },   { 1, "clamp", "clamp" }, { 2, "black", "black" },
    { 3, "white", "white" }, { 0, NULL, NULL },
  };
  const GTypeInfo info = {
    .class_size = sizeof (GeglOperationFilterClass),
    .class_init = init_class,
    .instance_size = sizeof (GeglOperationFilter),
  };

  abyss_type = g_type_module_register_enum (module, "BenchFloorAbyss", abysses);
  g_type_module_register_type (module, GEGL_TYPE_OPERATION_FILTER, "BenchFloor", &info, 0);
  return TRUE;
}
