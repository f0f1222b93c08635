#include "lazy.h"

#include <gegl-buffer-backend.h>

typedef struct {
  GeglTileHandler parent;
  const Scene *scene;
  GeglBuffer *picture;
  int tile_width, tile_height;
  GHashTable *made; /* tiles, by their place */
} Lazy;

typedef GeglTileHandlerClass LazyClass;

static GType lazy_get_type (void);
G_DEFINE_TYPE (Lazy, lazy, GEGL_TYPE_TILE_HANDLER)

static void
make (Lazy *lazy, GeglTile *tile, int x, int y)
{
  const GeglRectangle rect = { x * lazy->tile_width, y * lazy->tile_height, lazy->tile_width,
                               lazy->tile_height };
  g_autoptr (GeglNode) graph = gegl_node_new ();
  GeglNode *blur = scene_add (lazy->scene, graph, lazy->picture);

  gegl_tile_lock (tile);
  gegl_node_blit (blur, 1.0, &rect, lazy->scene->babl, gegl_tile_get_data (tile),
                  GEGL_AUTO_ROWSTRIDE, GEGL_BLIT_DEFAULT);
  gegl_tile_unlock (tile);
}

/* Under the buffer's lock, which is recursive. */
static gpointer
command (GeglTileSource *source, GeglTileCommand what, gint x, gint y, gint z, gpointer data)
{
  Lazy *lazy = (Lazy *) source;
  gpointer place = GINT_TO_POINTER (y * 65536 + x + 1);
  GeglTile *tile;

  if (what != GEGL_TILE_GET || z > 0 || g_hash_table_contains (lazy->made, place))
    return gegl_tile_handler_source_command (source, what, x, y, z, data);
  g_hash_table_add (lazy->made, place);
  tile = gegl_tile_handler_get_source_tile (&lazy->parent, x, y, z, FALSE);
  make (lazy, tile, x, y);
  return tile;
}

static void
finalize (GObject *object)
{
  g_hash_table_unref (((Lazy *) object)->made);
  G_OBJECT_CLASS (lazy_parent_class)->finalize (object);
}

static void
lazy_class_init (LazyClass *class)
{
  G_OBJECT_CLASS (class)->finalize = finalize;
}

static void
lazy_init (Lazy *lazy)
{
  ((GeglTileSource *) lazy)->command = command;
  lazy->made = g_hash_table_new (NULL, NULL);
}

GeglBuffer *
lazy_new (const Scene *scene, GeglBuffer *picture)
{
  GeglBuffer *buffer = gegl_buffer_new (gegl_buffer_get_extent (picture), scene->babl);
  Lazy *lazy = g_object_new (lazy_get_type (), NULL);

  lazy->scene = scene;
  lazy->picture = picture;
  g_object_get (buffer, "tile-width", &lazy->tile_width, "tile-height", &lazy->tile_height, NULL);
  gegl_buffer_add_handler (buffer, lazy);
  g_object_unref (lazy);
  return buffer;
}
