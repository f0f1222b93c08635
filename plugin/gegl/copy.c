#include "copy.h"

#include <gegl-parallel.h>

#define THREAD_PIXELS (128.0 * 128.0) /* what it costs to wake one; measured */

typedef struct {
  const Copied *copied;
  const GeglRectangle *rect;
  gpointer pixels;
  gsize stride;
  gboolean to_buffer;
} Copy;

/* On each thread. */
static void
copy_part (const GeglRectangle *part, gpointer data)
{
  const Copy *copy = data;
  const Copied *copied = copy->copied;
  gsize pixel = babl_format_get_bytes_per_pixel (copied->format);
  char *pixels = (char *) copy->pixels + (gsize) (part->y - copy->rect->y) * copy->stride +
                 (gsize) (part->x - copy->rect->x) * pixel;

  if (copy->to_buffer)
    gegl_buffer_set (copied->buffer, part, copied->level, copied->format, pixels,
                     (int) copy->stride);
  else
    gegl_buffer_get (copied->buffer, part, 1.0 / (1 << copied->level), copied->format, pixels,
                     (int) copy->stride, copied->abyss);
}

static void
run (const Copied *copied, const GeglRectangle *rect, gpointer pixels, gsize stride,
     gboolean to_buffer)
{
  Copy copy = { copied, rect, pixels, stride, to_buffer };

  gegl_parallel_distribute_area (rect, THREAD_PIXELS, GEGL_SPLIT_STRATEGY_AUTO, copy_part, &copy);
}

void
copy_from_buffer (const Copied *from, const GeglRectangle *rect, gpointer pixels, gsize stride)
{
  run (from, rect, pixels, stride, FALSE);
}

void
copy_to_buffer (const Copied *to, const GeglRectangle *rect, gconstpointer pixels, gsize stride)
{
  run (to, rect, (gpointer) pixels, stride, TRUE);
}
