/* How far blurs are from a convolution in double precision: ours on each device, and GEGL's. */
#pragma once

#include "blur.h"
#include "engine.h"

/* Prints for WHO of blur and gegl, on a picture of width * height, in linear light, a figure for
 * each of n sigmas of
 *     WHO-error-levels   u8: the largest error, in levels of 255
 *     WHO-error-opaque   u8: the same, where the blurred picture is opaque
 *     WHO-error-exact    u8: percent of the samples that are what the reference rounds to
 *     WHO-error-float    float, before any rounding: the largest error, where 1 is white
 * Colour counts where alpha is at least 8/255; there the division by alpha still magnifies an error
 * 32 times, hence the second figure. with_gpu: ours on the
 * GPU too. Begins nothing once the time is up. */
gboolean errors_measure (FxEngine *engine, gboolean with_gpu, int width, int height,
                         const double *sigmas, int n, GError **error);
