#include "map.h"

#include "copy.h"

/* Returns the map that was read last, if it is of the same pixels, or NULL. */
static FilterMap *
find (const Map *map, GeglBuffer *buffer, const GeglRectangle *rect, const int place[2],
      const Babl *format)
{
  const FilterMap *last = map->map;
  gboolean same = last && map->format == format && last->x == rect->x + place[0] &&
                  last->y == rect->y + place[1] && last->width == rect->width &&
                  last->height == rect->height && gegl_buffer_share_storage (map->buffer, buffer);

  return same ? filter_map_ref (map->map) : NULL;
}

static FilterMap *
read_values (GeglBuffer *buffer, const GeglRectangle *rect, const int place[2], const Babl *format)
{
  const Copied from = { .buffer = buffer, .format = format, .abyss = GEGL_ABYSS_CLAMP };
  gsize row = (gsize) rect->width * sizeof (float);
  float *values = g_try_malloc (row * (gsize) rect->height);

  if (! values)
    return NULL;
  copy_from_buffer (&from, rect, values, row);
  return filter_map_new (values, rect->x + place[0], rect->y + place[1], rect->width, rect->height);
}

FilterMap *
map_read (Map *map, GMutex *lock, GeglBuffer *buffer, const GeglRectangle *rect, const int place[2],
          gboolean linear)
{
  const Babl *format = babl_format_with_space (linear ? "Y float" : "Y' float",
                                               gegl_buffer_get_format (buffer));
  FilterMap *found;
  guint changes;

  g_mutex_lock (lock);
  found = find (map, buffer, rect, place, format);
  changes = map->changes;
  g_mutex_unlock (lock);
  if (found)
    return found;
  found = read_values (buffer, rect, place, format);
  g_mutex_lock (lock);
  if (found && changes == map->changes)
    {
      map_clear (map);
      *map = (Map) { filter_map_ref (found), g_object_ref (buffer), format, map->changes };
    }
  g_mutex_unlock (lock);
  return found;
}

void
map_clear (Map *map)
{
  g_clear_pointer (&map->map, filter_map_free);
  g_clear_object (&map->buffer);
  map->changes++;
}
