#include "mix.h"

#include "codec.h"

#include <string.h>

#define PIECE 256 /* pixels processed at a time */

/* Computes before + mask (after - before) for n pixels whose mask is neither 0 nor 255. */
static void
mix_piece (const FxCodec *codec, gconstpointer before, gpointer after, const guint8 *mask, int n)
{
  float from[4][PIECE], to[4][PIECE];
  float *from_planes[] = { from[0], from[1], from[2], from[3] };
  float *to_planes[] = { to[0], to[1], to[2], to[3] };

  fx_codec_decode (codec, before, n, from_planes);
  fx_codec_decode (codec, after, n, to_planes);
  for (int c = 0; c < codec->format.channels; c++)
    for (int i = 0; i < n; i++)
      if (to[c][i] != from[c][i]) /* infinity minus infinity is NaN */
        to[c][i] = from[c][i] + mask[i] * (1.0f / 255.0f) * (to[c][i] - from[c][i]);
  fx_codec_encode (codec, to_planes, n, after);
}

typedef enum { NOTHING, SOME, ALL } Share; /* of a result, under a value of a mask */

static Share
get_share (guint8 mask)
{
  return mask == 0 ? NOTHING : mask == 255 ? ALL : SOME;
}

/* Returns how many of n pixels, counted from the first, have a mask of that share in succession. */
static gsize
count_alike (Share share, const guint8 *mask, gsize n)
{
  gsize i = 1;

  while (i < n && get_share (mask[i]) == share)
    i++;
  return i;
}

void
fx_mix (const FxFormat *format, gboolean coverage, gconstpointer before, gpointer after,
        const guint8 *mask, gsize n)
{
  const FxCodec codec = {
    .format = *format,
    .curve = format->gamma && ! coverage ? FX_CURVE_TO_LINEAR : FX_CURVE_NONE,
  };
  gsize size = fx_format_size (format), count;

  for (gsize i = 0; i < n; i += count)
    {
      const guint8 *from = (const guint8 *) before + i * size;
      guint8 *to = (guint8 *) after + i * size;
      Share share = get_share (mask[i]);

      count = count_alike (share, mask + i, share == SOME ? MIN (PIECE, n - i) : n - i);
      if (share == NOTHING)
        memcpy (to, from, count * size);
      else if (share == SOME)
        mix_piece (&codec, from, to, mask + i, (int) count);
    }
}

static void
keep_pixel (const FxFormat *format, guint channels, const guint8 *before, guint8 *after)
{
  gsize size = fx_sample_size (format->sample);

  for (int c = 0; c < format->channels; c++)
    if (channels & 1u << c)
      memcpy (after + c * size, before + c * size, size);
}

void
fx_restore_channels (const FxFormat *format, guint channels, gconstpointer before, gpointer after,
                     gsize n)
{
  static const guint8 zeros[4 * sizeof (double)];
  gsize size = fx_format_size (format), sample = fx_sample_size (format->sample);
  gboolean has_alpha = fx_format_has_alpha (format);

  for (gsize i = 0; i < n; i++)
    {
      const guint8 *from = before ? (const guint8 *) before + i * size : zeros;
      guint8 *to = (guint8 *) after + i * size;
      gboolean gone = has_alpha && memcmp (to + size - sample, zeros, sample) == 0;

      keep_pixel (format, gone ? ~0u : channels, from, to);
    }
}

void
fx_mask_convert (const FxFormat *format, gconstpointer samples, guint8 *mask, gsize n)
{
  const FxCodec from = { .format = { format->sample, 1 } };
  const FxCodec to = { .format = { FX_SAMPLE_U8, 1 } };
  float values[PIECE], *planes[] = { values };
  gsize size = fx_sample_size (format->sample);

  for (gsize i = 0; i < n; i += PIECE)
    {
      int count = (int) MIN (PIECE, n - i);

      fx_codec_decode (&from, (const guint8 *) samples + i * size, count, planes);
      fx_codec_encode (&to, planes, count, mask + i);
    }
}
