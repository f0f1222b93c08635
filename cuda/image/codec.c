#include "codec.h"

#include "bits.h"
#include "curve.h"
#include "error.h"
#include "highlights.h"
#include "vector.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

/* Below this alpha, colour is undetermined and the division would overflow. */
#define ALPHA_MIN 1e-30f

#define PIECE  256 /* pixels processed at a time, which stay in the L1 cache */
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

/* Clears colour under an alpha of 0, even if it is infinite, and under a subnormal alpha, as the
 * GPU does. */
FX_VECTORISED static void
multiply (float *color, const float *alpha, int n)
{
  int i;

  for (i = 0; i < n; i++)
    color[i] = fabsf (alpha[i]) < FLT_MIN ? 0.0f : color[i] * alpha[i];
}

/* Preserves colour that is not finite: an alpha that is 0 except for rounding would flip its sign
 * or turn it into NaN. */
FX_VECTORISED static void
divide (float *color, const float *alpha, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float straight = fabsf (alpha[i]) >= ALPHA_MIN ? color[i] / alpha[i] : 0.0f;

      color[i] = fabsf (color[i]) <= FLT_MAX ? straight : color[i];
    }
}

/* Conversion between interleaved samples and one array per channel, a piece at a time. */

typedef union {
  guint8 u8[4][PIECE];
  guint16 u16[4][PIECE];
  guint32 u32[4][PIECE]; /* also float */
  guint64 u64[4][PIECE]; /* also double */
} Samples;

/* The compiler vectorises the loop over a constant number of channels. */
#define DEFINE_INTERLEAVE(member, type)                                                       \
  static FX_INLINE void split_channels_##member (const type *pixels, int channels, int n,     \
                                                 Samples *samples)                            \
  {                                                                                           \
    for (int i = 0; i < n; i++)                                                               \
      for (int c = 0; c < channels; c++)                                                      \
        samples->member[c][i] = pixels[i * channels + c];                                     \
  }                                                                                           \
                                                                                              \
  static FX_INLINE void merge_channels_##member (const Samples *samples, int channels, int n, \
                                                 type *pixels)                                \
  {                                                                                           \
    for (int i = 0; i < n; i++)                                                               \
      for (int c = 0; c < channels; c++)                                                      \
        pixels[i * channels + c] = samples->member[c][i];                                     \
  }                                                                                           \
                                                                                              \
  FX_VECTORISED static void split_##member (const void *pixels, int channels, int n,          \
                                            Samples *samples)                                 \
  {                                                                                           \
    switch (channels)                                                                         \
      {                                                                                       \
      case 1:                                                                                 \
        split_channels_##member (pixels, 1, n, samples);                                      \
        break;                                                                                \
      case 2:                                                                                 \
        split_channels_##member (pixels, 2, n, samples);                                      \
        break;                                                                                \
      case 3:                                                                                 \
        split_channels_##member (pixels, 3, n, samples);                                      \
        break;                                                                                \
      case 4:                                                                                 \
        split_channels_##member (pixels, 4, n, samples);                                      \
        break;                                                                                \
      }                                                                                       \
  }                                                                                           \
                                                                                              \
  FX_VECTORISED static void merge_##member (const Samples *samples, int channels, int n,      \
                                            void *pixels)                                     \
  {                                                                                           \
    switch (channels)                                                                         \
      {                                                                                       \
      case 1:                                                                                 \
        merge_channels_##member (samples, 1, n, pixels);                                      \
        break;                                                                                \
      case 2:                                                                                 \
        merge_channels_##member (samples, 2, n, pixels);                                      \
        break;                                                                                \
      case 3:                                                                                 \
        merge_channels_##member (samples, 3, n, pixels);                                      \
        break;                                                                                \
      case 4:                                                                                 \
        merge_channels_##member (samples, 4, n, pixels);                                      \
        break;                                                                                \
      }                                                                                       \
  }

DEFINE_INTERLEAVE (u8, guint8)
DEFINE_INTERLEAVE (u16, guint16)
DEFINE_INTERLEAVE (u32, guint32)
DEFINE_INTERLEAVE (u64, guint64)

static void
split (const FxFormat *format, const void *pixels, int n, Samples *samples)
{
  switch (fx_sample_size (format->sample))
    {
    case 1:
      split_u8 (pixels, format->channels, n, samples);
      break;
    case 2:
      split_u16 (pixels, format->channels, n, samples);
      break;
    case 4:
      split_u32 (pixels, format->channels, n, samples);
      break;
    case 8:
      split_u64 (pixels, format->channels, n, samples);
      break;
    }
}

