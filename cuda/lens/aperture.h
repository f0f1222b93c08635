/* The aperture's weights. Pure arithmetic, without a device or I/O. */
#pragma once

#include "lens.h"

/* Sets x and y to the pixels beside the middle one, on each side, that the aperture reaches with
 * this radius. */
void lens_aperture_get_reach (const LensParams *params, double radius, int *x, int *y);

/* Fills values, of 2 y + 1 rows of 2 x + 1 columns for the reach x, y, with the weights of an
 * aperture of this radius. Their sum is 1. */
void lens_aperture_fill (const LensParams *params, double radius, double *values);
