#include "engine.h"

#include <string.h>

typedef struct {
  const guint8 *source;
  guint8 *result;
  gsize pixel, stride; /* bytes */
} Memory;

static gboolean
read_rows (gpointer data, const BlurRect *rect, gpointer pixels, gsize stride, GError **error)
{
  const Memory *memory = data;

  for (int y = 0; y < rect->height; y++)
    memcpy ((guint8 *) pixels + y * stride,
            memory->source + (rect->y + y) * memory->stride + rect->x * memory->pixel,
            rect->width * memory->pixel);
  return TRUE;
}

static gboolean
write_rows (gpointer data, const BlurRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  const Memory *memory = data;

  for (int y = 0; y < rect->height; y++)
    memcpy (memory->result + (rect->y + y) * memory->stride + rect->x * memory->pixel,
            (const guint8 *) pixels + y * stride, rect->width * memory->pixel);
  return TRUE;
}

gboolean
engine_blur (BlurEngine *engine, BlurDevice device, const BlurFormat *format, int width, int height,
             double sigma, gconstpointer source, gpointer result, double *milliseconds,
             BlurReport *report, GError **error)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma, .device = device };
  gsize pixel = blur_format_size (format);
  Memory memory = { source, result, pixel, width * pixel };
  const BlurImage image = { .format = *format, .width = width, .height = height,
                            .region = { 0, 0, width, height }, .read = read_rows,
                            .write = write_rows, .data = &memory };
  BlurReport done;

  if (! blur_engine_run (engine, &params, &image, &done, error))
    return FALSE;
  if (milliseconds)
    *milliseconds = done.milliseconds;
  if (report)
    *report = done;
  return TRUE;
}
