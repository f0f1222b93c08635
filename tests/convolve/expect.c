/* The definition in convolve.h, in double precision. */
#include "reference.h"
#include "trial.h"

#include <math.h>

typedef struct {
  const Trial *trial;
  int channels, colors;
  double sum, divisor, magnitude; /* magnitude: sum |v| */
  gboolean premultiplied, apart;  /* apart: alpha is only to weigh, by the weights' magnitudes */
  double epsilon;                 /* what single precision may be off by, of a sum of magnitudes */
  double *planes;                 /* the picture in the light */
} Sums;

FxRect
trial_get_region (const Trial *trial)
{
  return trial->region.width ? trial->region : (FxRect) { 0, 0, trial->width, trial->height };
}

static gboolean
has_alpha (const Trial *trial)
{
  return trial->format.channels % 2 == 0;
}

static int
count_values (const Trial *trial)
{
  return trial->params.rows * trial->params.columns;
}

static double
sum_values (const Trial *trial)
{
  double sum = 0.0, magnitude = 0.0;

  for (int i = 0; i < count_values (trial); i++)
    {
      sum += trial->params.values[i];
      magnitude += fabs (trial->params.values[i]);
    }
  return fabs (sum) > 1e-12 * magnitude ? sum : 0.0;
}

gboolean
trial_writes (const Trial *trial, int channel)
{
  const guint asked = trial->params.channels;
  const gboolean alpha = has_alpha (trial) && channel == trial->format.channels - 1;

  if (asked == 0)
    return ! alpha || sum_values (trial) != 0.0;
  if (alpha)
    return (asked & CONVOLVE_ALPHA) != 0;
  return trial->format.channels <= 2 ? (asked & 7) != 0 : (asked >> channel & 1) != 0;
}

static gboolean
has_both_signs (const Trial *trial)
{
  gboolean above = FALSE, below = FALSE;

  for (int i = 0; i < count_values (trial); i++)
    {
      above |= trial->params.values[i] > 0.0;
      below |= trial->params.values[i] < 0.0;
    }
  return above && below;
}

static double *
make_planes (const Sums *sums, gconstpointer source)
{
  const Trial *trial = sums->trial;
  const gsize n = (gsize) trial->width * trial->height;
  double *planes = g_new (double, n * sums->channels);

  for (gsize i = 0; i < n * sums->channels; i++)
    {
      const gsize last = i - i % sums->channels + sums->channels - 1;
      const gboolean color = (int) (i % sums->channels) < sums->colors;
      double value = reference_decode (trial->format.sample, source, i);

      if (color)
        value = reference_into_light (&trial->format, trial->params.light, value);
      if (color && sums->premultiplied)
        value *= reference_decode (trial->format.sample, source, last);
      planes[i] = value;
    }
  return planes;
}

static Sums
sums_new (const Trial *trial, gconstpointer source)
{
  Sums sums = { .trial = trial,
                .channels = trial->format.channels,
                .colors = trial->format.channels - has_alpha (trial),
                .sum = sum_values (trial),
                .divisor = trial->params.divisor };

  for (int i = 0; i < count_values (trial); i++)
    sums.magnitude += fabs (trial->params.values[i]);
  if (sums.divisor == 0.0)
    sums.divisor = sums.sum != 0.0 ? sums.sum : 1.0;
  sums.premultiplied = has_alpha (trial) &&
                       (trial->params.alpha == CONVOLVE_ALPHA_PREMULTIPLIED ||
                        (trial->params.alpha == CONVOLVE_ALPHA_AUTOMATIC && sums.sum != 0.0));
  sums.apart = sums.premultiplied && ! trial_writes (trial, sums.colors) && has_both_signs (trial);
  sums.epsilon = 0x1p-22 * (2.0 + sqrt (count_values (trial)) / 8.0);
  sums.planes = make_planes (&sums, source);
  return sums;
}

