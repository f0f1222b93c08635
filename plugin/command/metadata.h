/* EXIF, XMP, IPTC and the comment of image files, through gexiv2, and PNG's texts. Any thread may
 * call these functions; one at a time uses Exiv2, which is not made for threads. */
#pragma once

#include <gexiv2/gexiv2.h>
#include <vips/vips.h>

/* Call this once, before there are threads. */
void metadata_init (void);

/* Returns how the file says that its image is to be turned: EXIF's orientation, 1 to 8, or XMP's if
 * EXIF has none. Returns 1 if it says nothing, and for formats whose loaders turn the image. */
int metadata_get_orientation (const char *path);

/* Returns whether EXIF declares the colours to be those of Adobe RGB, which has no profile there.
 */
gboolean metadata_is_adobe_rgb (const char *path);

/* Reads what is kept of the metadata of the file, for the filtered image that was loaded from it,
 * which is upright. Unref the result. Returns NULL if there are none. */
GExiv2Metadata *metadata_read (const char *path, VipsImage *image);

/* Writes metadata to an image file that has no metadata except its resolution, and the texts of the
 * file source if both are PNG files. Sets left_out to NULL or to what could not be written, and
 * why; free it. Returns FALSE with IMAGE_ERROR_UNWRITTEN if the file is then not complete. */
gboolean metadata_write (GExiv2Metadata *metadata, const char *source, const char *path,
                         char **left_out, GError **error);

/* Sets EXIF and XMP as fields of an image, which libvips saves where Exiv2 cannot. This also sets
 * the image's resolution. */
void metadata_set_fields (GExiv2Metadata *metadata, VipsImage *image);
