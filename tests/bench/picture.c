#include "picture.h"

#include <math.h>

static guint32
get_noise (guint32 x, guint32 y, guint32 c)
{
  guint32 h = x * 0x9e3779b1u ^ y * 0x85ebca77u ^ c * 0xc2b2ae3du;

  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

static int
get_color (int x, int y, int c, int width, int height)
{
  int value = x * 160 / width + y * 95 / height;

  if ((x / 40 + y / 30) % 5 == c) /* blocks of other colours: edges */
    value = 255 - value;
  value += (int) (get_noise (x, y, c) % 33) - 16;
  return CLAMP (value, 0, 255);
}

static int
get_alpha (int x, int y, int width)
{
  int t = x * 1024 / width;

  if (t < 700)
    return 255;
  if (t < 860)
    return 255 - (t - 700) * 255 / 160;
  return (x / 64 + y / 64) % 2 ? 255 : 0;
}

/* Gradients, hard edges, noise and, in the right part, soft and hard transparency, 8-bit. */
static guint8 *
make_bytes (int width, int height)
{
  guint8 *pixels = g_malloc_n (width, (gsize) height * 4);
  guint8 *p = pixels;

  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < 4; c++)
        *p++ = (guint8) (c < 3 ? get_color (x, y, c, width, height) : get_alpha (x, y, width));
  return pixels;
}

/* IEC 61966-2-1. */
static double
to_linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static float *
make_linear (const guint8 *stored, gsize n)
{
  float *pixels = g_new (float, n);
  float light[256];

  for (int i = 0; i < 256; i++)
    light[i] = (float) to_linear (i / 255.0);
  for (gsize i = 0; i < n; i++)
    pixels[i] = i % 4 == 3 ? stored[i] / 255.0f : light[stored[i]];
  return pixels;
}

static guint16 *
make_words (const guint8 *stored, gsize n)
{
  guint16 *pixels = g_new (guint16, n);

  for (gsize i = 0; i < n; i++)
    pixels[i] = stored[i] * 257;
  return pixels;
}

gpointer
picture_new (FxSample sample, gboolean opaque, int width, int height)
{
  g_autofree guint8 *stored = make_bytes (width, height);
  const gsize n = (gsize) width * height * 4;

  for (gsize i = 3; opaque && i < n; i += 4)
    stored[i] = 255;
  if (sample == FX_SAMPLE_FLOAT)
    return make_linear (stored, n);
  return sample == FX_SAMPLE_U16 ? (gpointer) make_words (stored, n) : g_steal_pointer (&stored);
}
