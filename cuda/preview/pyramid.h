/* A pyramid of successively smaller copies of an image. Level 0 is the image itself. Each further
 * level has half the size of the one before; its pixels are averages of 2 x 2 pixels in
 * premultiplied linear light, stored in the image's format. Levels are computed on demand, and
 * recomputed where the image has changed.
 *
 * A pyramid serves one thread at a time. */
#pragma once

#include "image.h"
#include "team.h"

#define FX_PYRAMID_LEVELS 25 /* the last level of FX_SIZE_MAX pixels has one pixel */

typedef struct FxPyramid FxPyramid;

/* Creates a pyramid over pixels: height rows of width pixels without padding. The caller owns
 * pixels and team, whose threads compute the levels; both must outlive the pyramid. Never returns
 * NULL; free the pyramid with fx_pyramid_free. */
FxPyramid *fx_pyramid_new (const FxFormat *format, int width, int height, gconstpointer pixels,
                           FxTeam *team);
void fx_pyramid_free (FxPyramid *pyramid); /* NULL is legal */

/* Returns the size of a level. Halves are rounded up: the last pixel of an odd row or column
 * averages the pixels that exist. */
void fx_pyramid_get_size (const FxPyramid *pyramid, int level, int *width, int *height);

/* Marks rows y to y + rows - 1 of the image, which must lie within it, as changed. */
void fx_pyramid_change (FxPyramid *pyramid, int y, int rows);

/* Returns the pixels of a level, with rows y to y + rows - 1 up to date. pyramid owns them.
 * progress, which may be NULL, is called from time to time, with 0. Returns NULL with
 * FX_ERROR_MEMORY or FX_ERROR_CANCELLED. */
gconstpointer fx_pyramid_get (FxPyramid *pyramid, int level, int y, int rows,
                              FxProgressFunc progress, gpointer data, GError **error);
