#include "sample.h"
#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Below this alpha a colour cannot be told, and the division would overflow. */
#define ALPHA_MIN 1e-30f

/* Half precision, by its bits: not every compiler in use has _Float16. */

static inline float
float_from_bits (guint32 bits)
{
  float value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint32
bits_from_float (float value)
{
  guint32 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* Moving the exponent by a multiplication makes normal numbers of the subnormal ones. */
static inline float
half_to_float (guint16 half)
{
  guint32 sign = (guint32) (half & 0x8000) << 16;
  guint32 bits = (guint32) (half & 0x7fff) << 13;

  if (bits >= (0x7c00u << 13)) /* infinity, NaN */
    return float_from_bits (sign | bits | 0x7f800000u);
  return float_from_bits (sign | bits_from_float (float_from_bits (bits) * 0x1p112f));
}

/* Rounds to the nearest, ties to even. */
static inline guint16
float_to_half (float value)
{
  guint32 bits = bits_from_float (value);
  guint16 sign = (bits >> 16) & 0x8000;

  bits &= 0x7fffffffu;
  if (bits > 0x7f800000u)
    return sign | 0x7e00;
  if (bits >= 0x477ff000u) /* 65520 and above round to infinity */
    return sign | 0x7c00;
  if (bits < 0x38800000u) /* subnormal: one addition lines the bits up and rounds them */
    return sign | (guint16) (bits_from_float (float_from_bits (bits) + 0.5f) - 0x3f000000u);
  return sign | (guint16) ((bits - 0x38000000u + 0xfffu + ((bits >> 13) & 1)) >> 13);
}

/* sRGB's curve (IEC 61966-2-1). */

/* x^p for positive, normal x; infinity and NaN are for the caller to pass by. log2 by the series of the inverse hyperbolic tangent for a mantissa in
 * [sqrt(1/2), sqrt(2)), exp2 by its Taylor series on [-1/2, 1/2]: both are exact to the last bits of
 * a float, and without a branch, so that a loop over them is vectorised. */
static inline float
power (float x, float p)
{
  guint32 bits = bits_from_float (x);
  gint32 exponent = (gint32) (bits - 0x3f3504f3u) >> 23;
  float m = float_from_bits (bits - ((guint32) exponent << 23));
  float s = (m - 1.0f) / (m + 1.0f);
  float s2 = s * s;
  float log2m = s * (2.88539008f + s2 * (0.961796694f + s2 * (0.577078016f +
                     s2 * (0.412198583f + s2 * 0.320598898f))));
  float y = MIN (MAX (p * ((float) exponent + log2m), -126.0f), 127.0f);
  float whole = (y + 12582912.0f) - 12582912.0f; /* 1.5 * 2^23 leaves no room for a fraction */
  float f = y - whole;
  float exp2f = 1.0f + f * (0.693147181f + f * (0.240226507f + f * (0.0555041087f +
                f * (0.00961812911f + f * (0.00133335581f + f * (0.000154035304f +
                f * 0.0000152527338f))))));

  return exp2f * float_from_bits ((guint32) ((gint32) whole + 127) << 23);
}

BLUR_VECTORISED static void
linear_from_gamma (float *x, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float high = power ((MAX (x[i], 0.04045f) + 0.055f) * (1.0f / 1.055f), 2.4f);

      x[i] = x[i] <= 0.04045f ? x[i] * (1.0f / 12.92f) : x[i] <= FLT_MAX ? high : x[i];
    }
}

BLUR_VECTORISED static void
gamma_from_linear (float *x, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float high = 1.055f * power (MAX (x[i], 0.0031308f), 1.0f / 2.4f) - 0.055f;

      x[i] = x[i] <= 0.0031308f ? x[i] * 12.92f : x[i] <= FLT_MAX ? high : x[i];
    }
}

static int
get_colors (const BlurFormat *format)
{
  return format->channels - (format->channels % 2 == 0);
}

/* Alpha. */

BLUR_VECTORISED static void
multiply (float *color, const float *alpha, int n)
{
  int i;

  for (i = 0; i < n; i++)
    color[i] *= alpha[i];
}

BLUR_VECTORISED static void
divide (float *color, const float *alpha, int n)
{
  int i;

  for (i = 0; i < n; i++)
    color[i] = fabsf (alpha[i]) >= ALPHA_MIN ? color[i] / alpha[i] : 0.0f;
}

/* One channel of interleaved samples <-> one plane. */

