/* Pixel storage formats. */
#pragma once

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

#define FX_TRC_ENTRIES   4096
#define FX_TRC_LIGHT_MAX 100.0f

/* A tone reproduction curve as a table: the light of FX_TRC_ENTRIES samples from 0 to 1, evenly
 * spaced. It is linear between them, and its first and last segment continue below 0 and above 1.
 * The inverse maps the light of equal entries to one sample: 0 if these are the first ones, 1 if
 * they are the last ones, otherwise the lowest. Light outside the table becomes 0 or 1, too, if the
 * segment at that end is flat. Both directions preserve infinities. */
typedef struct FxTrcTable FxTrcTable;

/* Returns the table with these entries: the same pointer for the same entries. The entries must not
 * decrease, must not all be equal, and must be -FX_TRC_LIGHT_MAX to FX_TRC_LIGHT_MAX. Otherwise
 * returns NULL with FX_ERROR_ARGUMENT. If memory runs out, returns NULL with FX_ERROR_MEMORY. The
 * table is never freed: each curve that a process uses takes 16 KB. May be called from any
 * thread. */
const FxTrcTable *fx_trc_table_get (const float entries[FX_TRC_ENTRIES], GError **error);

/* A tone reproduction curve, from stored samples to linear light. If table is not NULL, it is the
 * curve, and all other members are 0. If all members are 0, the curve is sRGB's (IEC 61966-2-1).
 * Otherwise it is that of ICC.1:2010, 10.16, parametricCurveType, function type 4:
 *     (a x + b)^g + e   if x >= d
 *     c x + f           otherwise
 * The inverse maps light back to samples: light between the ends of the two segments becomes d;
 * light below a flat segment (c = 0) becomes 0, or d if that is less. Both directions preserve
 * infinities. */
typedef struct {
  float g, a, b, c, d, e, f;
  const FxTrcTable *table;
} FxTrc;

/* Pixels are interleaved samples. If the number of channels is even, the last channel is straight
 * (not premultiplied) alpha, which is always linear. */
typedef struct {
  FxSample sample;
  int channels;   /* 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA */
  gboolean gamma; /* colour samples are stored through trc; FALSE: they are linear */
  FxTrc trc;      /* for linear samples, the curve that makes their light perceptual */
} FxFormat;

/* Returns the integer that represents 1; 0 for floating point. */
double fx_sample_get_maximum (FxSample sample);

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
  return trc->g == 0.0f && ! trc->table;
}

/* Returns the light of a sample, in double precision. */
double fx_trc_get_light (const FxTrc *trc, double sample);

/* Returns whether all members are the same. */
gboolean fx_trc_equal (const FxTrc *a, const FxTrc *b);

/* Returns whether the two formats store pixels identically. */
gboolean fx_format_equal (const FxFormat *a, const FxFormat *b);

/* Checks that format is valid; returns FALSE with FX_ERROR_ARGUMENT if not. Its curve must be
 * a table alone, or must not decrease, apart from rounding in its coefficients, and g must be 0.1
 * to 10. */
gboolean fx_format_check (const FxFormat *format, GError **error);

FX_END_API
