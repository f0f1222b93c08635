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

/* Pixels are interleaved samples. An even number of channels has straight (not premultiplied) alpha
 * as its last one, which is always linear. */
typedef struct {
  FxSample sample;
  int channels;   /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
  gboolean gamma; /* colour samples are stored through sRGB's curve, else linear */
} FxFormat;

/* Bytes of one sample; bytes of one pixel. */
gsize fx_sample_size (FxSample sample);
gsize fx_format_size (const FxFormat *format);

static inline gboolean
fx_format_has_alpha (const FxFormat *format)
{
  return format->channels % 2 == 0;
}

/* Whether format is one: FALSE and FX_ERROR_ARGUMENT if not. */
gboolean fx_format_check (const FxFormat *format, GError **error);

FX_END_API

#endif
