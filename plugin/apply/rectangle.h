/* Rectangles of pixels. A rectangle without width or height is empty. */
#ifndef RECTANGLE_H
#define RECTANGLE_H

#include "image.h"

G_BEGIN_DECLS

gboolean rect_is_empty (const FxRect *rect);
gboolean rect_equal (const FxRect *a, const FxRect *b);

/* Returns whether inner lies within outer. */
gboolean rect_contains (const FxRect *outer, const FxRect *inner);

/* Returns the part that both share; empty if there is none. */
FxRect rect_intersect (const FxRect *a, const FxRect *b);

/* Returns the smallest rectangle that contains both. Empty ones are ignored. */
FxRect rect_unite (const FxRect *a, const FxRect *b);

/* Returns rect moved by x, y. */
FxRect rect_move (const FxRect *rect, int x, int y);

G_END_DECLS

#endif
