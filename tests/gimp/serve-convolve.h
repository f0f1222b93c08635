/* The convolution matrix in GIMP's window, for its test. */
#ifndef SERVE_CONVOLVE_H
#define SERVE_CONVOLVE_H

#include "serve-image.h"

G_BEGIN_DECLS

/* DIVISOR OFFSET CHANNELS WEIGHTING ABYSS LIGHT MATRIX: whether the layer is to the byte what the
 * procedure makes of its original without a window. MATRIX is text in one line. */
char *serve_convolve_check (ServeImage *image, const char *what);

G_END_DECLS

#endif
