/* An aperture's weights by another way than the engine's: a sum over many lines through each row of
 * pixels, along which the brightness is integrated exactly. */
#pragma once

#include "lens.h"

/* Returns the weights of an aperture of that radius, the sum of which is 1: 2 y + 1 rows of 2 x + 1
 * columns. lines is those through each row. Free them with g_free. */
double *integral_new (const LensParams *params, double radius, int lines, int *x, int *y);
