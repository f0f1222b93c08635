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
