/* Converts rows of stored samples to planes of floats, which filters work on, and back, on the CPU.
 * gpu/kernels/pixel.cuh does the same on the GPU. */
#pragma once

#include "format.h"

/* The light in which pixels are averaged, defined by the format's curve. Light does not apply to
 * coverage (a mask, a channel): pass it as a linear format with FX_LIGHT_LINEAR. */
typedef enum {
  FX_LIGHT_LINEAR,
  FX_LIGHT_PERCEPTUAL,
} FxLight;

/* Checks that light is one of these; returns FALSE with FX_ERROR_ARGUMENT if not. */
gboolean fx_light_check (FxLight light, GError **error);

/* The curve that decoding applies to colour, taken from the format's trc. Encoding applies its
 * inverse. */
typedef enum {
  FX_CURVE_NONE,
  FX_CURVE_TO_LINEAR,     /* gamma samples to linear light */
  FX_CURVE_TO_PERCEPTUAL, /* linear samples to perceptual light */
} FxCurve;

/* How alpha enters the planes' colour. */
typedef enum {
  FX_ALPHA_PREMULTIPLIED, /* multiplied by alpha, so that transparent pixels contribute no colour */
  FX_ALPHA_STRAIGHT,      /* as stored, whatever the alpha */
} FxAlpha;

/* How much brighter highlights are in the planes than in samples, in the filter's light. All
 * channels of a pixel whose brightest one is m are multiplied by f (m) / m,
 *     f (m) = m                                  if m <= threshold
 *     f (m) = m + bend (m - threshold)^2         if threshold < m < 1
 *     f (m) = gain m                             if m >= 1
 * before colour is multiplied by alpha. Encoding, after the division, multiplies a pixel whose
 * brightest channel is f (m) by m / f (m). A pixel without a channel above 0 does not change; NaN
 * is never the brightest. bend makes f continuous at 1. Kernels declare the same struct
 * (gpu/kernels/args.h). */
typedef struct {
  float threshold, bend;
  float gain; /* 0: nothing is expanded */
} FxHighlights;

typedef struct {
  FxFormat format;
  FxCurve curve;
  FxAlpha alpha;
  FxHighlights highlights;
} FxCodec;

/* Returns the codec for images stored in format and a filter that works in light, with
 * premultiplied alpha. */
FxCodec fx_codec_new (const FxFormat *format, FxLight light);

/* Makes codec, which works in light, expand highlights: gain becomes 2^stops, for stops from 0, and
 * threshold, 0 to 1, is in sRGB's perceptual values. A threshold above 254/255 counts as 254/255,
 * so that white is always expanded. */
void fx_codec_set_highlights (FxCodec *codec, FxLight light, double stops, double threshold);

static inline gboolean
fx_codec_has_highlights (const FxCodec *codec)
{
  return codec->highlights.gain > 0.0f;
}

/* Returns the largest value in the planes of samples from 0 to 1: 1 without highlights. */
static inline float
fx_codec_get_range (const FxCodec *codec)
{
  return fx_codec_has_highlights (codec) ? codec->highlights.gain : 1.0f;
}

/* Returns an upper bound of the factor by which encoding magnifies an error in the planes' colour,
 * not counting the division by alpha. The result is infinite for floating-point samples through a
 * pure gamma, whose slope is unbounded at black; for integers the first level bounds it. It is also
 * infinite through a table that is flat between two samples. Highlights do not count: compressing
 * magnifies no error, and adds to a channel less than the error of the brightest one. */
double fx_codec_get_magnification (const FxCodec *codec);

/* Decodes n pixels into planes, one per channel, each with room for n floats. */
void fx_codec_decode (const FxCodec *codec, const void *pixels, int n, float *const *planes);

/* The inverse of fx_codec_decode. Rounds to nearest and clamps integers to their range; NaN becomes
 * 0 in integers and infinity in floating-point samples. If colour is multiplied by alpha, an alpha
 * that is within 2^-20 of 1 is 1. Overwrites planes, which serve as scratch
 * space. */
void fx_codec_encode (const FxCodec *codec, float *const *planes, int n, void *pixels);

/* The same between n pixels and the pixels of fx_interleave in rows.h. Encoding does not change
 * floats. */
void fx_codec_decode_pixels (const FxCodec *codec, const void *pixels, int n, float *floats);
void fx_codec_encode_pixels (const FxCodec *codec, const float *floats, int n, void *pixels);