BLUR_VECTORISED static void
load_plane (BlurSample sample, const void *pixels, int step, int n, float *plane)
{
  const guint8 *u8 = pixels;
  const guint16 *u16 = pixels;
  const guint32 *u32 = pixels;
  const float *f32 = pixels;
  const double *f64 = pixels;
  int i;

  switch (sample)
    {
    case BLUR_SAMPLE_U8:
      for (i = 0; i < n; i++)
        plane[i] = u8[i * step] * (1.0f / 255.0f);
      break;
    case BLUR_SAMPLE_U16:
      for (i = 0; i < n; i++)
        plane[i] = u16[i * step] * (1.0f / 65535.0f);
      break;
    case BLUR_SAMPLE_U32:
      for (i = 0; i < n; i++)
        plane[i] = (float) (u32[i * step] * (1.0 / 4294967295.0));
      break;
    case BLUR_SAMPLE_HALF:
      for (i = 0; i < n; i++)
        plane[i] = half_to_float (u16[i * step]);
      break;
    case BLUR_SAMPLE_FLOAT:
      for (i = 0; i < n; i++)
        plane[i] = f32[i * step];
      break;
    case BLUR_SAMPLE_DOUBLE:
      for (i = 0; i < n; i++)
        plane[i] = (float) f64[i * step];
      break;
    }
}

/* A comparison with NaN is false: it becomes 0. */
static inline float
clamp_unit (float x)
{
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

BLUR_VECTORISED static void
store_plane (BlurSample sample, const float *plane, int step, int n, void *pixels)
{
  guint8 *u8 = pixels;
  guint16 *u16 = pixels;
  guint32 *u32 = pixels;
  float *f32 = pixels;
  double *f64 = pixels;
  int i;

  switch (sample)
    {
    case BLUR_SAMPLE_U8:
      for (i = 0; i < n; i++)
        u8[i * step] = (guint8) (gint32) (clamp_unit (plane[i]) * 255.0f + 0.5f);
      break;
    case BLUR_SAMPLE_U16:
      for (i = 0; i < n; i++)
        u16[i * step] = (guint16) (gint32) (clamp_unit (plane[i]) * 65535.0f + 0.5f);
      break;
    case BLUR_SAMPLE_U32:
      for (i = 0; i < n; i++)
        u32[i * step] = (guint32) (gint64) (clamp_unit (plane[i]) * 4294967295.0 + 0.5);
      break;
    case BLUR_SAMPLE_HALF:
      for (i = 0; i < n; i++)
        u16[i * step] = float_to_half (plane[i]);
      break;
    case BLUR_SAMPLE_FLOAT:
      for (i = 0; i < n; i++)
        f32[i * step] = plane[i];
      break;
    case BLUR_SAMPLE_DOUBLE:
      for (i = 0; i < n; i++)
        f64[i * step] = plane[i];
      break;
    }
}

void
blur_sample_decode (const BlurPlan *plan, const void *pixels, int n, float *const *planes)
{
  const BlurFormat *format = &plan->format;
  gsize size = blur_sample_size (format->sample);
  int colors = get_colors (format);
  int c;

  for (c = format->channels - 1; c >= 0; c--) /* alpha first */
    {
      float *plane = planes[c];

      load_plane (format->sample, (const guint8 *) pixels + c * size, format->channels, n, plane);
      if (c == colors)
        continue;
      if (plan->curve == BLUR_CURVE_TO_LINEAR)
        linear_from_gamma (plane, n);
      else if (plan->curve == BLUR_CURVE_TO_PERCEPTUAL)
        gamma_from_linear (plane, n);
      if (colors < format->channels)
        multiply (plane, planes[colors], n);
    }
}

void
blur_sample_encode (const BlurPlan *plan, float *const *planes, int n, void *pixels)
{
  const BlurFormat *format = &plan->format;
  gsize size = blur_sample_size (format->sample);
  int colors = get_colors (format);
  int c;

  for (c = 0; c < format->channels; c++)
    {
      float *plane = planes[c];

      if (c < colors && colors < format->channels)
        divide (plane, planes[colors], n);
      if (c < colors && plan->curve == BLUR_CURVE_TO_LINEAR)
        gamma_from_linear (plane, n);
      else if (c < colors && plan->curve == BLUR_CURVE_TO_PERCEPTUAL)
        linear_from_gamma (plane, n);
      store_plane (format->sample, plane, format->channels, n, (guint8 *) pixels + c * size);
    }
}
