/* Loads and saves image files through libvips. Any thread may call these functions. */
#pragma once

#include "format.h"

#include <gexiv2/gexiv2.h>
#include <vips/vips.h>

typedef enum {
  IMAGE_ERROR_FORMAT,    /* the file has none of the formats */
  IMAGE_ERROR_KIND,      /* it has one, but not of a kind that is supported */
  IMAGE_ERROR_DAMAGED,   /* part of the image is missing or wrong */
  IMAGE_ERROR_UNWRITTEN, /* the output is not complete: the disk is full, for example */
  IMAGE_ERROR_ROOM,      /* there is not enough memory, or room for temporary files */
} ImageError;

#define IMAGE_ERROR (image_error_quark ())
GQuark image_error_quark (void);

/* What the command reads and writes, for a message. */
#define IMAGE_FORMATS "JPEG, PNG, TIFF, WebP, HEIC, AVIF or JPEG XL file"

/* Why there is no result of a file for which image_has_layers returns TRUE. */
#define IMAGE_LAYERS \
  "is an XCF or PSD file, which GIMP blurs: plugin/README.md shows how, in Files with layers"
gboolean image_has_layers (const char *path);

/* Sets error to the first line of libvips' last messages, and clears these. The code becomes
 * IMAGE_ERROR_ROOM if memory ran out. Returns FALSE. */
gboolean image_set_error (ImageError code, GError **error);

/* Sets error to IMAGE_ERROR_ROOM. Returns FALSE. */
gboolean image_set_no_memory (GError **error);

/* Returns whether TMPDIR has room for this many bytes. If it has not, sets error to
 * IMAGE_ERROR_ROOM. */
gboolean image_check_room (guint64 bytes, GError **error);

/* A format in which images are saved. */
typedef struct ImageKind ImageKind;

/* Returns the format for the extension of path, or NULL if this program does not save it. */
const ImageKind *image_kind_find (const char *path);

/* Returns whether Exiv2 can write metadata to the file of this image: it knows the format, and the
 * file has one page, and is not too large for it. */
gboolean image_kind_takes_metadata (const ImageKind *kind, VipsImage *image);

/* Returns an estimate of the bytes of memory that saving the image takes. */
guint64 image_kind_get_need (const ImageKind *kind, VipsImage *image);

/* Opens an image file, whatever its extension: upright, in gray or RGB, maybe with alpha. Loads all
 * pages or frames if kind, the format of the result, has several and libvips can load them, else
 * the first one; sets more if the file has others. Fills format. The pixels are read later, from
 * top to bottom once. Unref the image. Returns NULL with error set on failure: IMAGE_ERROR_ROOM,
 * for example, if a strip of a TIFF file needs more bytes than memory. */
VipsImage *image_open (const char *path, guint64 memory, const ImageKind *kind, gboolean *more,
                       FxFormat *format, GError **error);

/* Saves an image whose samples are in format, in as many bits as kind has; if kind has no alpha,
 * puts white behind it. Of its own metadata only the colour profile and the resolution are saved,
 * and with them those that the image fields has (NULL: none). Returns FALSE with
 * IMAGE_ERROR_UNWRITTEN on failure. */
gboolean image_save (VipsImage *image, const FxFormat *format, const ImageKind *kind,
                     const char *path, GExiv2Metadata *metadata, GError **error);
