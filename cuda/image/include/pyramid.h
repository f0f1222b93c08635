/* An image at ever smaller sizes. Level 0 is the image itself; each other one is half of the one
 * before, its pixels the averages of two by two, in premultiplied linear light, stored as the image
 * is. They are made when they are asked for, and anew where the image has changed. */
#ifndef FX_PYRAMID_H
#define FX_PYRAMID_H

#include "format.h"
#include "team.h"

G_BEGIN_DECLS

#define FX_PYRAMID_LEVELS 31 /* the last of FX_SIZE_MAX pixels has one */

typedef struct FxPyramid FxPyramid;

/* pixels: height rows of width pixels without padding, the caller's, which must outlive it. team:
 * makes the levels; must outlive it. Never NULL; free it with fx_pyramid_free. */
FxPyramid *fx_pyramid_new (const FxFormat *format, int width, int height, gconstpointer pixels,
                           FxTeam *team);
void fx_pyramid_free (FxPyramid *pyramid); /* NULL is legal */

/* The size of a level: of an odd one's half, the last pixel stands for what there is. */
void fx_pyramid_get_size (const FxPyramid *pyramid, int level, int *width, int *height);

/* Says that rows y to y + rows - 1 of the image have changed, which lie within it. */
void fx_pyramid_change (FxPyramid *pyramid, int y, int rows);

/* Tells how it goes; FALSE to stop, with error set. */
typedef gboolean (*FxPyramidFunc) (gpointer data, GError **error);

/* The pixels of a level, of which rows y to y + rows - 1 are up to date. Owned by pyramid. NULL
 * with FX_ERROR_MEMORY or what step sets, which is called from time to time. */
gconstpointer fx_pyramid_get (FxPyramid *pyramid, int level, int y, int rows, FxPyramidFunc step,
                              gpointer data, GError **error);

G_END_DECLS

#endif
