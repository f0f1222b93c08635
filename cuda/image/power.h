/* Logarithms and powers of two for vectorised loops. */
#pragma once

#include "bits.h"

/* log2, for positive, normal x, computed by the series of the inverse hyperbolic tangent for a
 * mantissa in [sqrt(1/2), sqrt(2)); exp2, for y with a normal result, by its Taylor series on
 * [-1/2, 1/2]. Both are accurate to the last bits of a float and without branches, so that a loop
 * over them is vectorised. */

static inline float
get_log2 (float x)
{
  guint32 bits = bits_from_float (x);
  gint32 exponent = (gint32) (bits - 0x3f3504f3u) >> 23;
  float m = float_from_bits (bits - ((guint32) exponent << 23));
  float s = (m - 1.0f) / (m + 1.0f);
  float s2 = s * s;
  float log2m = s * (2.88539008f +
                     s2 * (0.961796694f +
                           s2 * (0.577078016f + s2 * (0.412198583f + s2 * 0.320598898f))));

  return (float) exponent + log2m;
}

static inline float
get_exp2 (float y)
{
  float whole = (y + 12582912.0f) - 12582912.0f; /* adding 1.5 * 2^23 rounds to an integer */
  float f = y - whole;
  float exp2f = 1.0f + f * (0.693147181f +
                            f * (0.240226507f +
                                 f * (0.0555041087f +
                                      f * (0.00961812911f +
                                           f * (0.00133335581f +
                                                f * (0.000154035304f + f * 0.0000152527338f))))));

  return exp2f * float_from_bits ((guint32) ((gint32) whole + 127) << 23);
}

/* Selects by bit masks, because a condition on floats would become a branch around the power. */
static inline float
curve_choose (int condition, float yes, float no)
{
  guint32 mask = -(guint32) condition;

  return float_from_bits ((bits_from_float (yes) & mask) | (bits_from_float (no) & ~mask));
}
