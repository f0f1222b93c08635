/* The map of an operation that has one, which it reads from its second input, "aux". */
#pragma once

#include "filter-map.h"

#include <gegl.h>

/* The map that was read last. A record with all fields 0 is empty. It stays valid while the buffer
 * is in the same storage and GEGL reports no change, as source.h says of the other input. The
 * caller has a lock for it. */
typedef struct {
  FilterMap *map;     /* or NULL */
  GeglBuffer *buffer; /* referenced, so that no other buffer gets its storage */
  const Babl *format;
  guint changes;
} Map;

/* Returns the map of rect in buffer, which must not be empty, moved by place: its brightness, or
 * its light if linear is set, whatever its alpha. lock is free, and is taken for what was read
 * last. Returns NULL if memory runs out; free the map with filter_map_free. */
FilterMap *map_read (Map *map, GMutex *lock, GeglBuffer *buffer, const GeglRectangle *rect,
                     const int place[2], gboolean linear);

/* Clears the record, after a change of the input. */
void map_clear (Map *map);