/* Of a pixel that may lie beyond the edge. */
static double
get_plane (const Sums *sums, int x, int y, int channel)
{
  const Trial *trial = sums->trial;
  const FxAbyss abyss = trial->params.abyss;
  const gboolean beyond = x < 0 || x >= trial->width || y < 0 || y >= trial->height;

  if (beyond && abyss != FX_ABYSS_CLAMP)
    return channel == sums->colors ? abyss != FX_ABYSS_NONE : abyss == FX_ABYSS_WHITE;
  x = CLAMP (x, 0, trial->width - 1);
  y = CLAMP (y, 0, trial->height - 1);
  return sums->planes[((gsize) y * trial->width + x) * sums->channels + channel];
}

/* Of a channel around a pixel; magnitude: the same of magnitudes. */
static double
get_sum (const Sums *sums, int x, int y, int channel, double *magnitude)
{
  const ConvolveParams *params = &sums->trial->params;
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

static Expected
expect_color (const Sums *sums, double light, double error)
{
  const FxFormat *format = &sums->trial->format;
  const FxLight in = sums->trial->params.light;

  return (Expected) { reference_out_of_light (format, in, light),
                      reference_out_of_light (format, in, light - error),
                      reference_out_of_light (format, in, light + error) };
}

static void
expect_pixel (const Sums *sums, int x, int y, Expected *pixel)
{
  const ConvolveParams *params = &sums->trial->params;
  const double gain = sums->sum != 0.0 && ! sums->apart ? sums->sum / sums->divisor : 1.0;
  double alpha = 1.0, alpha_magnitude = 0.0;

  if (has_alpha (sums->trial))
    {
      const double offset = params->channels & CONVOLVE_ALPHA ? params->offset : 0.0;

      alpha = get_sum (sums, x, y, sums->colors, &alpha_magnitude);
      const double error = sums->epsilon * (alpha_magnitude + fabs (offset));

      pixel[sums->colors] = (Expected) { alpha + offset, alpha + offset - error,
                                         alpha + offset + error };
    }
  for (int c = 0; c < sums->colors; c++)
    {
      double magnitude, light = get_sum (sums, x, y, c, &magnitude);
      double error = sums->epsilon * magnitude;

      if (sums->premultiplied)
        {
          light = alpha == 0.0 && alpha_magnitude == 0.0 ? 0.0 : gain * light / alpha;
          error = sums->epsilon * (fabs (gain) * magnitude + fabs (light) * alpha_magnitude);
          error = alpha_magnitude == 0.0 ? 0.0 : error / fabs (alpha);
          if (alpha_magnitude > 0.0 && ! (fabs (alpha) > 16.0 * sums->epsilon * alpha_magnitude))
            { /* rounding alone: it cannot be told */
              pixel[c] = (Expected) { 0.0, -INFINITY, INFINITY };
              continue;
            }
        }
      error += sums->epsilon * (fabs (params->offset) + fabs (light));
      pixel[c] = expect_color (sums, light + params->offset, error);
    }
}

Expected *
trial_expect (const Trial *trial, gconstpointer source)
{
  const FxRect r = trial_get_region (trial);
  const Sums sums = sums_new (trial, source);
  Expected *all = g_new (Expected, (gsize) r.width * r.height * sums.channels), *pixel = all;

  for (int y = r.y; y < r.y + r.height; y++)
    for (int x = r.x; x < r.x + r.width; x++, pixel += sums.channels)
      {
        expect_pixel (&sums, x, y, pixel);
        for (int c = 0; c < sums.channels; c++)
          if (! trial_writes (trial, c))
            {
              const double value = reference_decode (trial->format.sample, source,
                                                     ((gsize) y * trial->width + x) *
                                                         sums.channels +
                                                       c);

              pixel[c] = (Expected) { value, value, value };
            }
      }
  g_free (sums.planes);
  return all;
}

double
trial_get_magnitude (const Trial *trial)
{
  const Sums sums = { .sum = sum_values (trial) };
  double magnitude = 0.0, divisor = trial->params.divisor;

  for (int i = 0; i < count_values (trial); i++)
    magnitude += fabs (trial->params.values[i]);
  if (divisor == 0.0)
    divisor = sums.sum != 0.0 ? sums.sum : 1.0;
  return MAX (1.0, magnitude / fabs (divisor));
}
