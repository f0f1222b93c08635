#include "rectangle.h"

gboolean
rect_is_empty (const FxRect *rect)
{
  return rect->width <= 0 || rect->height <= 0;
}

gboolean
rect_equal (const FxRect *a, const FxRect *b)
{
  return a->x == b->x && a->y == b->y && a->width == b->width && a->height == b->height;
}

gboolean
rect_contains (const FxRect *outer, const FxRect *inner)
{
  return inner->x >= outer->x && inner->x + inner->width <= outer->x + outer->width &&
         inner->y >= outer->y && inner->y + inner->height <= outer->y + outer->height;
}

FxRect
rect_intersect (const FxRect *a, const FxRect *b)
{
  int x0 = MAX (a->x, b->x), x1 = MIN (a->x + a->width, b->x + b->width);
  int y0 = MAX (a->y, b->y), y1 = MIN (a->y + a->height, b->y + b->height);

  return (FxRect) { x0, y0, MAX (x1 - x0, 0), MAX (y1 - y0, 0) };
}

FxRect
rect_unite (const FxRect *a, const FxRect *b)
{
  int x = MIN (a->x, b->x), y = MIN (a->y, b->y);

  if (rect_is_empty (a) || rect_is_empty (b))
    return rect_is_empty (a) ? *b : *a;
  return (FxRect) { x, y, MAX (a->x + a->width, b->x + b->width) - x,
                    MAX (a->y + a->height, b->y + b->height) - y };
}

FxRect
rect_move (const FxRect *rect, int x, int y)
{
  return (FxRect) { rect->x + x, rect->y + y, rect->width, rect->height };
}
