/* Rectangles of pixels. One of no width or no height is empty. */
#ifndef RECTANGLE_H
#define RECTANGLE_H

#include "image.h"

G_BEGIN_DECLS

gboolean rect_is_empty (const FxRect *rect);
gboolean rect_equal (const FxRect *a, const FxRect *b);

/* Whether inner lies within outer. */
gboolean rect_contains (const FxRect *outer, const FxRect *inner);

/* What both have; empty where that is nothing. */
FxRect rect_intersect (const FxRect *a, const FxRect *b);

/* The smallest that contains both. */
FxRect rect_unite (const FxRect *a, const FxRect *b);

FxRect rect_move (const FxRect *rect, int x, int y);

G_END_DECLS

#endif
