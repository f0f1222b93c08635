#include "copy.h"

#include "error.h"

#define COPY_ROWS  128
#define COPY_BYTES ((gsize) 16 << 20)

gboolean
fx_copy_image (const FxImage *image, GError **error)
{
  FxRect rect = image->region;
  int end = rect.y + rect.height;
  gsize stride = rect.width * fx_format_size (&image->format);
  int rows = (int) CLAMP (COPY_BYTES / stride, 1, COPY_ROWS);
  g_autofree gpointer pixels = g_try_malloc_n (rows, stride);

  if (! pixels)
    return fx_set_no_memory (error);
  if (! fx_progress_report (image->progress, image->data, 0.0, error))
    return FALSE;
  for (; rect.y < end; rect.y += rect.height)
    {
      rect.height = MIN (rows - rect.y % rows, end - rect.y);
      if (! image->read (image->data, &rect, pixels, stride, error) ||
          ! image->write (image->data, &rect, pixels, stride, error) ||
          ! fx_progress_report (image->progress, image->data,
                                1.0 - (end - rect.y - rect.height) / (double) image->region.height,
                                error))
        return FALSE;
    }
  return TRUE;
}
