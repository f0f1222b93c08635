/* Rectangles of pixels, and stretches along one axis. */
#ifndef FX_RECT_H
#define FX_RECT_H

#include <glib.h>

G_BEGIN_DECLS

/* Pixels x to x + width - 1, y to y + height - 1 of an image whose first pixel is 0, 0. Empty where
 * the width or the height is 0. */
typedef struct {
  int x, y, width, height;
} FxRect;

/* Cells first to first + count - 1. */
typedef struct {
  int first, count;
} FxSpan;

/* The largest integer not above a / b; b is positive. */
static inline int
fx_floor_div (int a, int b)
{
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The least integer not below n / m. */
static inline unsigned
fx_ceil_div (gsize n, gsize m)
{
  return (unsigned) ((n + m - 1) / m);
}

/* span with what lies before and after it, as far as there is any of 0 to length - 1; empty where
 * there is none. */
static inline FxSpan
fx_span_extend (FxSpan span, int before, int after, int length)
{
  int first = MAX (0, span.first - before);
  int end = (int) MIN ((gint64) length, (gint64) span.first + span.count + after);

  return (FxSpan) { first, MAX (0, end - first) };
}

G_END_DECLS

#endif
