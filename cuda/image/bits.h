/* Bit patterns of floating-point numbers, and half precision, because not every supported compiler
 * has _Float16. */
#pragma once

#include <glib.h>

#include <string.h>

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

static inline double
double_from_bits (guint64 bits)
{
  double value;

  memcpy (&value, &bits, sizeof value);
  return value;
}

static inline guint64
bits_from_double (double value)
{
  guint64 bits;

  memcpy (&bits, &value, sizeof bits);
  return bits;
}

/* Multiplying by a power of two moves the exponent and also turns subnormal halves into normal
 * floats. */
static inline float
half_to_float (guint16 half)
{
  guint32 sign = (guint32) (half & 0x8000) << 16;
  guint32 bits = (guint32) (half & 0x7fff) << 13;

  if (bits >= (0x7c00u << 13)) /* infinity, NaN */
    return float_from_bits (sign | bits | 0x7f800000u);
  return float_from_bits (sign | bits_from_float (float_from_bits (bits) * 0x1p112f));
}

/* Rounds to nearest, ties to even. NaN is not supported. */
static inline guint16
float_to_half (float value)
{
  guint32 bits = bits_from_float (value);
  guint16 sign = (bits >> 16) & 0x8000;

  bits &= 0x7fffffffu;
  if (bits >= 0x477ff000u) /* 65520 and above round to infinity */
    return sign | 0x7c00;
  if (bits < 0x38800000u) /* subnormal: one addition aligns the bits and rounds them */
    return sign | (guint16) (bits_from_float (float_from_bits (bits) + 0.5f) - 0x3f000000u);
  return sign | (guint16) ((bits - 0x38000000u + 0xfffu + ((bits >> 13) & 1)) >> 13);
}
