/* How a region is cut into strips of columns, done one after the other, and those into chunks of
 * rows. */
#ifndef FX_STRIP_H
#define FX_STRIP_H

#include "image.h"
#include "plan.h"

G_BEGIN_DECLS

/* One strip: its columns and rows of the region, x0 to x1 - 1 and y0 to y1 - 1, and the part of the
 * source that they need; width and height are the whole image's. */
typedef struct {
  int width, height;
  int x0, x1, y0, y1;
  int source_x0, source_x1, source_y0, source_y1;
  int chunk_rows;
} FxStrip;

/* The strip's source along each axis. */
FxSpan fx_strip_get_columns (const FxStrip *strip);
FxSpan fx_strip_get_rows (const FxStrip *strip);

/* Rows that a ring must hold: what one chunk of the result reaches, and the rest of the source
 * chunk that it ends in. */
int fx_strip_get_ring_rows (const FxStrip *strip, const FxReach *reach);

/* Up to which row a chunk goes that starts at y: to the next multiple of its size, or to end. */
int fx_strip_get_chunk_end (const FxStrip *strip, int y, int end);

typedef struct {
  int strip_width; /* columns of the region a strip, the last may have fewer */
  int chunk_rows;  /* a power of two; chunks start at its multiples, so that they meet tile edges */
  gsize bytes;     /* what a strip takes */
  gboolean whole_rows; /* chunks of the source are as wide as the image */
} FxLayout;

/* Bytes that a device takes for a strip. */
typedef gsize (*FxStripBytes) (gconstpointer data, const FxStrip *strip);

/* The layout that takes at most limit bytes, with as few strips as that allows; where none is that
 * small, one not much larger than the smallest. data: of get_bytes. */
FxLayout fx_layout_new (const FxReach *reach, const FxImage *image, FxStripBytes get_bytes,
                        gconstpointer data, gsize limit);

/* The strip whose first column is x0. */
FxStrip fx_layout_get_strip (const FxLayout *layout, const FxReach *reach, const FxImage *image,
                             int x0);

G_END_DECLS

#endif
