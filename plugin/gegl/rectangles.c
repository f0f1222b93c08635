#include "rectangles.h"

GeglRectangle
rectangles_between (gint64 x0, gint64 y0, gint64 x1, gint64 y1)
{
  const FxRect rect = fx_rect_between (x0, y0, x1, y1);

  return (GeglRectangle) { rect.x, rect.y, rect.width, rect.height };
}

GeglRectangle
rectangles_enlarge (const GeglRectangle *rect, int left, int right, int above, int below)
{
  return rectangles_between ((gint64) rect->x - left, (gint64) rect->y - above,
                             (gint64) rect->x + rect->width + right,
                             (gint64) rect->y + rect->height + below);
}

GeglRectangle
rectangles_get_source (const GeglRectangle *rect, const FxReach *reach)
{
  const FxRect result = { rect->x, rect->y, rect->width, rect->height };
  const FxRect source = fx_reach_get_source (reach, &result);

  return (GeglRectangle) { source.x, source.y, source.width, source.height };
}

FxGeometry
rectangles_get_geometry (const GeglRectangle *box)
{
  return (FxGeometry) { box->x, box->y, box->width, box->height };
}
