/* The coder of bytes.h for a kind of vector unit. The files for AVX2 and AVX-512 include this after
 * what decodes, with
 *     LANES                    floats of a vector
 *     TARGET                   the attribute that has functions compiled for the unit
 *     DO(name)                 the intrinsic of that name for such vectors
 *     Vector, Integers, Mask   the types of floats, of integers, and of a comparison's result
 *     COMPARE(x, relation, y)  a comparison
 *     CHOOSE(mask, yes, no)    of two vectors
 *     IS_ALL(mask)             whether all lanes are set
 *     REORDER(x)               of integers, lane i % (LANES / 4) * 4 + i / (LANES / 4) as lane i
 *     GET_SCALES(exponents)    of power_scales */
#include "alpha.h"

#include <float.h>
#include <immintrin.h>
#include <string.h>

/* A constant number of channels avoids branches, and a constant number of pixels avoids masks. */
TARGET static void
bytes_decode (const FxBytes *bytes, const guint8 *pixels, int n, float *floats)
{
  if (bytes->channels == 3 && bytes->table)
    decode_all (pixels, 3, bytes->table, FALSE, n, floats);
  else if (bytes->channels == 3)
    decode_all (pixels, 3, NULL, FALSE, n, floats);
  else if (bytes->table)
    decode_all (pixels, 4, bytes->table, bytes->premultiplied, n, floats);
  else
    decode_all (pixels, 4, NULL, bytes->premultiplied, n, floats);
}

/* The encoder takes as many pixels as a vector has lanes at a time, with a vector for each channel,
 * so that only colour has the curve computed. */

#define ENCODE_INLINE TARGET static FX_INLINE

/* The power of sRGB's curve, 255 * 1.055 * x^(1/2.4) for x from 2^-9 to 1, is the product of a
 * power of the mantissa, from a polynomial, and a power of the exponent, from a table. */
#define SRGB_START  0.0031308f               /* of the power; below, the curve is straight */
#define SRGB_SLOPE  (255.0f * 12.92f)        /* of the straight part */
#define SRGB_OFFSET (255.0f * 0.055f - 0.5f) /* subtracted from the power, to round it */

/* m^(1/2.4) for m from 1 to 2, as a polynomial of m - 1.5, with a relative error of at most 2.4e-8:
 * a least-squares fit, with its weights adjusted until all error peaks were equal. */
#define POWER_DEGREE 7
static const float power_terms[POWER_DEGREE + 1] = { 1.18405366f,     0.328903615f,
                                                     -0.0639566854f,  0.0225090571f,
                                                     -0.00962592382f, 0.00455273176f,
                                                     -0.00274351775f, 0.00156484847f };

/* 255 * 1.055 * 2^(k / 2.4), for k from -15 to 0. The index is the lowest four bits of a float's
 * exponent, which is 127 for 1. */
static const float power_scales[16] = { 3.53472114f, 4.71828699f, 6.29815722f, 8.40703106f,
                                        11.2220402f, 14.9796267f, 19.9954033f, 26.6906605f,
                                        35.627758f,  47.5573502f, 63.4814453f, 84.7375641f,
                                        113.111076f, 150.985184f, 201.541031f, 269.024994f };

ENCODE_INLINE Vector
get_power (Vector x)
{
  Vector one = DO (set1_ps) (1.0f), power = DO (set1_ps) (power_terms[POWER_DEGREE]);
  Vector mantissa = DO (or_ps) (DO (and_ps) (x, (Vector) DO (set1_epi32) (0x7fffff)), one);
  Vector t = DO (sub_ps) (mantissa, DO (set1_ps) (1.5f));

#pragma GCC unroll 8
  for (int i = POWER_DEGREE - 1; i >= 0; i--)
    power = DO (fmadd_ps) (power, t, DO (set1_ps) (power_terms[i]));
  return DO (mul_ps) (power, GET_SCALES (DO (srli_epi32) ((Integers) x, 23)));
}

ENCODE_INLINE Vector
get_magnitude (Vector x)
{
  return DO (andnot_ps) (DO (set1_ps) (-0.0f), x);
}

/* Divides colour by alpha. Preserves colour that is not finite. */
ENCODE_INLINE void
divide (Vector channels[4])
{
  Vector one = DO (set1_ps) (1.0f), alpha = channels[3], inverse;
  Mask opaque = COMPARE (get_magnitude (DO (sub_ps) (alpha, one)), _CMP_LE_OQ,
                         DO (set1_ps) (FX_ALPHA_ROUNDING));

  if (IS_ALL (opaque))
    return;
  inverse = CHOOSE (COMPARE (get_magnitude (alpha), _CMP_GE_OQ, DO (set1_ps) (FX_ALPHA_MIN)),
                    DO (div_ps) (one, alpha), DO (setzero_ps) ());
  inverse = CHOOSE (opaque, one, inverse);
#pragma GCC unroll 3
  for (int c = 0; c < 3; c++)
    channels[c] = CHOOSE (COMPARE (get_magnitude (channels[c]), _CMP_LE_OQ, DO (set1_ps) (FLT_MAX)),
                          DO (mul_ps) (channels[c], inverse), channels[c]);
}

