/* Iterates over the chunks of the source, or of the result, of all strips in order. */
#pragma once

#include "strip.h"

typedef struct {
  const FxLayout *layout;
  const FxReach *reach;
  const FxImage *image;
  gboolean source;
  FxStrip strip;
  FxRect chunk;     /* the current chunk; width 0: the end */
  double all, done; /* pixels; done: of the chunks before the current one */
} FxCursor;

/* Starts at the first chunk. source selects chunks of the source or of the result. layout, reach
 * and image must outlive the cursor. */
void fx_cursor_init (FxCursor *cursor, const FxLayout *layout, const FxReach *reach,
                     const FxImage *image, gboolean source);

/* Moves to the next chunk, or to the end. */
void fx_cursor_step (FxCursor *cursor);
