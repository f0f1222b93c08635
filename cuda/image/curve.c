#include "curve.h"

#include "bits.h"
#include "vector.h"

#include <float.h>

#define GAMMA_MAX 8e15f /* nearly 2^127 in linear light */

/* x^p for positive, normal x whose power is normal too. log2 by the series of the inverse
 * hyperbolic tangent for a mantissa in [sqrt(1/2), sqrt(2)), exp2 by its Taylor series on [-1/2,
 * 1/2]: both are exact to the last bits of a float, and without a branch, so that a loop over them
 * is vectorised. */
static inline float
power (float x, float p)
{
  guint32 bits = bits_from_float (x);
  gint32 exponent = (gint32) (bits - 0x3f3504f3u) >> 23;
  float m = float_from_bits (bits - ((guint32) exponent << 23));
  float s = (m - 1.0f) / (m + 1.0f);
  float s2 = s * s;
  float log2m = s * (2.88539008f +
                     s2 * (0.961796694f +
                           s2 * (0.577078016f + s2 * (0.412198583f + s2 * 0.320598898f))));
  float y = p * ((float) exponent + log2m);
  float whole = (y + 12582912.0f) - 12582912.0f; /* 1.5 * 2^23 leaves no room for a fraction */
  float f = y - whole;
  float exp2f = 1.0f + f * (0.693147181f +
                            f * (0.240226507f +
                                 f * (0.0555041087f +
                                      f * (0.00961812911f +
                                           f * (0.00133335581f +
                                                f * (0.000154035304f + f * 0.0000152527338f))))));

  return exp2f * float_from_bits ((guint32) ((gint32) whole + 127) << 23);
}

/* above where x is over threshold and finite, else below. By bits, whose order is that of the
 * floats: a comparison of floats becomes a branch around the power. */
static inline float
choose (float x, float threshold, float above, float below)
{
  gint32 bits = (gint32) bits_from_float (x);
  guint32 mask = -(guint32) ((bits > (gint32) bits_from_float (threshold)) & (bits < 0x7f800000));

  return float_from_bits ((bits_from_float (above) & mask) | (bits_from_float (below) & ~mask));
}

FX_VECTORISED static void
linear_from_gamma (float *x, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float base = MIN (MAX (x[i], 0.04045f), GAMMA_MAX);

      x[i] = choose (x[i], 0.04045f, power ((base + 0.055f) * (1.0f / 1.055f), 2.4f),
                     x[i] * (1.0f / 12.92f));
    }
}

FX_VECTORISED static void
gamma_from_linear (float *x, int n)
{
  int i;

  for (i = 0; i < n; i++)
    {
      float base = MIN (MAX (x[i], 0.0031308f), FLT_MAX);

      x[i] = choose (x[i], 0.0031308f, 1.055f * power (base, 1.0f / 2.4f) - 0.055f, x[i] * 12.92f);
    }
}

void
fx_curve_apply (FxCurve curve, float *x, int n)
{
  if (curve == FX_CURVE_TO_LINEAR)
    linear_from_gamma (x, n);
  else if (curve == FX_CURVE_TO_PERCEPTUAL)
    gamma_from_linear (x, n);
}

void
fx_curve_invert (FxCurve curve, float *x, int n)
{
  if (curve == FX_CURVE_TO_LINEAR)
    gamma_from_linear (x, n);
  else if (curve == FX_CURVE_TO_PERCEPTUAL)
    linear_from_gamma (x, n);
}