static void
codec_merge (const FxFormat *format, const Samples *samples, int n, void *pixels)
{
  switch (fx_sample_size (format->sample))
    {
    case 1:
      merge_u8 (samples, format->channels, n, pixels);
      break;
    case 2:
      merge_u16 (samples, format->channels, n, pixels);
      break;
    case 4:
      merge_u32 (samples, format->channels, n, pixels);
      break;
    case 8:
      merge_u64 (samples, format->channels, n, pixels);
      break;
    }
}

/* Conversion between one channel of samples and floats. */

FX_VECTORISED static void
load_plane (FxSample sample, const Samples *samples, int channel, int n, float *plane)
{
  int i;

  switch (sample)
    {
    case FX_SAMPLE_U8:
      for (i = 0; i < n; i++)
        plane[i] = samples->u8[channel][i] * (1.0f / 255.0f);
      break;
    case FX_SAMPLE_U16:
      for (i = 0; i < n; i++)
        plane[i] = samples->u16[channel][i] * (1.0f / 65535.0f);
      break;
    case FX_SAMPLE_U32:
      for (i = 0; i < n; i++)
        plane[i] = (float) (samples->u32[channel][i] * (1.0 / 4294967295.0));
      break;
    case FX_SAMPLE_HALF:
      for (i = 0; i < n; i++)
        plane[i] = half_to_float (samples->u16[channel][i]);
      break;
    case FX_SAMPLE_FLOAT:
      memcpy (plane, samples->u32[channel], n * sizeof (float));
      break;
    case FX_SAMPLE_DOUBLE:
      for (i = 0; i < n; i++)
        plane[i] = (float) double_from_bits (samples->u64[channel][i]);
      break;
    }
}

/* NaN becomes 0, because a comparison with it is false. */
static inline float
clamp_unit (float x)
{
  return MIN (MAX (x, 0.0f), 1.0f);
}

/* Replaces NaN, which is the sum of infinities of both signs, by an infinity: NaN is never
 * stored. */
static inline float
to_number (float x)
{
  return x == x ? x : INFINITY;
}

FX_VECTORISED static void
store_plane (FxSample sample, const float *plane, int channel, int n, Samples *samples)
{
  int i;

  switch (sample)
    {
    case FX_SAMPLE_U8:
      for (i = 0; i < n; i++)
        samples->u8[channel][i] = (guint8) (gint32) (clamp_unit (plane[i]) * 255.0f + 0.5f);
      break;
    case FX_SAMPLE_U16:
      for (i = 0; i < n; i++)
        samples->u16[channel][i] = (guint16) (gint32) (clamp_unit (plane[i]) * 65535.0f + 0.5f);
      break;
    case FX_SAMPLE_U32:
      for (i = 0; i < n; i++)
        samples->u32[channel][i] = (guint32) (gint64) (clamp_unit (plane[i]) * 4294967295.0 + 0.5);
      break;
    case FX_SAMPLE_HALF:
      for (i = 0; i < n; i++)
        samples->u16[channel][i] = float_to_half (to_number (plane[i]));
      break;
    case FX_SAMPLE_FLOAT:
      for (i = 0; i < n; i++)
        samples->u32[channel][i] = bits_from_float (to_number (plane[i]));
      break;
    case FX_SAMPLE_DOUBLE:
      for (i = 0; i < n; i++)
        samples->u64[channel][i] = bits_from_double (to_number (plane[i]));
      break;
    }
}

/* Fills table with the 256 values of 8-bit colour, after the curve. */
static void
fill_table (FxCurve curve, const FxTrc *trc, float *table)
{
  int i;

  for (i = 0; i < LEVELS; i++)
    table[i] = i * (1.0f / 255.0f);
  fx_curve_apply (curve, trc, table, LEVELS);
}

static const float *
get_srgb_table (FxCurve curve)
{
  static const FxTrc srgb;
  static float tables[3][LEVELS];
  static gsize ready;
  int k;

  if (g_once_init_enter (&ready))
    {
      for (k = 0; k < 3; k++)
        fill_table ((FxCurve) k, &srgb, tables[k]);
      g_once_init_leave (&ready, 1);
    }
  return tables[curve];
}

