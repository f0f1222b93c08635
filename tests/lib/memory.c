#include "memory.h"

#include <string.h>

/* Returns the offset of the pixel at x, y, in bytes. */
static gsize
get_offset (const Memory *memory, int x, int y)
{
  return ((gsize) y * memory->width + x) * fx_format_size (&memory->format);
}

static gboolean
read_rows (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Memory *memory = data;
  gsize size = rect->width * fx_format_size (&memory->format);

  for (int y = 0; y < rect->height; y++)
    memcpy ((guint8 *) pixels + y * stride,
            (const guint8 *) memory->pixels + get_offset (memory, rect->x, rect->y + y), size);
  return TRUE;
}

static gboolean
write_rows (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const Memory *memory = data;
  gsize size = rect->width * fx_format_size (&memory->format);

  for (int y = 0; y < rect->height; y++)
    memcpy ((guint8 *) memory->result + get_offset (memory, rect->x, rect->y + y),
            (const guint8 *) pixels + y * stride, size);
  return TRUE;
}

FxImage
memory_get_image (const Memory *memory)
{
  return (FxImage) {
    .format = memory->format,
    .width = memory->width,
    .height = memory->height,
    .region = { 0, 0, memory->width, memory->height },
    .read = read_rows,
    .write = write_rows,
    .data = (gpointer) memory,
  };
}

/* The planes have samples as they are stored: without a curve, and not multiplied by alpha. */
gpointer
memory_make_noise (const FxFormat *format, int n)
{
  const FxFormat linear = { format->sample, format->channels };
  FxCodec codec = fx_codec_new (&linear, FX_LIGHT_LINEAR);
  g_autofree float *samples = g_new (float, FX_CHANNELS_MAX *n);
  float *const planes[] = { samples, samples + n, samples + 2 * n, samples + 3 * n };
  gpointer noise = g_malloc (n * fx_format_size (format));

  codec.alpha = FX_ALPHA_STRAIGHT;
  for (int i = 0; i < FX_CHANNELS_MAX * n; i++)
    samples[i] = (float) g_test_rand_double_range (0.25, 1.0);
  fx_codec_encode (&codec, planes, n, noise);
  return noise;
}
