/* What libtiff tells of a TIFF file, and libvips does not. Any thread may call this. */
#pragma once

#include <glib.h>

typedef struct {
  int pages;      /* without thumbnails and masks */
  gboolean plain; /* all that the file has are pages, and none is to be turned */
} TiffLook;

/* Looks at the directories of a file. Returns FALSE with IMAGE_ERROR_KIND if libvips would load
 * something else than the picture: the thumbnail of a raw photo, or planes in the wrong order; and
 * with IMAGE_ERROR_ROOM if a strip or a tile takes more bytes than memory. */
gboolean tiff_look (const char *path, guint64 memory, TiffLook *look, GError **error);
