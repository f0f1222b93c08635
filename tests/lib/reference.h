/* Samples in double precision, by their definition and without the engine's code. Values are
 * samples mapped as described for FxSample: integers to 0 to 1, the others unchanged. */
#pragma once

#include "format.h"

/* Return sample i of an array as a value, and store a value as sample i. Values are rounded to
 * nearest, ties to even; for integer samples they are clamped. */
double reference_decode (FxSample sample, gconstpointer samples, gsize i);
void reference_encode (FxSample sample, double value, gpointer samples, gsize i);
