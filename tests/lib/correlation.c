#include "correlation.h"

#include "reference.h"

#include <math.h>

typedef struct {
  const ConvolveParams *params;
  const FxFormat *format;
  const double *source;           /* in the light, straight */
  int width, height, alpha;       /* alpha: its channel, or -1 */
  double sum, divisor, magnitude; /* of the values */
  gboolean both;                  /* there are values of both signs */
} Definition;

static void
find_sums (Definition *definition)
{
  const ConvolveParams *params = definition->params;
  gboolean above = FALSE, below = FALSE;

  for (int i = 0; i < params->rows * params->columns; i++)
    {
      definition->sum += params->values[i];
      definition->magnitude += fabs (params->values[i]);
      above = above || params->values[i] > 0.0;
      below = below || params->values[i] < 0.0;
    }
  if (fabs (definition->sum) < 1e-12 * definition->magnitude)
    definition->sum = 0.0;
  definition->both = above && below;
  definition->divisor = params->divisor != 0.0   ? params->divisor
                        : definition->sum != 0.0 ? definition->sum
                                                 : 1.0;
}

/* Channel c of the pixel at x, y, which may lie beyond the edge. */
static double
get_sample (const Definition *definition, int x, int y, int c)
{
  FxAbyss abyss = definition->params->abyss;
  int width = definition->width, height = definition->height;

  if (abyss == FX_ABYSS_CLAMP)
    {
      x = CLAMP (x, 0, width - 1);
      y = CLAMP (y, 0, height - 1);
    }
  if (x >= 0 && x < width && y >= 0 && y < height)
    return definition->source[((gsize) y * width + x) * definition->format->channels + c];
  return abyss == FX_ABYSS_WHITE || (abyss == FX_ABYSS_BLACK && c == definition->alpha) ? 1.0 : 0.0;
}

/* The sum of the values, or of their magnitudes, times channel c, times alpha where weighed; c -1:
 * times 1. */
static double
correlate (const Definition *definition, int x, int y, int c, gboolean weighed, gboolean magnitudes)
{
  const ConvolveParams *params = definition->params;
  double sum = 0.0;

  for (int i = 0; i < params->rows * params->columns; i++)
    {
      int at_x = x + i % params->columns - params->columns / 2;
      int at_y = y + i / params->columns - params->rows / 2;
      double value = magnitudes ? fabs (params->values[i]) : params->values[i];

      if (c >= 0)
        value *= get_sample (definition, at_x, at_y, c);
      if (weighed)
        value *= get_sample (definition, at_x, at_y, definition->alpha);
      sum += value;
    }
  return sum;
}

static gboolean
is_written (const Definition *definition, int c)
{
  guint asked = definition->params->channels;

  if (c == definition->alpha)
    return asked == 0 ? definition->sum != 0.0 : asked & CONVOLVE_ALPHA;
  if (asked == 0)
    return TRUE;
  return definition->format->channels > 2 ? asked >> c & 1 : (asked & 7) != 0;
}

static double
get_colour (const Definition *definition, int x, int y, int c)
{
  const ConvolveParams *params = definition->params;
  gboolean weighed = params->alpha == CONVOLVE_ALPHA_PREMULTIPLIED ||
                     (params->alpha == CONVOLVE_ALPHA_AUTOMATIC && definition->sum != 0.0);
  double numerator, by;

  if (definition->alpha < 0 || ! weighed)
    return correlate (definition, x, y, c, FALSE, FALSE) / definition->divisor + params->offset;
  numerator = correlate (definition, x, y, c, TRUE, FALSE);
  if (! is_written (definition, definition->alpha) && definition->both)
    {
      by = correlate (definition, x, y, -1, TRUE, TRUE) / definition->magnitude;
      numerator /= definition->divisor;
    }
  else
    {
      by = correlate (definition, x, y, -1, TRUE, FALSE);
      numerator *= definition->sum != 0.0 ? definition->sum / definition->divisor : 1.0;
    }
  return (by != 0.0 ? numerator / by : 0.0) + params->offset;
}

static double
get_alpha (const Definition *definition, int x, int y)
{
  const ConvolveParams *params = definition->params;

  return correlate (definition, x, y, definition->alpha, FALSE, FALSE) / definition->divisor +
         (params->channels & CONVOLVE_ALPHA ? params->offset : 0.0);
}

double *
correlation_new (const ConvolveParams *params, const FxFormat *format, int width, int height,
                 const double *source)
{
  const int channels = format->channels, alpha = channels % 2 == 0 ? channels - 1 : -1;
  const gsize count = (gsize) width * height * channels;
  g_autofree double *light = g_new (double, count);
  double *result = g_memdup2 (source, count * sizeof *source);
  Definition definition = { params, format, light, width, height, alpha };

  find_sums (&definition);
  for (gsize i = 0; i < count; i++)
    light[i] = (int) (i % channels) == alpha
                 ? source[i]
                 : reference_into_light (format, params->light, source[i]);
  for (gsize i = 0; i < count; i++)
    {
      const int c = (int) (i % channels);
      const int x = (int) (i / channels % width), y = (int) (i / channels / width);

      if (! is_written (&definition, c))
        continue;
      result[i] = c == alpha ? get_alpha (&definition, x, y)
                             : reference_out_of_light (format, params->light,
                                                       get_colour (&definition, x, y, c));
      if (format->sample <= FX_SAMPLE_U32)
        result[i] = CLAMP (result[i], 0.0, 1.0);
    }
  return result;
}

double
correlation_get_gain (const ConvolveParams *params)
{
  Definition definition = { .params = params };

  find_sums (&definition);
  return MAX (1.0, definition.magnitude / fabs (definition.divisor));
}