/* Applies the codec's curves to n samples of colour. */
static void
apply_curves (const FxCodec *codec, float *plane, int n)
{
  fx_curve_apply (codec->curve, &codec->format.trc, plane, n);
  if (fx_codec_has_highlights (codec))
    fx_highlights_expand (&codec->highlights, plane, n);
}

static void
invert_curves (const FxCodec *codec, float *plane, int n)
{
  if (fx_codec_has_highlights (codec))
    fx_highlights_compress (&codec->highlights, plane, n);
  fx_curve_invert (codec->curve, &codec->format.trc, plane, n);
}

/* Returns the table that decodes n pixels, own if it had to be filled. Returns NULL if no table is
 * worthwhile: the samples are not 8-bit, or there are fewer of them than entries in a table. */
static const float *
get_table (const FxCodec *codec, int n, float *own)
{
  const FxFormat *format = &codec->format;

  if (format->sample != FX_SAMPLE_U8)
    return NULL;
  if (! fx_codec_has_highlights (codec) &&
      (codec->curve == FX_CURVE_NONE || fx_trc_is_srgb (&format->trc)))
    return get_srgb_table (codec->curve);
  if ((gsize) n * get_colors (format) < LEVELS)
    return NULL;
  fill_table (codec->curve, &format->trc, own);
  if (fx_codec_has_highlights (codec))
    fx_highlights_expand (&codec->highlights, own, LEVELS);
  return own;
}

FX_VECTORISED static void
look_up (const float *restrict table, const guint8 *restrict samples, int n, float *restrict plane)
{
  int i;

  for (i = 0; i < n; i++)
    plane[i] = table[samples[i]];
}

static void
load_colors (const FxCodec *codec, const float *table, const Samples *samples, int channel, int n,
             float *plane)
{
  if (table)
    {
      look_up (table, samples->u8[channel], n, plane);
      return;
    }
  load_plane (codec->format.sample, samples, channel, n, plane);
  apply_curves (codec, plane, n);
}

static void
decode_piece (const FxCodec *codec, const float *table, const void *pixels, int n, int x,
              float *const *planes)
{
  const FxFormat *format = &codec->format;
  int colors = get_colors (format);
  Samples samples;
  int c;

  split (format, pixels, n, &samples);
  if (colors < format->channels)
    load_plane (format->sample, &samples, colors, n, planes[colors] + x);
  for (c = 0; c < colors; c++)
    {
      load_colors (codec, table, &samples, c, n, planes[c] + x);
      if (is_premultiplied (codec))
        multiply (planes[c] + x, planes[colors] + x, n);
    }
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

/* Returns the distance between two samples; 0 for floating point. */
static double
codec_get_step (FxSample sample)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return 1.0 / 65535.0;
    case FX_SAMPLE_U32:
      return 1.0 / 4294967295.0;
    default:
      return 0.0;
    }
}

double
fx_codec_get_magnification (const FxCodec *codec)
{
  if (codec->curve == FX_CURVE_NONE)
    return 1.0;
  if (codec->curve == FX_CURVE_TO_PERCEPTUAL) /* an upper bound */
    return 12.92;
  return fx_trc_get_steepest (&codec->format.trc, codec_get_step (codec->format.sample));
}

void
fx_codec_decode (const FxCodec *codec, const void *pixels, int n, float *const *planes)
{
  gsize size = fx_format_size (&codec->format);
  float own[LEVELS];
  const float *table = get_table (codec, n, own);
  int x;

  for (x = 0; x < n; x += PIECE)
    decode_piece (codec, table, (const guint8 *) pixels + x * size, MIN (PIECE, n - x), x, planes);
}

static void
encode_piece (const FxCodec *codec, float *const *planes, int x, int n, void *pixels)
{
  const FxFormat *format = &codec->format;
  int colors = get_colors (format);
  Samples samples;
  int c;

  for (c = 0; c < format->channels; c++)
    {
      float *plane = planes[c] + x;

      if (c < colors && is_premultiplied (codec))
        divide (plane, planes[colors] + x, n);
      if (c < colors)
        invert_curves (codec, plane, n);
      store_plane (format->sample, plane, c, n, &samples);
    }
  codec_merge (format, &samples, n, pixels);
}

void
fx_codec_encode (const FxCodec *codec, float *const *planes, int n, void *pixels)
{
  gsize size = fx_format_size (&codec->format);
  int x;

  for (x = 0; x < n; x += PIECE)
    encode_piece (codec, planes, x, MIN (PIECE, n - x), (guint8 *) pixels + x * size);
}
