/* An image at ever smaller sizes. Level 0 is the image itself; each other one is half of the one
 * before, its pixels the averages of two by two, in premultiplied linear light, stored as the image
 * is. They are made when they are asked for, and anew where the image has changed. */
#ifndef BLUR_PYRAMID_H
#define BLUR_PYRAMID_H

#include "blur.h"

G_BEGIN_DECLS

#define BLUR_PYRAMID_LEVELS 31 /* the last of BLUR_SIZE_MAX pixels has one */

typedef struct BlurPyramid BlurPyramid;

/* pixels: height rows of width pixels without padding, the caller's, which must outlive it. Never
 * NULL; free it with blur_pyramid_free. */
BlurPyramid *blur_pyramid_new (const BlurFormat *format, int width, int height,
                               gconstpointer pixels);
void blur_pyramid_free (BlurPyramid *pyramid); /* NULL is legal */

/* The size of a level: of an odd one's half, the last pixel stands for what there is. */
void blur_pyramid_get_size (const BlurPyramid *pyramid, int level, int *width, int *height);

/* Says that rows y to y + rows - 1 of the image have changed, which lie within it. */
void blur_pyramid_change (BlurPyramid *pyramid, int y, int rows);

/* Tells how it goes; FALSE to stop, with error set. */
typedef gboolean (*BlurPyramidFunc) (gpointer data, GError **error);

/* The pixels of a level, of which rows y to y + rows - 1 are up to date. Owned by pyramid. NULL with
 * BLUR_ERROR_MEMORY or what step sets, which is called from time to time. */
gconstpointer blur_pyramid_get (BlurPyramid *pyramid, int level, int y, int rows,
                                BlurPyramidFunc step, gpointer data, GError **error);

G_END_DECLS

#endif
