#include "correlation.h"

#include "reference.h"

#include <math.h>

struct _CorrelationSums {
  const ConvolveParams *params;
  const FxFormat *format;
  int width, height;
  int channels, colors;
  double sum, divisor, magnitude; /* magnitude is the sum of |v| */
  gboolean premultiplied, apart;  /* apart: alpha only weighs the colours, with the weights'
                                     magnitudes */
  double epsilon;                 /* the error of single precision, relative to a sum of
                                     magnitudes */
  const CorrelationHighlights *highlights;
  double *planes; /* the image in the filter's light; premultiplied, if so */
};

static gboolean
has_alpha (const FxFormat *format)
{
  return format->channels % 2 == 0;
}

static int
count_values (const ConvolveParams *params)
{
  return params->rows * params->columns;
}

static double
get_magnitude (const ConvolveParams *params)
{
  double sum = 0.0;

  for (int i = 0; i < count_values (params); i++)
    sum += fabs (params->values[i]);
  return sum;
}

static double
get_sum_of_values (const ConvolveParams *params)
{
  double sum = 0.0;

  for (int i = 0; i < count_values (params); i++)
    sum += params->values[i];
  return fabs (sum) > 1e-7 * get_magnitude (params) ? sum : 0.0;
}

static double
get_divisor (const ConvolveParams *params)
{
  const double sum = get_sum_of_values (params);

  if (params->divisor != 0.0)
    return params->divisor;
  return sum != 0.0 ? sum : 1.0;
}

double
correlation_get_gain (const ConvolveParams *params)
{
  return MAX (1.0, get_magnitude (params) / fabs (get_divisor (params)));
}

/* Returns whether the filter writes a channel of format. */
static gboolean
is_written (const ConvolveParams *params, const FxFormat *format, int channel)
{
  const guint asked = params->channels;
  const gboolean alpha = has_alpha (format) && channel == format->channels - 1;

  if (asked == 0)
    return ! alpha || get_sum_of_values (params) != 0.0;
  if (alpha)
    return (asked & CONVOLVE_ALPHA) != 0;
  return format->channels <= 2 ? (asked & 7) != 0 : (asked >> channel & 1) != 0;
}

static gboolean
has_both_signs (const ConvolveParams *params)
{
  gboolean above = FALSE, below = FALSE;

  for (int i = 0; i < count_values (params); i++)
    {
      above |= params->values[i] > 0.0;
      below |= params->values[i] < 0.0;
    }
  return above && below;
}

double
correlation_expand (const CorrelationHighlights *highlights, double m)
{
  const double t = highlights->threshold, gain = exp2 (highlights->stops);

  if (m <= t)
    return m;
  return m < 1.0 ? m + (gain - 1.0) * pow ((m - t) / (1.0 - t), 2.0) : gain * m;
}

/* The inverse. */
static double
compress (const CorrelationHighlights *highlights, double f)
{
  const double t = highlights->threshold, gain = exp2 (highlights->stops);
  const double bend = (gain - 1.0) / pow (1.0 - t, 2.0);

  if (f <= t || bend == 0.0)
    return f;
  return f < gain ? t + (sqrt (1.0 + 4.0 * bend * (f - t)) - 1.0) / (2.0 * bend) : f / gain;
}

static double
get_factor (const CorrelationHighlights *highlights, double f)
{
  return f > 0.0 ? compress (highlights, f) / f : 1.0;
}

void
correlation_expand_pixel (const CorrelationHighlights *highlights, double *light, int colors)
{
  double m = 0.0;

  for (int c = 0; c < colors; c++)
    m = MAX (m, light[c]);
  for (int c = 0; c < colors && m > 0.0; c++)
    light[c] *= correlation_expand (highlights, m) / m;
}

