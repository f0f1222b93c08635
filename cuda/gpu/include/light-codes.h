/* The lights at which the codes of kernels/codes.h begin, and the codes of pixels on the CPU. */
#pragma once

#include "../kernels/codes.h"
#include "codec.h"

/* Returns the FX_LIGHT_CODES lights of trc, which all plans share; free them with
 * fx_light_codes_free. Those of the four curves that were asked for last are kept, 1 MB each.
 * Returns NULL with FX_ERROR_MEMORY. Both may be called from any thread. */
const float *fx_light_codes_get (const FxTrc *trc, GError **error);
void fx_light_codes_free (const float *lights); /* NULL is legal */

/* Sets planes to the codes of n pixels' colours, at most FX_LIGHT_CODES_PIECE. format is linear,
 * and lights are those of its curve. The plane of alpha has alpha. */
#define FX_LIGHT_CODES_PIECE 256
void fx_light_codes_decode (const float *lights, const FxFormat *format, const void *pixels, int n,
                            float *const *planes);
