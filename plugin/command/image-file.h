/* Loads and saves image files through libvips. Any thread may call these functions. */
#pragma once

#include "format.h"

#include <gexiv2/gexiv2.h>
#include <vips/vips.h>

/* What the command reads and writes, for a message. */
#define IMAGE_FORMATS "JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL file"

/* Why there is no result of a file for which image_has_layers returns TRUE. */
#define IMAGE_LAYERS \
  "is an XCF or PSD file, which GIMP blurs: plugin/SCRIPTS.md shows how, in Files with layers"
gboolean image_has_layers (const char *path);

/* A format in which images are saved. */
typedef struct ImageKind ImageKind;

/* Returns the format for the extension of path, or NULL if this program does not save it. */
const ImageKind *image_kind_find (const char *path);

/* Returns whether Exiv2 can write metadata to the file of this image, which is one of so many
 * pages: it knows the format, and the file has one page, and is not too large for it. */
gboolean image_kind_takes_metadata (const ImageKind *kind, VipsImage *image, guint pages);

/* Returns an estimate of the bytes of memory that saving the image takes. */
guint64 image_kind_get_need (const ImageKind *kind, VipsImage *image);

/* A file to load. */
typedef struct {
  const char *path, *loader; /* libvips' */
  guint64 memory;
  gboolean animated; /* the result has frames or pages */
  gboolean more;     /* pages or frames are left out; known when the image is open */
  double bytes;      /* of samples: what all pages of a TIFF file take; 0 for others */
  GArray *pages;     /* of int: for libvips, the pages that are images of their own: TIFF's */
} ImageSource;

/* Looks at an image file, whatever its extension: for all its pages or frames if kind, the format
 * of the result, has them and libvips can load them, else for the first one. Path must outlive the
 * source, which image_source_clear clears in any case. Returns FALSE with error set on failure:
 * IMAGE_ERROR_ROOM, for example, if a strip of a TIFF file needs more bytes than memory. */
gboolean image_look (ImageSource *source, const char *path, guint64 memory, const ImageKind *kind,
                     GError **error);
void image_source_clear (ImageSource *source);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ImageSource, image_source_clear)

/* Opens a page of a file: upright, in gray or RGB, maybe with alpha. Fills format. The pixels are
 * read later, from top to bottom once. Unref the image. Returns NULL with error set on failure. */
VipsImage *image_open (ImageSource *source, guint page, FxFormat *format, GError **error);

/* Saves an image whose samples are in format, in as many bits as kind has; if kind has no alpha,
 * puts white behind it. It becomes a page of a TIFF file whose pages take so many
 * bytes, as in ImageSource. Of its own
 * metadata only the colour profile and the resolution are saved, and with them those that the image
 * fields has (NULL: none). Returns FALSE with IMAGE_ERROR_UNWRITTEN on failure. */
gboolean image_save (VipsImage *image, const FxFormat *format, const ImageKind *kind,
                     const char *path, guint page, double bytes, GExiv2Metadata *metadata,
                     GError **error);
