/* The blur of blur.h in double precision, computed by its definition and without the engine's code:
 * slow, but the reference for the engine.
 *
 * Values are samples mapped as described for FxSample: integers to 0 to 1, the others unchanged. */
#pragma once

#include "blur.h"
#include "engine.h"

/* Return sample i of an array as a value, and store a value as sample i. Values are rounded to
 * nearest, ties to even; for integer samples they are clamped. */
double reference_decode (FxSample sample, gconstpointer samples, gsize i);
void reference_encode (FxSample sample, double value, gpointer samples, gsize i);

/* Returns n samples as values; free them with g_free. */
double *reference_decode_all (FxSample sample, gconstpointer samples, gsize n);

/* Returns how far a stored value may be from the exact one, by the engine's contract. range is the
 * largest magnitude in the source, at least 1. */
double reference_get_bound (FxSample sample, double value, double range);

/* Returns the distance between halves around value. */
double reference_get_half_ulp (double value);

/* Convert between sRGB's stored values and linear light. The straight part of the curve extends
 * below 0. */
double reference_to_linear (double value);
double reference_to_gamma (double light);

/* The same for any curve. */
double reference_trc_to_linear (const FxTrc *trc, double value);
double reference_trc_to_gamma (const FxTrc *trc, double light);

/* Convert a stored colour to the filter's light, and back. */
double reference_into_light (const FxFormat *format, FxLight light, double value);
double reference_out_of_light (const FxFormat *format, FxLight light, double value);

/* Returns how far the kernel reaches along an axis, in pixels: 6 sigma, or half of kernel_size; 0
 * if sigma is below 0.2. */
int reference_radius (double sigma, int kernel_size);

/* Blurs an image of width x height pixels of format, first along one axis, then along the other.
 * Returns the unrounded values of region; free them with g_free. */
double *reference_blur (const BlurParams *params, const FxFormat *format, int width, int height,
                        const FxRect *region, const double *source);
