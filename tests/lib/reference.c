#include "reference.h"

#include "trc-table.h"

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

/* IEC 61966-2-1. */
double
reference_to_linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

double
reference_to_gamma (double light)
{
  return light <= 0.0031308 ? light * 12.92 : 1.055 * pow (light, 1.0 / 2.4) - 0.055;
}

#define LAST (FX_TRC_ENTRIES - 1)

static double
table_to_linear (const float *entries, double value)
{
  const double place = LAST * value;
  const int k = (int) CLAMP (floor (place), 0.0, LAST - 1.0);
  const double rise = (double) entries[k + 1] - entries[k];

  return isinf (value) ? value : entries[k] + (place - k) * rise;
}

static double
table_to_gamma (const float *entries, double light)
{
  int low = 0, high = LAST; /* the ends of the segment; light of a run belongs to the one below */

  if (isinf (light))
    return light;
  if (light <= entries[0])
    high = 1;
  else if (light >= entries[LAST])
    low = LAST - 1;
  while (high - low > 1)
    if (entries[(low + high) / 2] < light)
      low = (low + high) / 2;
    else
      high = (low + high) / 2;
  if (entries[low] == entries[high])
    return low == 0 ? 0.0 : 1.0;
  return (low + (light - entries[low]) / ((double) entries[high] - entries[low])) / LAST;
}

/* A table as format.h defines it, or ICC.1:2010, 10.16, function type 4. */
double
reference_trc_to_linear (const FxTrc *trc, double value)
{
  if (trc->table)
    return table_to_linear (trc->table->entries, value);
  if (trc->g == 0.0f)
    return reference_to_linear (value);
  if (value < trc->d)
    return trc->c * value + trc->f;
  return pow (MAX (trc->a * value + trc->b, 0.0), trc->g) + trc->e;
}

double
reference_trc_to_gamma (const FxTrc *trc, double light)
{
  if (trc->table)
    return table_to_gamma (trc->table->entries, light);
  if (trc->g == 0.0f)
    return reference_to_gamma (light);
  if (light >= (double) trc->c * trc->d + trc->f)
    return MAX ((pow (MAX (light - trc->e, 0.0), 1.0 / trc->g) - trc->b) / trc->a, trc->d);
  return trc->c > 0.0f ? (light - trc->f) / trc->c : MIN (trc->d, 0.0);
}

double
reference_into_light (const FxFormat *format, FxLight light, double value)
{
  if (format->gamma && light == FX_LIGHT_LINEAR)
    return reference_trc_to_linear (&format->trc, value);
  if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
    return reference_trc_to_gamma (&format->trc, value);
  return value;
}
