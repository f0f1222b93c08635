#include "held.h"

#include <gegl-buffer-backend.h>

#define SIDE 16

typedef struct {
  GeglTileHandler parent;
  void (*func) (void); /* NULL: it was called */
} Held;

typedef GeglTileHandlerClass HeldClass;

static GType held_get_type (void);
G_DEFINE_TYPE (Held, held, GEGL_TYPE_TILE_HANDLER)

static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  Held *held = (Held *) source;
  void (*func) (void) = held->func;

  if (what == GEGL_TILE_GET && func)
    {
      held->func = NULL;
      func ();
    }
  return gegl_tile_handler_source_command (source, what, x, y, z, data);
}

static void
held_class_init (HeldClass *class)
{
}

static void
held_init (Held *held)
{
  ((GeglTileSource *) held)->command = command;
}

GeglBuffer *
held_new (const Babl *format, void (*func) (void))
{
  GeglBuffer *buffer = gegl_buffer_new (GEGL_RECTANGLE (0, 0, SIDE, SIDE), format);
  Held *held = g_object_new (held_get_type (), NULL);

  held->func = func;
  gegl_buffer_add_handler (buffer, held);
  g_object_unref (held);
  return buffer;
}
