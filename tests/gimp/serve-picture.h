/* The screen's part of what the window's tests ask serve.c for. */
#pragma once

#include "serve-image.h"

/* X Y WIDTH HEIGHT COLUMN ROW SCALE [DIVIDER]: whether that part of the screen shows the image's
 * layer, blurred as expected, at that scale, from that pixel of the scaled layer on; left of the
 * divider, a column of the screen, the layer as it is. The columns under the divider itself are not
 * checked. */
char *serve_picture_check (ServeImage *image, const char *where);

/* WIDTH HEIGHT, the screen's: "at X Y", where its first pixel is, of the layer as it is and at full
 * size. */
char *serve_picture_find (ServeImage *image, const char *where);

/* X Y WIDTH HEIGHT: a sum over what that part of the screen shows. */
char *serve_picture_sum (ServeImage *image, const char *where);

/* The same: the means of its red, green and blue levels, 0 to 255. */
char *serve_picture_colour (ServeImage *image, const char *where);

/* The same: the mean of its levels, 0 to 255. */
char *serve_picture_brightness (ServeImage *image, const char *where);
