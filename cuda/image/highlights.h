/* Expands and compresses highlights in rows of floats. */
#ifndef FX_HIGHLIGHTS_H
#define FX_HIGHLIGHTS_H

#include "codec.h"

G_BEGIN_DECLS

/* Expand n samples of colour in place, as decoding does, and compress them, as encoding does. */
G_GNUC_INTERNAL void fx_highlights_expand (const FxHighlights *highlights, float *x, int n);
G_GNUC_INTERNAL void fx_highlights_compress (const FxHighlights *highlights, float *x, int n);

G_END_DECLS

#endif
