/* Samples and curves in double precision, by their definition and without the engine's code.
 *
 * Values are samples mapped as described for FxSample: integers to 0 to 1, the others unchanged. */
#pragma once

#include "blur.h"
#include "engine.h"

/* Return sample i of an array as a value, and store a value as sample i. Values are rounded to
 * nearest, ties to even; for integer samples they are clamped. */
double reference_decode (FxSample sample, gconstpointer samples, gsize i);
void reference_encode (FxSample sample, double value, gpointer samples, gsize i);

/* Convert between sRGB's stored values and linear light. The straight part of the curve extends
 * below 0. */
double reference_to_linear (double value);
double reference_to_gamma (double light);

/* The same for any curve. */
double reference_trc_to_linear (const FxTrc *trc, double value);
double reference_trc_to_gamma (const FxTrc *trc, double light);

/* Converts a stored colour to the filter's light. */
double reference_into_light (const FxFormat *format, FxLight light, double value);
