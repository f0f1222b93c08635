/* Converts 8-bit pixels of three or four channels straight to pixels of four floats, as
 * fx_interleave lays them out, and back. The fourth channel is alpha. With three channels, the
 * fourth float repeats the third. */
#pragma once

#include "vector.h"

#include <glib.h>

typedef struct {
  int channels;           /* 3 or 4 */
  gboolean premultiplied; /* colour is multiplied by alpha in floats; not with 3 channels */
  const float *table;     /* decoding: the 256 values of colour; NULL: levels / 255 */
  gboolean srgb;          /* encoding: floats are linear light, bytes have sRGB's curve */
} FxBytes;

typedef struct {
  void (*decode) (const FxBytes *bytes, const guint8 *pixels, int n, float *floats);

  /* Encodes n pixels, as fx_codec_encode does. */
  void (*encode) (const FxBytes *bytes, const float *floats, int n, guint8 *pixels);
} FxBytesCoder;

/* Returns the coder for unit, which this processor must have. Returns NULL if planes are as fast
 * there. */
G_GNUC_INTERNAL const FxBytesCoder *fx_bytes_get_coder (FxVectorUnit unit);

/* The coders, which exist only on architectures that have these units. */
G_GNUC_INTERNAL extern const FxBytesCoder fx_bytes_avx2, fx_bytes_avx512;
