/* Loads the map of a filter that takes one. */
#pragma once

#include "filter.h"

/* Makes the image file with that path the map of settings, which say of what. Its upper left corner
 * is that of each picture. It may take so many bytes of memory. Returns FALSE with error set, whose
 * message has the path, on failure. */
gboolean map_load (FilterSettings *settings, const char *path, guint64 memory, GError **error);
