/* Rectangles of pixels, and their rows. A rectangle without width or height is empty. */
#pragma once

#include "image.h"

#include <string.h>

static inline gboolean
rect_is_empty (const FxRect *rect)
{
  return rect->width <= 0 || rect->height <= 0;
}

static inline gboolean
rect_equal (const FxRect *a, const FxRect *b)
{
  return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

/* Returns whether inner lies within outer. */
static inline gboolean
rect_contains (const FxRect *outer, const FxRect *inner)
{
  return inner->x >= outer->x && inner->x + inner->width <= outer->x + outer->width &&
         inner->y >= outer->y && inner->y + inner->height <= outer->y + outer->height;
}

/* Returns the part that both share; empty if there is none. */
static inline FxRect
rect_intersect (const FxRect *a, const FxRect *b)
{
  return fx_rect_between (MAX (a->x, b->x), MAX (a->y, b->y),
                          MIN (a->x + a->width, b->x + b->width),
                          MIN (a->y + a->height, b->y + b->height));
}

/* Returns the smallest rectangle that contains both. Empty ones are ignored. */
static inline FxRect
rect_unite (const FxRect *a, const FxRect *b)
{
  if (rect_is_empty (a) || rect_is_empty (b))
    return rect_is_empty (a) ? *b : *a;
  return fx_rect_between (MIN (a->x, b->x), MIN (a->y, b->y),
                          MAX (a->x + a->width, b->x + b->width),
                          MAX (a->y + a->height, b->y + b->height));
}

/* Returns rect moved by x, y. */
static inline FxRect
rect_move (const FxRect *rect, int x, int y)
{
  return (FxRect) { rect->x + x, rect->y + y, rect->width, rect->height };
}

/* Sets rows of size bytes each to zero. */
static inline void
clear_rows (gpointer pixels, gsize stride, gsize size, int rows)
{
  for (int row = 0; row < rows; row++)
    memset ((guint8 *) pixels + row * stride, 0, size);
}

/* Copies rows of size bytes each. */
static inline void
copy_rows (gpointer to, gsize to_stride, gconstpointer from, gsize from_stride, gsize size,
           int rows)
{
  for (int row = 0; row < rows; row++)
    memcpy ((guint8 *) to + row * to_stride, (const guint8 *) from + row * from_stride, size);
}
