/* The convolution matrix in GIMP's window, for its test. */
#pragma once

#include "serve-image.h"

/* DIVISOR OFFSET CHANNELS WEIGHTING ABYSS LIGHT MATRIX: whether the layer is to the byte what the
 * procedure makes of its original without a window. MATRIX is text in one line. */
char *serve_convolve_check (ServeImage *image, const char *what);
