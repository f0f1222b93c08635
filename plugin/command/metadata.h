/* EXIF, XMP, IPTC and the comment of image files, through gexiv2. Any thread may call these
 * functions; one runs at a time, because Exiv2 is not made for threads. */
#ifndef METADATA_H
#define METADATA_H

#include <gexiv2/gexiv2.h>

G_BEGIN_DECLS

/* Call this once, before there are threads. */
void metadata_init (void);

/* Reads the metadata of a file, and corrects them for the filtered image of width x height pixels:
 * it is upright, and has no thumbnail. Unref the result. Returns NULL if Exiv2 cannot read the
 * file. */
GExiv2Metadata *metadata_read (const char *path, int width, int height);

/* Writes metadata to an image file that has no metadata except its resolution. Returns FALSE with
 * error set on failure; if the file is then not complete, that is IMAGE_ERROR_UNWRITTEN. */
gboolean metadata_write (GExiv2Metadata *metadata, const char *path, GError **error);

G_END_DECLS

#endif
