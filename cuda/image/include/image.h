/* A streamed image: the callbacks through which a run reads its source and writes its result. */
#pragma once

#include "format.h"
#include "rect.h"

#define FX_BAND_BYTES (16 << 20) /* bytes of a band of rows, unless a filter asks for more */
#define FX_SIZE_MAX                                                          \
  (1 << 24) /* the largest width and height of an image, in pixels: 32 times \
               GIMP's */

/* The maximum distance from 0 of an image's first pixel, along each axis, in pixels. */
#define FX_PLACE_MAX (1 << 29)

/* Reads rect, which lies within the image, into pixels. Rows are stride bytes apart. Return FALSE
 * with error set to stop the run. */
typedef gboolean (*FxReadFunc) (gpointer data, const FxRect *rect, gpointer pixels, gsize stride,
                                GError **error);

/* Receives the result for rect, which lies within the requested region. Rows are stride bytes
 * apart. pixels is valid only during the call. Return FALSE with error set to stop the run. */
typedef gboolean (*FxWriteFunc) (gpointer data, const FxRect *rect, gconstpointer pixels,
                                 gsize stride, GError **error);

/* Reports progress; fraction is 0 to 1. Return FALSE to cancel the run. */
typedef gboolean (*FxProgressFunc) (gpointer data, double fraction);

/* The resident part of an image's source on a device; see stream/resident-source.h. */
typedef struct FxResidentSource FxResidentSource;

/* An image that a run streams. The run calls read for bands of the source from top to bottom, and
 * write for bands of the region in the same order. A memory limit may divide the region into strips
 * of columns; the run then does so for each strip. Bands start at multiples of a power of two rows.
 * These are band_rows; fewer if they exceed FX_BAND_BYTES or the memory limit; or more, of up to 64
 * MB, if that makes a filter faster. If a device fails midway, the run restarts on another one, so
 * read and write may receive the same rectangles again. The written pixels are valid only after the
 * run has returned TRUE. */
typedef struct {
  FxFormat format;
  int width, height; /* of the whole image, 1 to FX_SIZE_MAX each */
  int x, y;          /* the position of its first pixel, for plans with an FxGeometry,
                        -FX_PLACE_MAX to FX_PLACE_MAX; all other rectangles count from that pixel */
  FxRect region; /* the part to compute: not empty, within the image; the pixels around it are read
                    as far as the filter reaches */
  int band_rows; /* a power of two; 0: 128, the height of GIMP's tiles */
  FxResidentSource *resident; /* NULL: the run reads all of its source. Otherwise, a GPU with enough
                                 memory reads only the rows that are not resident yet, always at
                                 full width, and keeps them for the next run */
  FxReadFunc read;
  FxWriteFunc write;

  /* NULL, or memory with the whole image and for the whole region, in rows without padding. They
   * must not overlap. The CPU uses this memory instead of calling read and write, unless a memory
   * limit divides the region. */
  gconstpointer source;
  gpointer result;
  FxProgressFunc progress; /* may be NULL */
  gpointer data;           /* passed to all three callbacks */
} FxImage;

/* Checks that image is valid for a run; returns FALSE with FX_ERROR_ARGUMENT if not. */
gboolean fx_image_check (const FxImage *image, GError **error);

/* Copies the pixels of the region as they are, without converting them to floats. Returns FALSE
 * with error if there is no memory, or if a callback fails or cancels. */
gboolean fx_image_copy (const FxImage *image, GError **error);

/* Calls progress, which may be NULL. Returns FALSE with FX_ERROR_CANCELLED if progress returns
 * FALSE. */
gboolean fx_progress_report (FxProgressFunc progress, gpointer data, double fraction,
                             GError **error);
