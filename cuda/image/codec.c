#include "codec.h"

#include "alpha.h"
#include "bytes.h"
#include "curve.h"
#include "error.h"
#include "highlights.h"
#include "rows.h"
#include "samples.h"
#include "vector.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#define LEVELS 256 /* of 8-bit samples */

/* Returns whether colour is multiplied by alpha. */
static gboolean
is_premultiplied (const FxCodec *codec)
{
  return fx_format_has_alpha (&codec->format) && codec->alpha == FX_ALPHA_PREMULTIPLIED;
}

static int
get_colors (const FxFormat *format)
{
  return format->channels - fx_format_has_alpha (format);
}

/* Alpha. */

/* Returns whether every alpha is 1, so that multiplying or dividing by it changes nothing. */
FX_VECTORISED static gboolean
is_opaque (const float *alpha, int n)
{
  guint32 other = 0;

  for (int i = 0; i < n; i++)
    other |= alpha[i] != 1.0f;
  return ! other;
}

/* Rounds alphas that are nearly 1 to 1, and returns whether all are 1. */
FX_VECTORISED static gboolean
round_alpha (float *alpha, int n)
{
  for (int i = 0; i < n; i++)
    alpha[i] = fabsf (alpha[i] - 1.0f) <= FX_ALPHA_ROUNDING ? 1.0f : alpha[i];
  return is_opaque (alpha, n);
}

/* Clears colour under an alpha of 0, even if it is infinite, and under a subnormal alpha, as the
 * GPU does. */
FX_VECTORISED static void
multiply (float *color, const float *alpha, int n)
{
  for (int i = 0; i < n; i++)
    color[i] = fabsf (alpha[i]) < FLT_MIN ? 0.0f : color[i] * alpha[i];
}

/* Preserves colour that is not finite: an alpha that is 0 except for rounding would flip its sign
 * or turn it into NaN. */
FX_VECTORISED static void
divide (float *color, const float *alpha, int n)
{
  for (int i = 0; i < n; i++)
    {
      float straight = fabsf (alpha[i]) >= FX_ALPHA_MIN ? color[i] / alpha[i] : 0.0f;

      color[i] = fabsf (color[i]) <= FLT_MAX ? straight : color[i];
    }
}

/* The same in pixels of four floats. */

FX_VECTORISED static void
multiply_pixels (const float *restrict pixels, int n, float *restrict floats)
{
  for (int i = 0; i < n; i++)
    {
      float alpha = pixels[4 * i + 3];

      for (int c = 0; c < 3; c++)
        floats[4 * i + c] = fabsf (alpha) < FLT_MIN ? 0.0f : pixels[4 * i + c] * alpha;
      floats[4 * i + 3] = alpha;
    }
}

FX_VECTORISED static void
divide_pixels (const float *restrict floats, int n, float *restrict pixels)
{
  for (int i = 0; i < n; i++)
    {
      float alpha = floats[4 * i + 3];
      float rounded = fabsf (alpha - 1.0f) <= FX_ALPHA_ROUNDING ? 1.0f : alpha;

      for (int c = 0; c < 3; c++)
        {
          float color = floats[4 * i + c];
          float straight = fabsf (alpha) >= FX_ALPHA_MIN ? color / rounded : 0.0f;

          color = fabsf (color) <= FLT_MAX ? straight : color;
          pixels[4 * i + c] = color == color ? color : INFINITY;
        }
      pixels[4 * i + 3] = rounded == rounded ? rounded : INFINITY;
    }
}

/* Fills table with the 256 values of 8-bit colour, after the curve. */
static void
fill_table (FxCurve curve, const FxTrc *trc, float *table)
{
  for (int i = 0; i < LEVELS; i++)
    table[i] = i * (1.0f / 255.0f);
  fx_curve_apply (curve, trc, table, LEVELS);
}

static const float *
get_srgb_table (FxCurve curve)
{
  static const FxTrc srgb;
  static float tables[3][LEVELS];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (int k = 0; k < 3; k++)
        fill_table ((FxCurve) k, &srgb, tables[k]);
      g_once_init_leave (&ready, 1);
    }
  return tables[curve];
}

/* Returns the table that decodes n pixels; it is own if it had to be filled. Returns NULL if no
 * table is worthwhile: the samples are not 8-bit, or there are fewer samples than entries in a
 * table. */
static const float *
get_table (const FxCodec *codec, int n, float *own)
{
  const FxFormat *format = &codec->format;

  if (format->sample != FX_SAMPLE_U8)
    return NULL;
  if (codec->curve == FX_CURVE_NONE || fx_trc_is_srgb (&format->trc))
    return get_srgb_table (codec->curve);
  if ((gsize) n * get_colors (format) < LEVELS)
    return NULL;
  fill_table (codec->curve, &format->trc, own);
  return own;
}

