/* Facts about TIFF files, by libtiff, that libvips does not report. Any thread may call this. */
#pragma once

#include <glib.h>

/* Checks the first directory of a file against the table in tiff.c. Sets pages to 2 if the file
 * has several pages that are no thumbnails or masks. Returns FALSE with IMAGE_ERROR_KIND if libvips
 * would load it wrongly, or would load the thumbnail of a raw photo; and with IMAGE_ERROR_ROOM if a
 * strip or a tile takes more bytes than memory. */
gboolean tiff_check (const char *path, guint64 memory, int *pages, GError **error);
