/* Expands and compresses highlights in planes of floats. */
#pragma once

#include "codec.h"

/* Expand n pixels, at most FX_PIECE, of that many planes of straight colour in place, as decoding
 * does, and compress them, as encoding does. */
G_GNUC_INTERNAL void fx_highlights_expand (const FxHighlights *highlights, float *const *planes,
                                           int colors, int n);
G_GNUC_INTERNAL void fx_highlights_compress (const FxHighlights *highlights, float *const *planes,
                                             int colors, int n);
