/* The map of a filter that takes one: another drawable's brightness. For the main thread only. */
#pragma once

#include "filter.h"

/* Reads map, another drawable or the same, as the map of settings, which say of what; it lies over
 * drawable as it does in the image. Does nothing if the filter takes none. Returns FALSE with error
 * if map is no drawable, or none that can be read, or if it changes meanwhile, or if memory runs
 * out. */
gboolean apply_map_read (FilterSettings *settings, gint32 map, gint32 drawable, GError **error);
