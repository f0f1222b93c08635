/* A streamed image: what a run reads and writes. */
#ifndef FX_IMAGE_H
#define FX_IMAGE_H

#include "format.h"
#include "rect.h"

G_BEGIN_DECLS

#define FX_BAND_BYTES (16 << 20) /* of a band of rows at a time */
#define FX_SIZE_MAX   (1 << 30)  /* pixels, of an image's width and height */

/* Fills pixels with the image's rect, which lies within the image; rows are stride bytes apart.
 * Returns FALSE with error set to stop the run. */
typedef gboolean (*FxReadFunc) (gpointer data, const FxRect *rect, gpointer pixels, gsize stride,
                                GError **error);

/* Takes the resulting pixels of rect, which lies within the region asked for. */
typedef gboolean (*FxWriteFunc) (gpointer data, const FxRect *rect, gconstpointer pixels,
                                 gsize stride, GError **error);

/* fraction: 0 to 1. Returns FALSE to cancel. */
typedef gboolean (*FxProgressFunc) (gpointer data, double fraction);

/* What a device keeps of an image's source; stream/kept.h. */
typedef struct FxKept FxKept;

/* An image is streamed: read is asked for bands of it, from the top down, and write is given bands
 * of the region in the same order. Bands start at rows that are multiples of a power of two, of
 * band_rows where so many rows take no more than FX_BAND_BYTES and memory allows. When a device
 * fails midway the run starts over on another, so that read and write may see the same rectangles
 * again; what was written counts only once the run has returned TRUE. */
typedef struct {
  FxFormat format;
  int width, height; /* of the whole image, 1 to FX_SIZE_MAX */
  FxRect region;     /* to compute: not empty, within the image; what lies around it is read as far
                        as the filter reaches */
  int band_rows;     /* a power of two; 0: 128, which is a row of GIMP's tiles */
  FxKept *kept; /* NULL: the source is read anew; else a GPU with memory for all of it reads what it
                  does not have yet, whole rows at a time, and keeps it for the next run */
  FxReadFunc read;
  FxWriteFunc write;
  FxProgressFunc progress; /* may be NULL */
  gpointer data;           /* passed to all three */
} FxImage;

/* Whether a run can take image: FALSE and FX_ERROR_ARGUMENT if not. */
gboolean fx_image_check (const FxImage *image, GError **error);

/* Calls progress, which may be NULL. FALSE with FX_ERROR_CANCELLED where it wants no more. */
gboolean fx_progress_tell (FxProgressFunc progress, gpointer data, double fraction, GError **error);

G_END_DECLS

#endif
