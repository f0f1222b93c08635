/* Divides a region into strips of columns, which are processed one after the other, and strips into
 * chunks of rows. */
#pragma once

#include "image.h"
#include "plan.h"

/* One strip: columns x0 to x1 - 1 and rows y0 to y1 - 1 of the image, and the part of the source
 * that they depend on, columns source_x0 to source_x1 - 1 and rows source_y0 to source_y1 - 1.
 * width, height, x and y are those of the whole image. */
typedef struct {
  int width, height, x, y;
  gboolean resident; /* the device keeps all of the image's source for later runs */
  int x0, x1, y0, y1;
  int source_x0, source_x1, source_y0, source_y1;
  int chunk_rows;
} FxStrip;

/* Return the columns and the rows of the strip's source. */
FxSpan fx_strip_get_columns (const FxStrip *strip);
FxSpan fx_strip_get_rows (const FxStrip *strip);

/* Returns the rows of the strip's source that rows y to end - 1 of its result depend on. */
FxSpan fx_strip_get_source_rows (const FxStrip *strip, const FxReach *reach, int y, int end);

/* Returns the rows that a ring must hold: those that one chunk of the result depends on, and the
 * rest of the source chunk that contains the last of them. */
int fx_strip_get_ring_rows (const FxStrip *strip, const FxReach *reach);

/* Returns the end (exclusive) of the chunk that starts at row y: the next multiple of the chunk
 * size, or end if that comes first. */
int fx_strip_get_chunk_end (const FxStrip *strip, int y, int end);

typedef struct {
  int strip_width;   /* columns of the region per strip; the last strip may have fewer */
  int chunk_rows;    /* a power of two; chunks start at multiples of it, and so align with tiles */
  gsize bytes;       /* memory that a strip takes */
  gboolean resident; /* of the strips; chunks of the source are then as wide as the image */
} FxLayout;

/* Returns a layout for runs of plan by backend on device that needs at most limit bytes: with
 * shorter chunks than usual if necessary, down to the reach's worthwhile_rows, and only then with
 * narrower strips. If no layout is small enough, returns one that is not much larger than the
 * smallest. Chunks have the number of rows that the backend requests, if memory permits. */
FxLayout fx_layout_new (const FxBackend *backend, gconstpointer device, const FxPlan *plan,
                        const FxImage *image, gboolean resident, gsize limit);

/* Returns the strip whose first column is x0. */
FxStrip fx_layout_get_strip (const FxLayout *layout, const FxReach *reach, const FxImage *image,
                             int x0);

/* Returns the maximum number of columns of a strip's source. */
int fx_layout_get_source_columns (const FxLayout *layout, const FxReach *reach,
                                  const FxImage *image);