FX_VECTORISED static void
look_up (const float *restrict table, const guint8 *restrict samples, int n, float *restrict plane)
{
  for (int i = 0; i < n; i++)
    plane[i] = table[samples[i]];
}

static void
load_colors (const FxCodec *codec, const float *table, const FxSamples *samples, int channel, int n,
             float *plane)
{
  if (table)
    {
      look_up (table, samples->u8[channel], n, plane);
      return;
    }
  fx_samples_load (codec->format.sample, samples, channel, n, plane);
  fx_curve_apply (codec->curve, &codec->format.trc, plane, n);
}

/* Sets shifted to the addresses of column x in planes. */
static void
set_planes (float *const *planes, int channels, int x, float **shifted)
{
  for (int c = 0; c < channels; c++)
    shifted[c] = planes[c] + x;
}

static void
decode_piece (const FxCodec *codec, const float *table, const void *pixels, int n, int x,
              float *const *planes)
{
  const FxFormat *format = &codec->format;
  int colors = get_colors (format);
  float *shifted[FX_CHANNELS_MAX];
  FxSamples samples;

  set_planes (planes, format->channels, x, shifted);
  fx_samples_split (format, pixels, n, &samples);
  if (colors < format->channels)
    fx_samples_load (format->sample, &samples, colors, n, shifted[colors]);
  for (int c = 0; c < colors; c++)
    load_colors (codec, table, &samples, c, n, shifted[c]);
  if (fx_codec_has_highlights (codec))
    fx_highlights_expand (&codec->highlights, shifted, colors, n);
  if (is_premultiplied (codec) && ! is_opaque (shifted[colors], n))
    for (int c = 0; c < colors; c++)
      multiply (shifted[c], shifted[colors], n);
}

gboolean
fx_light_check (FxLight light, GError **error)
{
  return fx_check_choice ("light", (int) light, FX_LIGHT_PERCEPTUAL,
                          _ ("0 (linear) or 1 (perceptual)"), error);
}

FxCodec
fx_codec_new (const FxFormat *format, FxLight light)
{
  FxCodec codec = { *format, FX_CURVE_NONE };

  if (format->gamma && light == FX_LIGHT_LINEAR)
    codec.curve = FX_CURVE_TO_LINEAR;
  else if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
    codec.curve = FX_CURVE_TO_PERCEPTUAL;
  return codec;
}

double
fx_codec_get_magnification (const FxCodec *codec)
{
  double maximum = fx_sample_get_maximum (codec->format.sample);

  if (codec->curve == FX_CURVE_NONE)
    return 1.0;
  if (codec->curve == FX_CURVE_TO_PERCEPTUAL)
    return fx_trc_get_steepest_light (&codec->format.trc);
  return fx_trc_get_steepest (&codec->format.trc, maximum > 0.0 ? 1.0 / maximum : 0.0);
}

/* Decoding. */

/* Returns the coder for 8-bit pixels of three or four channels, and sets bytes. Returns NULL if the
 * pixels must be decoded through planes. n is the number of pixels; own has room for a table. */
static const FxBytesCoder *
get_decoder (const FxCodec *codec, int n, float *own, FxBytes *bytes)
{
  const FxBytesCoder *coder = fx_bytes_get_coder (fx_vector_get_unit ());
  gboolean as_is = codec->curve == FX_CURVE_NONE;

  if (codec->format.sample != FX_SAMPLE_U8 || codec->format.channels < 3 ||
      fx_codec_has_highlights (codec) || ! coder)
    return NULL;
  *bytes = (FxBytes) { codec->format.channels, is_premultiplied (codec) };
  if (! as_is)
    bytes->table = get_table (codec, n, own);
  return as_is || bytes->table ? coder : NULL;
}

/* Returns whether the pixels are four floats and decode to the same, premultiplied. */
static gboolean
is_premultiplied_only (const FxCodec *codec)
{
  return codec->format.sample == FX_SAMPLE_FLOAT && codec->format.channels == 4 &&
         codec->curve == FX_CURVE_NONE && is_premultiplied (codec) &&
         ! fx_codec_has_highlights (codec);
}

void
fx_codec_decode (const FxCodec *codec, const void *pixels, int n, float *const *planes)
{
  gsize size = fx_format_size (&codec->format);
  int channels = codec->format.channels;
  float own[LEVELS], floats[4 * FX_PIECE], *shifted[FX_CHANNELS_MAX];
  FxBytes bytes;
  const FxBytesCoder *coder = get_decoder (codec, n, own, &bytes);
  const float *table = coder ? NULL : get_table (codec, n, own);
  int count;

  for (int x = 0; x < n; x += count)
    {
      const guint8 *piece = (const guint8 *) pixels + x * size;

      count = MIN (FX_PIECE, n - x);
      if (! coder)
        {
          decode_piece (codec, table, piece, count, x, planes);
          continue;
        }
      set_planes (planes, channels, x, shifted);
      coder->decode (&bytes, piece, count, floats);
      fx_deinterleave (floats, channels, count, shifted);
    }
}

