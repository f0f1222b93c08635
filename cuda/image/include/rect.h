/* Rectangles of pixels, and spans along one axis. */
#pragma once

#include <glib.h>

/* Pixels x to x + width - 1, y to y + height - 1 of an image whose first pixel is 0, 0. A rectangle
 * of width or height 0 is empty. */
typedef struct {
  int x, y, width, height;
} FxRect;

/* Cells first to first + count - 1. */
typedef struct {
  int first, count;
} FxSpan;

/* Returns the rectangle from x0, y0 (inclusive) to x1, y1 (exclusive), clipped to the range of
 * coordinates. */
static inline FxRect
fx_rect_between (gint64 x0, gint64 y0, gint64 x1, gint64 y1)
{
  x0 = CLAMP (x0, G_MININT, G_MAXINT);
  y0 = CLAMP (y0, G_MININT, G_MAXINT);
  x1 = CLAMP (x1, x0, MIN (x0 + G_MAXINT, G_MAXINT));
  y1 = CLAMP (y1, y0, MIN (y0 + G_MAXINT, G_MAXINT));
  return (FxRect) { (int) x0, (int) y0, (int) (x1 - x0), (int) (y1 - y0) };
}

/* Returns the largest integer not above a / b. b must be positive. */
static inline int
fx_floor_div (int a, int b)
{
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Returns the least integer not below n / m. */
static inline unsigned
fx_ceil_div (gsize n, gsize m)
{
  return (unsigned) ((n + m - 1) / m);
}

/* Returns the least multiple of m that is not below n. */
static inline gsize
fx_round_up (gsize n, gsize m)
{
  return (n + m - 1) / m * m;
}

/* Returns the cells of span that are among first to first + length - 1, counted from first; an
 * empty span if there are none. */
static inline FxSpan
fx_span_clip (FxSpan span, int first, int length)
{
  gint64 begin = MAX (0, (gint64) span.first - first);
  gint64 end = MIN ((gint64) length, (gint64) span.first + span.count - first);

  return (FxSpan) { (int) MIN (begin, length), (int) MAX (0, end - begin) };
}
