/* TIFF files: what libtiff tells of them, and libvips does not; and pages, each with its own size,
 * profile and resolution, which libvips does not save. Any thread may call this. */
#pragma once

#include <vips/vips.h>

/* Looks at the directories of a file. Sets pages to the numbers of those that are pages, not
 * thumbnails or masks; unref them; and adds to bytes what their samples take in a result. Checks
 * all of them, or only the first one, against the table of header.h. Returns FALSE with
 * IMAGE_ERROR_KIND if libvips would load one wrongly, or would load the thumbnail of a raw photo;
 * and with IMAGE_ERROR_ROOM if a strip or a tile takes more bytes than memory. */
gboolean tiff_look (const char *path, guint64 memory, gboolean all, GArray **pages, double *bytes,
                    GError **error);

/* Writes an image of gray or RGB, maybe with alpha, and its profile, XMP and resolution: to a new
 * file, whose pages take so many bytes in all, if that is more than the image does, or behind the
 * pages of the file. Each page of the image becomes one. Returns FALSE with a message of libvips on
 * failure. */
gboolean tiff_write (VipsImage *image, const char *path, gboolean append, double bytes);
