#include "filter-map.h"

#include "codec.h"

#define PART 256 /* pixels */

/* The light of sRGB's red, green and blue, adapted to D50 as babl has it. */
static const float weights[] = { 0.22248840f, 0.71690369f, 0.06060791f };

FilterMap *
filter_map_new (float *values, int x, int y, int width, int height)
{
  FilterMap *map = g_new (FilterMap, 1);
  gsize size = (gsize) width * (gsize) height * sizeof *values;

  *map = (FilterMap) { g_bytes_new_take (values, size), width, height, x, y, 1 };
  return map;
}

/* Sets light to that of n pixels. */
static void
get_light (const FxCodec *codec, gconstpointer pixels, int n, float *light)
{
  float samples[FX_CHANNELS_MAX][PART];
  float *const planes[] = { samples[0], samples[1], samples[2], samples[3] };

  fx_codec_decode (codec, pixels, n, planes);
  for (int i = 0; i < n; i++)
    light[i] = codec->format.channels < 3
                 ? samples[0][i]
                 : weights[0] * samples[0][i] + weights[1] * samples[1][i] +
                     weights[2] * samples[2][i];
}

void
filter_map_convert (const FxFormat *format, gboolean linear, gconstpointer pixels, int n,
                    float *values)
{
  const FxFormat stored = { .sample = FX_SAMPLE_FLOAT, .channels = 1, .trc = format->trc };
  const FxCodec to_seen = fx_codec_new (&stored, FX_LIGHT_PERCEPTUAL);
  FxCodec to_light = fx_codec_new (format, FX_LIGHT_LINEAR);
  float light[PART];

  to_light.alpha = FX_ALPHA_STRAIGHT;
  for (int x = 0; x < n; x += PART)
    {
      const char *part = (const char *) pixels + (gsize) x * fx_format_size (format);
      int count = MIN (n - x, PART);
      float *to = values + x;

      get_light (&to_light, part, count, linear ? to : light);
      if (! linear)
        fx_codec_decode (&to_seen, light, count, &to);
    }
}

FilterMap *
filter_map_ref (FilterMap *map)
{
  if (map)
    g_atomic_int_inc (&map->references);
  return map;
}

void
filter_map_free (FilterMap *map)
{
  if (! map || ! g_atomic_int_dec_and_test (&map->references))
    return;
  g_bytes_unref (map->values);
  g_free (map);
}
