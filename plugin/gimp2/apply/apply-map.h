/* The map of a filter that takes one: another drawable's brightness. For the main thread only. */
#pragma once

#include "filter.h"

/* A map that is being read, a few tiles at a time. */
typedef struct MapReader MapReader;

/* Begins to read map, another drawable or the same, as light if linear is set; it lies over
 * drawable as it does in the image. Returns NULL with error if map is no drawable, or none that can
 * be read, or if memory runs out. Free the reader with map_reader_free. */
MapReader *map_reader_new (gint32 map, gint32 drawable, gboolean linear, GError **error);
void map_reader_free (MapReader *reader); /* NULL is legal */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MapReader, map_reader_free)

/* Continues reading for some milliseconds. Returns TRUE while there is more to read, and sets map
 * to NULL. Otherwise map is the whole map, which the caller frees, or NULL with error if the
 * drawable has changed since. After FALSE, only free the reader. */
gboolean map_reader_read (MapReader *reader, FilterMap **map, GError **error);

/* Reads all of map as the map of settings, which take one and say whether as light. Returns FALSE
 * with error if that fails. */
gboolean apply_map_read (FilterSettings *settings, gint32 map, gint32 drawable, GError **error);
