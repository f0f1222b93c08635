/* The expected picture of the dialog's preview, computed in double precision from the blurred
 * layer. Does not use GIMP or the screen. */
#pragma once

#include "raster.h"

/* A view of a layer: pixel i of the scaled layer covers the layer's from i / scale to (i + 1) /
 * scale, and is the average of that area, in linear light and premultiplied; if the scale is 1 or
 * more, it is the one pixel that contains its centre. */
typedef struct {
  FxRect rect; /* of the scaled layer, whose first pixel is 0, 0 */
  double scale;
} PictureView;

/* The checks behind transparent pixels, from the scaled layer's first pixel on. */
typedef struct {
  int size; /* pixels */
  guint8 light, dark;
} PictureChecks;

/* The layer and its expected blur. */
typedef struct {
  const Raster *raster;
  const BlurParams *params; /* NULL: no blur */
  int grow_x, grow_y;       /* pixels that the layer is enlarged by on each side */
  const double *mask;       /* the selection's share of each of the layer's pixels, or NULL: all */
  guint kept;               /* channels that stay as they are: bits */
} PictureLayer;

/* rect.width * rect.height pixels of 3 bytes; g_free them. NULL if the engine refuses. */
guint8 *picture_render (const PictureLayer *layer, const PictureView *view,
                        const PictureChecks *checks);

/* NULL, or what is wrong with pixels that are further from the expected ones than the view's
 * rounding and that of its checks: more than 2 levels. */
char *picture_compare (const guint8 *actual, const guint8 *expected, int width, int height);
