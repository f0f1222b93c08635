/* Loads and saves image files through libvips. Any thread may call these functions. */
#pragma once

#include "format.h"

#include <gexiv2/gexiv2.h>
#include <vips/vips.h>

/* What the command reads and writes, for a message. */
#define IMAGE_FORMATS "JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL file"

/* A format in which images are saved. */
typedef struct ImageKind ImageKind;

/* Returns the format for the extension of path, or NULL if this program does not save it. */
const ImageKind *image_kind_find (const char *path);

/* Returns whether Exiv2 can write metadata to the file of this image: it knows the format, and the
 * file is not too large for it. */
gboolean image_kind_takes_metadata (const ImageKind *kind, VipsImage *image);

/* Returns an estimate of the bytes of memory that saving the image takes. */
guint64 image_kind_get_need (const ImageKind *kind, VipsImage *image);

/* Opens an image file, whatever its extension: upright, in gray or RGB, maybe with alpha. Fills
 * format. The pixels are read later, from top to bottom once. Unref the image. Returns NULL with
 * error set on failure: if the file has several pages or frames, for example, or with
 * IMAGE_ERROR_ROOM if a part that is to be held needs more bytes than memory. */
VipsImage *image_open (const char *path, guint64 memory, FxFormat *format, GError **error);

/* Saves an image whose samples are in format, in as many bits as kind has; if kind has no alpha,
 * puts white behind it. Of its own fields only the colour profile and the resolution are saved,
 * and with them metadata (NULL: none). Returns FALSE with IMAGE_ERROR_UNWRITTEN on failure. */
gboolean image_save (VipsImage *image, const FxFormat *format, const ImageKind *kind,
                     const char *path, GExiv2Metadata *metadata, GError **error);
