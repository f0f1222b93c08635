/* How pixels are stored. */
#ifndef FX_FORMAT_H
#define FX_FORMAT_H

#include "api.h"

FX_BEGIN_API

#define FX_CHANNELS_MAX 4

/* How one sample is stored, in the machine's byte order. Integers map 0 to their largest value onto
 * 0 to 1. */
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
 *     (a x + b)^g + e   where x >= d
 *     c x + f           below
 * All 0: sRGB's (IEC 61966-2-1). The way back is the inverse; light between the ends of the two
 * parts becomes d, and light below a part that is flat (c = 0) becomes 0, or d where that is less.
 * Infinities stay, on either way. */
typedef struct {
  float g, a, b, c, d, e, f;
} FxTrc;

/* Pixels are interleaved samples. An even number of channels has straight (not premultiplied) alpha
 * as its last one, which is always linear. */
typedef struct {
  FxSample sample;
  int channels;   /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
  gboolean gamma; /* colour samples are stored through trc, else linear */
  FxTrc trc;      /* of linear samples: the curve that makes their light perceptual */
} FxFormat;

/* Bytes of one sample; bytes of one pixel. */
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

/* Whether pixels of the one are pixels of the other. */
gboolean fx_format_equal (const FxFormat *a, const FxFormat *b);

/* Whether format is one: FALSE and FX_ERROR_ARGUMENT if not. Its curve may not fall, but for what
 * rounding did to its numbers, and g is 0.1 to 10. */
gboolean fx_format_check (const FxFormat *format, GError **error);

FX_END_API

#endif
