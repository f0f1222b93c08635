#include "reference.h"

#include <math.h>

static double
decode_half (guint16 bits)
{
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double value;

  if (exponent == 31)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexp (fraction, -24);
  else
    value = ldexp (1024 + fraction, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

static guint16
encode_half (double value)
{
  const guint16 sign = signbit (value) ? 0x8000 : 0;
  int exponent;
  double steps; /* the value in units of the distance to the next half */

  value = fabs (value);
  if (isnan (value))
    return sign | 0x7e00;
  if (value >= 65520.0)
    return sign | 0x7c00;
  frexp (value, &exponent); /* value < 2^exponent */
  exponent = value > 0.0 ? MAX (exponent, -13) : -13;
  steps = nearbyint (ldexp (value, 11 - exponent));
  /* A carry out of the fraction correctly increments the exponent. */
  return sign | (guint16) ((exponent + 13) * 1024 + (int) steps);
}

double
reference_decode (FxSample sample, gconstpointer samples, gsize i)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return ((const guint8 *) samples)[i] / 255.0;
    case FX_SAMPLE_U16:
      return ((const guint16 *) samples)[i] / 65535.0;
    case FX_SAMPLE_U32:
      return ((const guint32 *) samples)[i] / 4294967295.0;
    case FX_SAMPLE_HALF:
      return decode_half (((const guint16 *) samples)[i]);
    case FX_SAMPLE_FLOAT:
      return ((const float *) samples)[i];
    case FX_SAMPLE_DOUBLE:
      return ((const double *) samples)[i];
    }
  g_assert_not_reached ();
}

static double
to_level (double value, double max)
{
  return nearbyint (CLAMP (value, 0.0, 1.0) * max);
}

void
reference_encode (FxSample sample, double value, gpointer samples, gsize i)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      ((guint8 *) samples)[i] = (guint8) to_level (value, 255.0);
      break;
    case FX_SAMPLE_U16:
      ((guint16 *) samples)[i] = (guint16) to_level (value, 65535.0);
      break;
    case FX_SAMPLE_U32:
      ((guint32 *) samples)[i] = (guint32) to_level (value, 4294967295.0);
      break;
    case FX_SAMPLE_HALF:
      ((guint16 *) samples)[i] = encode_half (value);
      break;
    case FX_SAMPLE_FLOAT:
      ((float *) samples)[i] = (float) value;
      break;
    case FX_SAMPLE_DOUBLE:
      ((double *) samples)[i] = value;
      break;
    }
}