void
fx_codec_decode_pixels (const FxCodec *codec, const void *pixels, int n, float *floats)
{
  gsize size = fx_format_size (&codec->format);
  int channels = codec->format.channels, step = fx_interleave_get_step (channels);
  float own[LEVELS], block[FX_CHANNELS_MAX][FX_PIECE];
  float *const planes[] = { block[0], block[1], block[2], block[3] };
  FxBytes bytes;
  const FxBytesCoder *coder = get_decoder (codec, n, own, &bytes);
  const float *table;

  if (is_premultiplied_only (codec))
    {
      multiply_pixels (pixels, n, floats);
      return;
    }
  if (coder)
    {
      coder->decode (&bytes, pixels, n, floats);
      return;
    }
  table = get_table (codec, n, own);
  for (int x = 0; x < n; x += FX_PIECE)
    {
      int count = MIN (FX_PIECE, n - x);

      decode_piece (codec, table, (const guint8 *) pixels + x * size, count, 0, planes);
      fx_interleave (planes, channels, count, floats + (gsize) x * step);
    }
}

/* Encoding. */

/* Like get_decoder. Only sRGB's curve has such an encoder. */
static const FxBytesCoder *
get_encoder (const FxCodec *codec, FxBytes *bytes)
{
  gboolean srgb = codec->curve == FX_CURVE_TO_LINEAR && fx_trc_is_srgb (&codec->format.trc);
  gboolean direct = codec->format.sample == FX_SAMPLE_U8 && codec->format.channels >= 3 &&
                    ! fx_codec_has_highlights (codec) && (srgb || codec->curve == FX_CURVE_NONE);

  *bytes = (FxBytes) { codec->format.channels, is_premultiplied (codec), .srgb = srgb };
  return direct ? fx_bytes_get_coder (fx_vector_get_unit ()) : NULL;
}

static void
encode_piece (const FxCodec *codec, float *const *planes, int n, void *pixels)
{
  const FxFormat *format = &codec->format;
  int colors = get_colors (format);
  gboolean divided = is_premultiplied (codec) && ! round_alpha (planes[colors], n);
  FxSamples samples;

  for (int c = 0; c < colors && divided; c++)
    divide (planes[c], planes[colors], n);
  if (fx_codec_has_highlights (codec))
    fx_highlights_compress (&codec->highlights, planes, colors, n);
  for (int c = 0; c < colors; c++)
    fx_curve_invert (codec->curve, &codec->format.trc, planes[c], n);
  for (int c = 0; c < format->channels; c++)
    fx_samples_store (format->sample, planes[c], c, n, &samples);
  fx_samples_merge (format, &samples, n, pixels);
}

void
fx_codec_encode (const FxCodec *codec, float *const *planes, int n, void *pixels)
{
  gsize size = fx_format_size (&codec->format);
  int channels = codec->format.channels;
  float floats[4 * FX_PIECE], *shifted[FX_CHANNELS_MAX];
  FxBytes bytes;
  const FxBytesCoder *coder = get_encoder (codec, &bytes);
  int count;

  for (int x = 0; x < n; x += count)
    {
      guint8 *piece = (guint8 *) pixels + x * size;

      count = MIN (FX_PIECE, n - x);
      set_planes (planes, channels, x, shifted);
      if (! coder)
        {
          encode_piece (codec, shifted, count, piece);
          continue;
        }
      fx_interleave (shifted, channels, count, floats);
      coder->encode (&bytes, floats, count, piece);
    }
}

void
fx_codec_encode_pixels (const FxCodec *codec, const float *floats, int n, void *pixels)
{
  gsize size = fx_format_size (&codec->format);
  int channels = codec->format.channels, step = fx_interleave_get_step (channels);
  float block[FX_CHANNELS_MAX][FX_PIECE];
  float *const planes[] = { block[0], block[1], block[2], block[3] };
  FxBytes bytes;
  const FxBytesCoder *coder = get_encoder (codec, &bytes);

  if (is_premultiplied_only (codec))
    {
      divide_pixels (floats, n, pixels);
      return;
    }
  if (coder)
    {
      coder->encode (&bytes, floats, n, pixels);
      return;
    }
  for (int x = 0; x < n; x += FX_PIECE)
    {
      int count = MIN (FX_PIECE, n - x);

      fx_deinterleave (floats + (gsize) x * step, channels, count, planes);
      encode_piece (codec, planes, count, (guint8 *) pixels + x * size);
    }
}
