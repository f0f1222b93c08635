/* The errors of image files. Any thread may call these functions. */
#pragma once

#include "error.h"

typedef enum {
  IMAGE_ERROR_FORMAT,    /* the file has none of the formats */
  IMAGE_ERROR_KIND,      /* it has one, but not of a kind that is supported */
  IMAGE_ERROR_DAMAGED,   /* part of the image is missing or wrong */
  IMAGE_ERROR_UNWRITTEN, /* the output is not complete: the disk is full, for example */
  IMAGE_ERROR_ROOM,      /* there is not enough memory, or room for temporary files */
} ImageError;

#define IMAGE_ERROR (image_error_quark ())
GQuark image_error_quark (void);

#define image_fail(error, code, ...) fx_set_error (error, IMAGE_ERROR, code, __VA_ARGS__)

/* Sets error to the first line of libvips' last messages, and clears these. The code becomes
 * IMAGE_ERROR_ROOM if memory ran out. Returns FALSE. */
gboolean image_set_error (ImageError code, GError **error);

/* Sets error to IMAGE_ERROR_ROOM. Returns FALSE. */
gboolean image_set_no_memory (GError **error);

/* Sets error to IMAGE_ERROR_KIND, and says what to do with a file of this kind. Returns FALSE. */
gboolean image_set_kind (const char *kind, GError **error);

/* Returns whether TMPDIR has room for this many bytes. If it has not, sets error to
 * IMAGE_ERROR_ROOM. */
gboolean image_check_room (guint64 bytes, GError **error);
