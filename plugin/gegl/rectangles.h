/* Arithmetic with GEGL's rectangles, which may lie at the ends of int. */
#pragma once

#include "plan.h"

#include <gegl.h>

/* Returns the rectangle from x0, y0 to before x1, y1, or the part of it that coordinates reach. */
GeglRectangle rectangles_between (gint64 x0, gint64 y0, gint64 x1, gint64 y1);

/* Returns rect with more pixels on its sides, or the part of it that coordinates reach. */
GeglRectangle rectangles_enlarge (const GeglRectangle *rect, int left, int right, int above,
                                  int below);

/* Returns the source that a plan's result in rect depends on. */
GeglRectangle rectangles_get_source (const GeglRectangle *rect, const FxReach *reach);

/* Returns the geometry of a picture in box. */
FxGeometry rectangles_get_geometry (const GeglRectangle *box);