static double *
make_planes (const CorrelationSums *sums, const double *source)
{
  const int channels = sums->channels, colors = sums->colors;
  const gsize n = (gsize) sums->width * sums->height;
  double *planes = g_memdup2 (source, n * channels * sizeof *source);

  for (gsize i = 0; i < n; i++)
    {
      double *pixel = planes + i * channels;

      for (int c = 0; c < colors; c++)
        pixel[c] = reference_into_light (sums->format, sums->params->light, pixel[c]);
      correlation_expand_pixel (sums->highlights, pixel, colors);
      for (int c = 0; c < colors && sums->premultiplied; c++)
        pixel[c] *= pixel[colors];
    }
  return planes;
}

CorrelationSums *
correlation_sums_new (const ConvolveParams *params, const FxFormat *format, int width, int height,
                      const CorrelationHighlights *highlights, const double *source)
{
  CorrelationSums *sums = g_new (CorrelationSums, 1);

  *sums = (CorrelationSums) { .params = params,
                              .format = format,
                              .width = width,
                              .height = height,
                              .channels = format->channels,
                              .colors = format->channels - has_alpha (format),
                              .sum = get_sum_of_values (params),
                              .divisor = get_divisor (params),
                              .magnitude = get_magnitude (params),
                              .highlights = highlights };
  sums->premultiplied = has_alpha (format) &&
                        (params->alpha == CONVOLVE_ALPHA_PREMULTIPLIED ||
                         (params->alpha == CONVOLVE_ALPHA_AUTOMATIC && sums->sum != 0.0));
  sums->apart = sums->premultiplied && ! is_written (params, format, sums->colors) &&
                has_both_signs (params);
  sums->epsilon = 0x1p-22 * (2.0 + sqrt (count_values (params)) / 8.0);
  sums->planes = make_planes (sums, source);
  return sums;
}

void
correlation_sums_free (CorrelationSums *sums)
{
  g_free (sums->planes);
  g_free (sums);
}

/* Returns a value of a pixel that may lie beyond the edge. */
static double
get_plane (const CorrelationSums *sums, int x, int y, int channel)
{
  const FxAbyss abyss = sums->params->abyss;
  const gboolean beyond = x < 0 || x >= sums->width || y < 0 || y >= sums->height;

  if (beyond && abyss != FX_ABYSS_CLAMP)
    {
      if (channel == sums->colors)
        return abyss != FX_ABYSS_NONE;
      return abyss == FX_ABYSS_WHITE ? correlation_expand (sums->highlights, 1.0) : 0.0;
    }
  x = CLAMP (x, 0, sums->width - 1);
  y = CLAMP (y, 0, sums->height - 1);
  return sums->planes[((gsize) y * sums->width + x) * sums->channels + channel];
}

/* Returns the weighted sum of a channel around a pixel. Sets magnitude to the sum of the products'
 * magnitudes. */
static double
get_sum (const CorrelationSums *sums, int x, int y, int channel, double *magnitude)
{
  const ConvolveParams *params = sums->params;
  const gboolean weighs = sums->apart && channel == sums->colors;
  double sum = 0.0;

  *magnitude = 0.0;
  for (int j = 0; j < params->rows; j++)
    for (int i = 0; i < params->columns; i++)
      {
        const double value = params->values[j * params->columns + i];
        const double weight = weighs ? fabs (value) / sums->magnitude : value / sums->divisor;

        if (value == 0.0)
          continue;
        const double product = weight * get_plane (sums, x + i - params->columns / 2,
                                                   y + j - params->rows / 2, channel);

        sum += product;
        *magnitude += fabs (product);
      }
  return sum;
}

/* A colour's light before it is compressed, and its error; the latter is infinite if only rounding
 * errors are left. */
typedef struct {
  double light, error;
} Light;

static Light
get_light (const CorrelationSums *sums, int x, int y, int channel, double alpha,
           double alpha_magnitude)
{
  const ConvolveParams *params = sums->params;
  const double gain = sums->sum != 0.0 && ! sums->apart ? sums->sum / sums->divisor : 1.0;
  double magnitude, light = get_sum (sums, x, y, channel, &magnitude);
  double error = sums->epsilon * magnitude;

  if (sums->premultiplied)
    {
      light = alpha == 0.0 && alpha_magnitude == 0.0 ? 0.0 : gain * light / alpha;
      error = sums->epsilon * (fabs (gain) * magnitude + fabs (light) * alpha_magnitude);
      error = alpha_magnitude == 0.0 ? 0.0 : error / fabs (alpha);
      if (alpha_magnitude > 0.0 && ! (fabs (alpha) > 16.0 * sums->epsilon * alpha_magnitude))
        return (Light) { 0.0, INFINITY };
    }
  error += sums->epsilon * (fabs (params->offset) + fabs (light));
  return (Light) { light + params->offset, error };
}

