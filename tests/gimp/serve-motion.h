/* The motion blur in GIMP's window, for its test. */
#pragma once

#include "serve-image.h"

/* KIND LENGTH ANGLE FACTOR CENTER-X CENTER-Y: whether the layer is what the engine makes of its
 * original with these settings. */
char *serve_motion_check (ServeImage *image, const char *what);
