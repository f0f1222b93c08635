#include "rectangles.h"

GeglRectangle
rectangles_between (gint64 x0, gint64 y0, gint64 x1, gint64 y1)
{
  x0 = CLAMP (x0, G_MININT, G_MAXINT);
  y0 = CLAMP (y0, G_MININT, G_MAXINT);
  x1 = CLAMP (x1, x0, MIN (x0 + G_MAXINT, G_MAXINT));
  y1 = CLAMP (y1, y0, MIN (y0 + G_MAXINT, G_MAXINT));
  return (GeglRectangle) { (int) x0, (int) y0, (int) (x1 - x0), (int) (y1 - y0) };
}

GeglRectangle
rectangles_enlarge (const GeglRectangle *rect, int left, int right, int above, int below)
{
  return rectangles_between ((gint64) rect->x - left, (gint64) rect->y - above,
                             (gint64) rect->x + rect->width + right,
                             (gint64) rect->y + rect->height + below);
}
