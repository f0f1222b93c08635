#include "reference.h"

#include "trc-table.h"

#include <math.h>
#include <string.h>

/* ---- samples ---- */

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

double *
reference_decode_all (FxSample sample, gconstpointer samples, gsize n)
{
  double *values = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    values[i] = reference_decode (sample, samples, i);
  return values;
}

double
reference_get_half_ulp (double value)
{
  int exponent;

  frexp (value, &exponent);
  return ldexp (1.0, value == 0.0 ? -24 : MAX (exponent - 11, -24));
}

double
reference_get_bound (FxSample sample, double value, double range)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return 2.0 / 65535.0;
    case FX_SAMPLE_HALF:
      return MAX (reference_get_half_ulp (value), 1e-5 * range);
    default:
      return 1e-5 * range;
    }
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

double
reference_out_of_light (const FxFormat *format, FxLight light, double value)
{
  if (format->gamma && light == FX_LIGHT_LINEAR)
    return reference_trc_to_gamma (&format->trc, value);
  if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
    return reference_trc_to_linear (&format->trc, value);
  return value;
}

/* ---- pixels: stored and straight, or premultiplied in the filter's light ---- */

static gboolean
has_alpha (const FxFormat *format)
{
  return format->channels % 2 == 0;
}

static void
premultiply (const FxFormat *format, FxLight light, const double *in, double *out)
{
  const int colors = format->channels - has_alpha (format);
  const double alpha = has_alpha (format) ? in[colors] : 1.0;

  for (int c = 0; c < colors; c++)
    out[c] = reference_into_light (format, light, in[c]) * alpha;
  if (has_alpha (format))
    out[colors] = alpha;
}

static void
unpremultiply (const FxFormat *format, FxLight light, const double *in, double *out)
{
  const int colors = format->channels - has_alpha (format);
  const double alpha = has_alpha (format) ? in[colors] : 1.0;

  for (int c = 0; c < colors; c++)
    out[c] = alpha == 0.0 ? 0.0 : reference_out_of_light (format, light, in[c] / alpha);
  if (has_alpha (format))
    out[colors] = alpha;
}

/* Sets pixel to the premultiplied pixel beyond the edge, for policies other than clamp. Black and
 * white are the same in either light. */
static void
get_beyond (const FxFormat *format, FxAbyss abyss, double *pixel)
{
  for (int c = 0; c < format->channels; c++)
    pixel[c] = abyss == FX_ABYSS_WHITE ? 1.0 : 0.0;
  if (has_alpha (format))
    pixel[format->channels - 1] = abyss == FX_ABYSS_NONE ? 0.0 : 1.0;
}

/* ---- the kernel ---- */

int
reference_radius (double sigma, int kernel_size)
{
  if (sigma < 0.2)
    return 0;
  return kernel_size ? (kernel_size - 1) / 2 : (int) ceil (6.0 * sigma);
}

/* Returns 2 radius + 1 weights. */
static double *
make_kernel (double sigma, int radius)
{
  double *kernel = g_new (double, 2 * radius + 1);
  double sum = 0.0;

  for (int k = -radius; k <= radius; k++)
    sum += kernel[k + radius] = k == 0 ? 1.0 : exp (-(double) k * k / (2.0 * sigma * sigma));
  for (int k = 0; k <= 2 * radius; k++)
    kernel[k] /= sum;
  return kernel;
}

/* One axis as a matrix: the weight of each of n pixels, and of what lies beyond the edge, in each
 * of size results. Kernels much longer than the image then cost no more than the image. */
typedef struct {
  int n, size;
  double *weights; /* size rows of n */
  double *beyond;  /* size */
} Matrix;

static void
matrix_init (Matrix *m, int n, int start, int size, double sigma, int kernel_size, FxAbyss abyss)
{
  const int radius = reference_radius (sigma, kernel_size);
  g_autofree double *kernel = make_kernel (sigma, radius);

  *m = (Matrix) { n, size, g_new0 (double, (gsize) size *n), g_new0 (double, size) };
  for (int i = 0; i < size; i++)
    for (int k = -radius; k <= radius; k++)
      {
        const int from = start + i + k;

        if (abyss == FX_ABYSS_CLAMP || (from >= 0 && from < n))
          m->weights[(gsize) i * n + CLAMP (from, 0, n - 1)] += kernel[k + radius];
        else
          m->beyond[i] += kernel[k + radius];
      }
}

static void
matrix_clear (Matrix *m)
{
  g_free (m->weights);
  g_free (m->beyond);
}

/* Computes result i from n vectors of length samples, distance samples apart, and from the samples
 * beyond the edge. */
static void
matrix_apply (const Matrix *m, int i, const double *in, gsize distance, const double *beyond,
              double *out, gsize length)
{
  for (gsize j = 0; j < length; j++)
    out[j] = m->beyond[i] * beyond[j];
  for (int u = 0; u < m->n; u++)
    {
      const double weight = m->weights[(gsize) i * m->n + u];

      if (weight != 0.0)
        for (gsize j = 0; j < length; j++)
          out[j] += weight * in[u * distance + j];
    }
}

static double *
premultiply_all (const FxFormat *format, FxLight light, gsize n, const double *source)
{
  double *pixels = g_new (double, n * format->channels);

  for (gsize i = 0; i < n; i++)
    premultiply (format, light, source + i * format->channels, pixels + i * format->channels);
  return pixels;
}

static void
unpremultiply_all (const FxFormat *format, FxLight light, gsize n, double *pixels)
{
  double pixel[4];

  for (gsize i = 0; i < n; i++)
    {
      memcpy (pixel, pixels + i * format->channels, sizeof *pixel * format->channels);
      unpremultiply (format, light, pixel, pixels + i * format->channels);
    }
}

double *
reference_blur (const BlurParams *params, const FxFormat *format, int width, int height,
                const FxRect *region, const double *source)
{
  const int channels = format->channels;
  const gsize row = (gsize) region->width * channels;
  g_autofree double *pixels = premultiply_all (format, params->light, (gsize) width * height,
                                               source);
  g_autofree double *half = g_new (double, row *height);
  g_autofree double *beyond = g_new (double, row);
  double *result = g_new (double, row * region->height);
  Matrix mx, my;

  for (int x = 0; x < region->width; x++)
    get_beyond (format, params->abyss, beyond + (gsize) x * channels);
  matrix_init (&mx, width, region->x, region->width, params->sigma_x, params->kernel_size,
               params->abyss);
  matrix_init (&my, height, region->y, region->height, params->sigma_y, params->kernel_size,
               params->abyss);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < region->width; x++)
      matrix_apply (&mx, x, pixels + (gsize) y * width * channels, channels, beyond,
                    half + y * row + (gsize) x * channels, channels);
  for (int y = 0; y < region->height; y++)
    matrix_apply (&my, y, half, row, beyond, result + y * row, row);
  matrix_clear (&mx);
  matrix_clear (&my);
  unpremultiply_all (format, params->light, (gsize) region->width * region->height, result);
  return result;
}
