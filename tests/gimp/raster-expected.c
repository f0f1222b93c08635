/* The expected result for a raster: the engine's, and in double precision. */
#include "raster.h"

#include "../lib/memory.h"
#include "../lib/reference.h"
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

/* In double precision */

void
raster_premultiply (double *values, gsize pixels, const FxFormat *format, FxLight light)
{
  for (gsize i = 0; i < pixels; i++)
    {
      double *pixel = values + i * format->channels;
      double alpha = fx_format_has_alpha (format) ? pixel[raster_get_colours (format)] : 1.0;

      for (int c = 0; c < raster_get_colours (format); c++)
        pixel[c] = reference_into_light (format, light, pixel[c]) * alpha;
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
        pixel[c] = alpha > 0.0 ? reference_out_of_light (format, light, pixel[c] / alpha) : 0.0;
    }
}

double *
raster_convolve (const Raster *raster, const BlurParams *params)
{
  const FxRect whole = { 0, 0, raster->width, raster->height };
  g_autofree double *values = raster_values (raster);

  return reference_blur (params, &raster->format, raster->width, raster->height, &whole, values);
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
