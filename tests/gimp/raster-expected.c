/* What is expected to become of a raster: the engine's own, and in double precision. */
#include "raster.h"

#include "../lib/memory.h"
#include "../lib/run.h"

/* The engine */

Raster *
raster_blur (const Raster *raster, const BlurParams *params, const FxRect *region, GError **error)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Raster) result = raster_copy (raster);
  const Memory memory = { raster->pixels, result->pixels, raster->width, raster->height,
                          raster->format };
  FxImage image = memory_get_image (&memory);

  if (region)
    image.region = *region;
  if (! run_blur (engine, params, FX_DEVICE_CPU, &image, NULL, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* The direct convolution */

static double
to_linear (double v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

static double
to_gamma (double v)
{
  return v <= 0.0031308 ? v * 12.92 : 1.055 * pow (v, 1.0 / 2.4) - 0.055;
}

void
raster_premultiply (double *values, gsize pixels, const FxFormat *format, FxLight light)
{
  for (gsize i = 0; i < pixels; i++)
    {
      double *pixel = values + i * format->channels;
      double alpha = fx_format_has_alpha (format) ? pixel[raster_get_colours (format)] : 1.0;

      for (int c = 0; c < raster_get_colours (format); c++)
        {
          if (format->gamma && light == FX_LIGHT_LINEAR)
            pixel[c] = to_linear (pixel[c]);
          else if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
            pixel[c] = to_gamma (pixel[c]);
          pixel[c] *= alpha;
        }
    }
}

void
raster_unpremultiply (double *values, gsize pixels, const FxFormat *format, FxLight light)
{
  for (gsize i = 0; i < pixels; i++)
    {
      double *pixel = values + i * format->channels;
      double alpha = fx_format_has_alpha (format) ? pixel[raster_get_colours (format)] : 1.0;

      for (int c = 0; c < raster_get_colours (format); c++)
        {
          pixel[c] = alpha > 0.0 ? pixel[c] / alpha : 0.0;
          if (format->gamma && light == FX_LIGHT_LINEAR)
            pixel[c] = to_gamma (pixel[c]);
          else if (! format->gamma && light == FX_LIGHT_PERCEPTUAL)
            pixel[c] = to_linear (pixel[c]);
        }
    }
}

/* What lies beyond the edge, channel c. */
static double
beyond (const FxFormat *format, FxAbyss abyss, int c)
{
  if (abyss == FX_ABYSS_WHITE)
    return 1.0;
  return abyss == FX_ABYSS_BLACK && fx_format_has_alpha (format) && c == raster_get_colours (format)
           ? 1.0
           : 0.0;
}

/* Convolves one line of count values that lie step apart; the same line of to is written. */
static void
convolve_line (const double *from, double *to, int count, gsize step, double sigma, int radius,
               gboolean clamp, double outside)
{
  double total = 0.0;

  for (int k = -radius; k <= radius; k++)
    total += exp (-0.5 * k * k / (sigma * sigma));
  for (int i = 0; i < count; i++)
    {
      double sum = 0.0;

      for (int k = -radius; k <= radius; k++)
        {
          int at = clamp ? CLAMP (i + k, 0, count - 1) : i + k;

          sum += exp (-0.5 * k * k / (sigma * sigma)) *
                 (at >= 0 && at < count ? from[at * step] : outside);
        }
      to[i * step] = sum / total;
    }
}

/* Convolves lines of count values, step apart; lines themselves are stride apart. */
static void
convolve_axis (double *values, const FxFormat *format, const BlurParams *params, double sigma,
               int lines, gsize stride, int count, gsize step)
{
  g_autofree double *line = NULL;
  int radius = params->kernel_size ? params->kernel_size / 2 : ceil (6 * sigma);

  if (sigma < 0.2)
    return;
  line = g_new (double, count *step);
  for (int i = 0; i < lines; i++)
    for (int c = 0; c < format->channels; c++)
      {
        double *start = values + i * stride + c;

        convolve_line (start, line, count, step, sigma, radius, params->abyss == FX_ABYSS_CLAMP,
                       beyond (format, params->abyss, c));
        for (int k = 0; k < count; k++)
          start[k * step] = line[k * step];
      }
}

double *
raster_convolve (const Raster *raster, const BlurParams *params)
{
  const FxFormat *format = &raster->format;
  gsize pixels = (gsize) raster->width * raster->height;
  gsize row = (gsize) raster->width * format->channels;
  double *values = raster_values (raster);

  raster_premultiply (values, pixels, format, params->light);
  convolve_axis (values, format, params, params->sigma_x, raster->height, row, raster->width,
                 format->channels);
  convolve_axis (values, format, params, params->sigma_y, raster->width, format->channels,
                 raster->height, row);
  raster_unpremultiply (values, pixels, format, params->light);
  return values;
}

double *
raster_mix (const Raster *raster, const double *values, const double *mask)
{
  const FxFormat *format = &raster->format;
  gsize pixels = (gsize) raster->width * raster->height;
  double *mixed = raster_values (raster);
  g_autofree double *over = g_new (double, pixels * format->channels);

  memcpy (over, values, pixels * format->channels * sizeof (double));
  raster_premultiply (mixed, pixels, format, FX_LIGHT_LINEAR);
  raster_premultiply (over, pixels, format, FX_LIGHT_LINEAR);
  for (gsize i = 0; i < pixels; i++)
    for (int c = 0; c < format->channels; c++)
      {
        gsize at = i * format->channels + c;

        mixed[at] += mask[i] * (over[at] - mixed[at]);
      }
  raster_unpremultiply (mixed, pixels, format, FX_LIGHT_LINEAR);
  return mixed;
}

void
raster_keep (const Raster *raster, double *values, guint channels)
{
  int count = raster->format.channels;
  g_autofree double *before = raster_values (raster);

  for (gsize i = 0; i < (gsize) raster->width * raster->height; i++)
    {
      double *pixel = values + i * count;
      gboolean gone = count % 2 == 0 && pixel[count - 1] == 0.0;

      for (int c = 0; c < count; c++)
        if (gone || channels >> c & 1)
          pixel[c] = before[i * count + c];
    }
}
