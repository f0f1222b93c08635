#include "cursor.h"

static FxRect
cursor_get_extent (const FxCursor *cursor)
{
  const FxStrip *s = &cursor->strip;

  if (cursor->source && s->resident)
    return (FxRect) { 0, s->source_y0, s->width, s->source_y1 - s->source_y0 };
  if (cursor->source)
    return (FxRect) { s->source_x0, s->source_y0, s->source_x1 - s->source_x0,
                      s->source_y1 - s->source_y0 };
  return (FxRect) { s->x0, s->y0, s->x1 - s->x0, s->y1 - s->y0 };
}

/* Moves to the strip that starts at column x. Returns FALSE if there is none. */
static gboolean
set_strip (FxCursor *cursor, int x)
{
  const FxRect *region = &cursor->image->region;

  if (x >= region->x + region->width)
    return FALSE;
  cursor->strip = fx_layout_get_strip (cursor->layout, cursor->reach, cursor->image, x);
  return TRUE;
}

/* Moves to the chunk of the strip that starts at row y. */
static void
set_chunk (FxCursor *cursor, int y)
{
  FxRect extent = cursor_get_extent (cursor);
  int end = fx_strip_get_chunk_end (&cursor->strip, y, extent.y + extent.height);

  cursor->chunk = (FxRect) { extent.x, y, extent.width, end - y };
}

void
fx_cursor_init (FxCursor *cursor, const FxLayout *layout, const FxReach *reach,
                const FxImage *image, gboolean source)
{
  *cursor = (FxCursor) { .layout = layout, .reach = reach, .image = image, .source = source };
  for (int x = image->region.x; set_strip (cursor, x); x = cursor->strip.x1)
    cursor->all += (double) cursor_get_extent (cursor).width * cursor_get_extent (cursor).height;
  set_strip (cursor, image->region.x);
  set_chunk (cursor, cursor_get_extent (cursor).y);
}

void
fx_cursor_step (FxCursor *cursor)
{
  FxRect extent = cursor_get_extent (cursor);
  int next = cursor->chunk.y + cursor->chunk.height;

  cursor->done += (double) cursor->chunk.width * cursor->chunk.height;
  if (next < extent.y + extent.height)
    set_chunk (cursor, next);
  else if (set_strip (cursor, cursor->strip.x1))
    set_chunk (cursor, cursor_get_extent (cursor).y);
  else
    cursor->chunk = (FxRect) { 0 };
}
