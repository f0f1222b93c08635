/* Converts 8-bit pixels of three or four channels straight to pixels of four floats, as
 * fx_interleave lays them out, and back. The fourth channel is alpha. The fourth float of three
 * channels is the third once more. */
#ifndef FX_BYTES_H
#define FX_BYTES_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  int channels;           /* 3 or 4 */
  gboolean premultiplied; /* colour is multiplied by alpha in floats; not with 3 channels */
  const float *table;     /* decoding: the 256 values of colour; NULL: levels / 255 */
  gboolean srgb;          /* encoding: floats are linear light, bytes have sRGB's curve */
} FxBytes;

/* Decodes n pixels. */
G_GNUC_INTERNAL void fx_bytes_decode (const FxBytes *bytes, const guint8 *pixels, int n,
                                      float *floats);

/* Returns whether fx_bytes_encode may be called: this processor has AVX2. */
G_GNUC_INTERNAL gboolean fx_bytes_can_encode (void);

/* Encodes n pixels, as fx_codec_encode does. */
G_GNUC_INTERNAL void fx_bytes_encode (const FxBytes *bytes, const float *floats, int n,
                                      guint8 *pixels);

/* The same for any processor, and for those with a vector unit that this one must have. */
G_GNUC_INTERNAL void fx_bytes_decode_plainly (const FxBytes *bytes, const guint8 *pixels, int n,
                                              float *floats);
G_GNUC_INTERNAL void fx_bytes_decode_avx2 (const FxBytes *bytes, const guint8 *pixels, int n,
                                           float *floats);
G_GNUC_INTERNAL void fx_bytes_decode_avx512 (const FxBytes *bytes, const guint8 *pixels, int n,
                                             float *floats);
G_GNUC_INTERNAL void fx_bytes_encode_avx2 (const FxBytes *bytes, const float *floats, int n,
                                           guint8 *pixels);
G_GNUC_INTERNAL void fx_bytes_encode_avx512 (const FxBytes *bytes, const float *floats, int n,
                                             guint8 *pixels);

G_END_DECLS

#endif
