/* Tells JPEG files that have lost pixels from those that are only odd. */
#pragma once

#include <glib.h>

/* Decodes a JPEG file, for which
 * libjpeg may take this many bytes of memory. Returns FALSE with IMAGE_ERROR_KIND if libvips is not
 * trusted with it, with IMAGE_ERROR_DAMAGED if pixels are missing or wrong, and with
 * IMAGE_ERROR_ROOM if the memory is too little. Any thread may call this. */
gboolean jpeg_check (const char *path, guint64 memory, GError **error);
