/* Pixel storage formats. */
#ifndef FX_FORMAT_H
#define FX_FORMAT_H

#include "api.h"

FX_BEGIN_API

#define FX_CHANNELS_MAX 4

/* The storage type of one sample, in native byte order. Integers map 0 to their maximum onto 0 to
 * 1. */
typedef enum {
  FX_SAMPLE_U8,
  FX_SAMPLE_U16,
  FX_SAMPLE_U32,
  FX_SAMPLE_HALF, /* IEEE 754 binary16 */
  FX_SAMPLE_FLOAT,
  FX_SAMPLE_DOUBLE,
} FxSample;

/* A tone reproduction curve, from stored samples to linear light: ICC.1:2010, 10.16,
 * parametricCurveType, function type 4:
 *     (a x + b)^g + e   if x >= d
 *     c x + f           otherwise
 * If all members are 0, the curve is sRGB's (IEC 61966-2-1). The inverse maps light back to
 * samples: light between the ends of the two segments becomes d; light below a flat segment (c = 0)
 * becomes 0, or d if that is less. Both directions preserve infinities. */
typedef struct {
  float g, a, b, c, d, e, f;
} FxTrc;

/* Pixels are interleaved samples. If the number of channels is even, the last channel is straight
 * (not premultiplied) alpha, which is always linear. */
typedef struct {
  FxSample sample;
  int channels;   /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
  gboolean gamma; /* colour samples are stored through trc; FALSE: they are linear */
  FxTrc trc;      /* for linear samples, the curve that makes their light perceptual */
} FxFormat;

/* Return the size of one sample and of one pixel, in bytes. */
gsize fx_sample_size (FxSample sample);
gsize fx_format_size (const FxFormat *format);

static inline gboolean
fx_format_has_alpha (const FxFormat *format)
{
  return format->channels % 2 == 0;
}

static inline gboolean
fx_trc_is_srgb (const FxTrc *trc)
{
  return trc->g == 0.0f;
}

/* Returns whether the two formats store pixels identically. */
gboolean fx_format_equal (const FxFormat *a, const FxFormat *b);

/* Checks that format is valid; returns FALSE with FX_ERROR_ARGUMENT if not. Its curve must not
 * decrease, apart from rounding in its coefficients, and g must be 0.1 to 10. */
gboolean fx_format_check (const FxFormat *format, GError **error);

FX_END_API

#endif