/* Returns the levels of floats, 0 to 255. NaN becomes 0, because max_ps returns its second operand
 * if one of them is NaN. Each value of sRGB's curve is the minimum of its straight line and its
 * power. From SRGB_START on, the line is above the power; below, the power is clamped to its value
 * at SRGB_START. */
ENCODE_INLINE Integers
get_levels (Vector x, gboolean srgb)
{
  Vector clamped = DO (min_ps) (DO (max_ps) (x, DO (setzero_ps) ()), DO (set1_ps) (1.0f));
  Vector level = DO (fmadd_ps) (clamped, DO (set1_ps) (srgb ? SRGB_SLOPE : 255.0f),
                                DO (set1_ps) (0.5f));

  if (srgb)
    level = DO (min_ps) (level,
                         DO (sub_ps) (get_power (DO (max_ps) (clamped, DO (set1_ps) (SRGB_START))),
                                      DO (set1_ps) (SRGB_OFFSET)));
  return DO (cvttps_epi32) (level);
}

/* Sorts LANES pixels by channel. Lane 4 i + k of a channel gets pixel LANES / 4 * k + i. */
ENCODE_INLINE void
split (const float *floats, Vector channels[4])
{
  Vector x0 = DO (loadu_ps) (floats), x1 = DO (loadu_ps) (floats + LANES);
  Vector x2 = DO (loadu_ps) (floats + 2 * LANES), x3 = DO (loadu_ps) (floats + 3 * LANES);
  Vector low01 = DO (unpacklo_ps) (x0, x1), high01 = DO (unpackhi_ps) (x0, x1);
  Vector low23 = DO (unpacklo_ps) (x2, x3), high23 = DO (unpackhi_ps) (x2, x3);

  channels[0] = DO (shuffle_ps) (low01, low23, 0x44);
  channels[1] = DO (shuffle_ps) (low01, low23, 0xee);
  channels[2] = DO (shuffle_ps) (high01, high23, 0x44);
  channels[3] = DO (shuffle_ps) (high01, high23, 0xee);
}

/* Stores LANES pixels of four bytes, or the first three bytes of each. */
ENCODE_INLINE void
store (Integers bytes, int channels, guint8 *pixels)
{
  const __m128i pack = _mm_setr_epi8 (0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
  __m128i four[LANES / 4];

  memcpy (channels == 4 ? pixels : (guint8 *) four, &bytes, sizeof bytes);
  for (int i = 0; channels == 3 && i < LANES / 4; i++)
    {
      four[i] = _mm_shuffle_epi8 (four[i], pack);
      memcpy (pixels + 12 * i, &four[i], 12);
    }
}

ENCODE_INLINE void
encode (const float *floats, int channels, gboolean srgb, gboolean premultiplied, guint8 *pixels)
{
  Integers bytes;
  Vector x[4];

  split (floats, x);
  if (premultiplied)
    divide (x);
  bytes = get_levels (x[0], srgb);
#pragma GCC unroll 3
  for (int c = 1; c < channels; c++)
    bytes |= DO (slli_epi32) (get_levels (x[c], srgb && c < 3), 8 * c);
  store (REORDER (bytes), channels, pixels);
}

ENCODE_INLINE void
encode_all (const float *floats, int channels, gboolean srgb, gboolean premultiplied, int n,
            guint8 *pixels)
{
  float last[4 * LANES];
  guint8 encoded[4 * LANES];
  int i;

  for (i = 0; i <= n - LANES; i += LANES)
    encode (floats + 4 * i, channels, srgb, premultiplied, pixels + i * channels);
  if (i == n)
    return;
  memset (last, 0, sizeof last);
  memcpy (last, floats + 4 * i, (n - i) * 4 * sizeof *last);
  encode (last, channels, srgb, premultiplied, encoded);
  memcpy (pixels + i * channels, encoded, (n - i) * channels);
}

TARGET static void
bytes_encode (const FxBytes *bytes, const float *floats, int n, guint8 *pixels)
{
  if (bytes->channels == 3 && bytes->srgb)
    encode_all (floats, 3, TRUE, FALSE, n, pixels);
  else if (bytes->channels == 3)
    encode_all (floats, 3, FALSE, FALSE, n, pixels);
  else if (bytes->srgb)
    encode_all (floats, 4, TRUE, bytes->premultiplied, n, pixels);
  else
    encode_all (floats, 4, FALSE, bytes->premultiplied, n, pixels);
}
