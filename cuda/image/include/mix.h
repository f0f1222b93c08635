/* Combines a filter's result with its source, through a mask and by channel. */
#pragma once

#include "format.h"

FX_BEGIN_API

/* Mixes n pixels of a filter's result (after) with its source (before) under a mask, as GIMP does
 * with a selection: premultiplied and in linear light (coverage is treated as linear). Writes the
 * mixture to after. A mask value of 0 copies before exactly; 255 leaves after unchanged. */
void fx_mix (const FxFormat *format, gboolean coverage, gconstpointer before, gpointer after,
             const guint8 *mask, gsize n);

/* Restores the given channels (bit c for channel c) of n pixels of a filter's result (after) from
 * its source (before), as GIMP does for a locked alpha or an inactive component. If the filter has
 * made a pixel fully transparent, all of the pixel is restored, because GIMP leaves its colour
 * unchanged. before may be NULL: zeros are used instead. */
void fx_restore_channels (const FxFormat *format, guint channels, gconstpointer before,
                          gpointer after, gsize n);

/* Converts n samples of coverage, in a format of one channel, to bytes, rounding to nearest. */
void fx_mask_convert (const FxFormat *format, gconstpointer samples, guint8 *mask, gsize n);

FX_END_API
