/* Through a mask, and past the channels that are kept: what becomes of a filter's result before it
 * is the image. */
#ifndef FX_MIX_H
#define FX_MIX_H

#include "format.h"

FX_BEGIN_API

/* Mixes n pixels of a filter's result with those it was made of, as GIMP does through a selection:
 * in linear light (of coverage: as linear), premultiplied. after becomes the mixture; where mask is
 * 0 it is before, where it is 255 it stays, to the bit. */
void fx_mix (const FxFormat *format, gboolean coverage, gconstpointer before, gpointer after,
             const guint8 *mask, gsize n);

/* Gives n pixels of a filter's result back what those that it was made of have in some channels, as
 * GIMP does with a locked alpha or a component that is not active: bit c for channel c. A pixel
 * that the filter has made transparent becomes before's, as GIMP leaves its colour alone. before
 * NULL: zeros. */
void fx_keep (const FxFormat *format, guint channels, gconstpointer before, gpointer after,
              gsize n);

/* Converts n samples of coverage, of a format of one channel, into bytes, rounding to nearest. */
void fx_mask_convert (const FxFormat *format, gconstpointer samples, guint8 *mask, gsize n);

FX_END_API

#endif
