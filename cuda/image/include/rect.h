/* Rectangles of pixels, and spans along one axis. */
#ifndef FX_RECT_H
#define FX_RECT_H

#include <glib.h>

G_BEGIN_DECLS

/* Pixels x to x + width - 1, y to y + height - 1 of an image whose first pixel is 0, 0. A rectangle
 * of width or height 0 is empty. */
typedef struct {
  int x, y, width, height;
} FxRect;

/* Cells first to first + count - 1. */
typedef struct {
  int first, count;
} FxSpan;

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

/* Returns span extended by before and after pixels and clipped to 0 to length - 1; an empty span if
 * nothing remains. */
static inline FxSpan
fx_span_extend (FxSpan span, int before, int after, int length)
{
  int first = MAX (0, span.first - before);
  int end = (int) MIN ((gint64) length, (gint64) span.first + span.count + after);

  return (FxSpan) { first, MAX (0, end - first) };
}

G_END_DECLS

#endif