static double
get_value (const CorrelationSums *sums, double light)
{
  return reference_out_of_light (sums->format, sums->params->light, light);
}

/* Sets samples to a pixel's colours, compressed. The factor falls as the brightest one rises. */
static void
set_colors (const CorrelationSums *sums, const Light *lights, Correlation *samples)
{
  double most = 0.0, error = 0.0, factor, least, largest;

  for (int c = 0; c < sums->colors; c++)
    {
      most = MAX (most, lights[c].light);
      error = MAX (error, lights[c].error);
    }
  factor = get_factor (sums->highlights, most);
  least = get_factor (sums->highlights, most + error);
  largest = get_factor (sums->highlights, most - error);
  for (int c = 0; c < sums->colors; c++)
    {
      const double low = lights[c].light - lights[c].error;
      const double high = lights[c].light + lights[c].error;

      if (isinf (lights[c].error))
        samples[c] = (Correlation) { 0.0, -INFINITY, INFINITY };
      else
        samples[c] = (Correlation) { get_value (sums, lights[c].light * factor),
                                     get_value (sums, MIN (low * least, low * largest)),
                                     get_value (sums, MAX (high * least, high * largest)) };
    }
}

void
correlation_sums_get (const CorrelationSums *sums, int x, int y, Correlation *pixel)
{
  const ConvolveParams *params = sums->params;
  double alpha = 1.0, alpha_magnitude = 0.0;
  Light lights[FX_CHANNELS_MAX];

  if (has_alpha (sums->format))
    {
      const double offset = params->channels & CONVOLVE_ALPHA ? params->offset : 0.0;

      alpha = get_sum (sums, x, y, sums->colors, &alpha_magnitude);
      const double error = sums->epsilon * (alpha_magnitude + fabs (offset));

      pixel[sums->colors] = (Correlation) { alpha + offset, alpha + offset - error,
                                            alpha + offset + error };
    }
  for (int c = 0; c < sums->colors; c++)
    lights[c] = get_light (sums, x, y, c, alpha, alpha_magnitude);
  set_colors (sums, lights, pixel);
}

/* Returns whether the filter changes no pixel, not even the colour of transparent ones. */
static gboolean
is_identity (const ConvolveParams *params)
{
  const int middle = params->rows / 2 * params->columns + params->columns / 2;

  for (int i = 0; i < count_values (params); i++)
    if (i != middle && params->values[i] != 0.0)
      return FALSE;
  return params->offset == 0.0 && params->values[middle] != 0.0 &&
         (float) (params->values[middle] / get_divisor (params)) == 1.0f;
}

double *
correlation_get_values (const ConvolveParams *params, const FxFormat *format, int width, int height,
                        const double *source)
{
  static const CorrelationHighlights none = { 0 };
  const gboolean identity = is_identity (params);
  const int channels = format->channels;
  const gsize n = (gsize) width * height * channels;
  g_autoptr (CorrelationSums)
    sums = correlation_sums_new (params, format, width, height, &none, source);
  double *values = g_memdup2 (source, n * sizeof *source);
  Correlation pixel[FX_CHANNELS_MAX];

  for (gsize i = 0; i < n; i++)
    {
      const int c = i % channels, x = i / channels % width, y = i / channels / width;

      if (c == 0)
        correlation_sums_get (sums, x, y, pixel);
      if (! identity && is_written (params, format, c))
        values[i] = pixel[c].value;
      if (format->sample <= FX_SAMPLE_U32)
        values[i] = CLAMP (values[i], 0.0, 1.0);
    }
  return values;
}
