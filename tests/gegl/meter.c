#include "meter.h"

#include <gegl-plugin.h>

#define NAME "cuda-test:meter"

typedef struct {
  GeglOperationFilter parent;
  guint64 pixels;
  void (*func) (gpointer data); /* to call next, or NULL */
  gpointer data;
} Meter;

typedef GeglOperationFilterClass MeterClass;

static GType meter_get_type (void);
G_DEFINE_TYPE (Meter, meter, GEGL_TYPE_OPERATION_FILTER)

static void
prepare (GeglOperation *operation)
{
  const Babl *format = gegl_operation_get_source_format (operation, "input");

  gegl_operation_set_format (operation, "input", format);
  gegl_operation_set_format (operation, "output", format);
}

static gboolean
process (GeglOperation *operation, GeglBuffer *input, GeglBuffer *output,
         const GeglRectangle *result, gint level)
{
  Meter *meter = (Meter *) operation;
  void (*func) (gpointer data) = g_steal_pointer (&meter->func);

  meter->pixels += (guint64) result->width * result->height;
  gegl_buffer_copy (input, result, GEGL_ABYSS_NONE, output, result);
  if (func)
    func (meter->data);
  return TRUE;
}

static void
meter_init (Meter *meter)
{
}

static void
meter_class_init (MeterClass *class)
{
  GeglOperationClass *operation_class = GEGL_OPERATION_CLASS (class);

  operation_class->prepare = prepare;
  operation_class->threaded = FALSE;
  ((GeglOperationFilterClass *) class)->process = process;
  gegl_operation_class_set_keys (operation_class, "name", NAME, NULL);
}

GeglNode *
meter_add (GeglNode *graph, GeglNode *source)
{
  GeglNode *meter;

  g_type_class_unref (g_type_class_ref (meter_get_type ()));
  meter = gegl_node_new_child (graph, "operation", NAME, NULL);
  gegl_node_link (source, meter);
  return meter;
}

void
meter_call (GeglNode *meter, void (*func) (gpointer data), gpointer data)
{
  Meter *self = (Meter *) gegl_node_get_gegl_operation (meter);

  self->func = func;
  self->data = data;
}

guint64
meter_take (GeglNode *meter)
{
  Meter *self = (Meter *) gegl_node_get_gegl_operation (meter);
  guint64 pixels = self->pixels;

  self->pixels = 0;
  return pixels;
}
