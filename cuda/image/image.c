#include "image.h"

#include "error.h"

#include <glib/gi18n-lib.h>

#define COPY_ROWS 128

gboolean
fx_image_check (const FxImage *image, GError **error)
{
  const FxRect *r = &image->region;

  if (image->width < 1 || image->height < 1 || image->width > FX_SIZE_MAX ||
      image->height > FX_SIZE_MAX)
    return fx_refuse (error, _ ("image is %d x %d pixels, but must be 1 x 1 to %d x %d"),
                      image->width, image->height, FX_SIZE_MAX, FX_SIZE_MAX);
  if (r->x < 0 || r->y < 0 || r->width < 1 || r->height < 1 || r->width > image->width - r->x ||
      r->height > image->height - r->y)
    return fx_refuse (
      error, _ ("region is %d x %d pixels at %d, %d, but must lie within the image of %d x %d"),
      r->width, r->height, r->x, r->y, image->width, image->height);
  if (! fx_check_range ("x", image->x, -FX_PLACE_MAX, FX_PLACE_MAX, error) ||
      ! fx_check_range ("y", image->y, -FX_PLACE_MAX, FX_PLACE_MAX, error))
    return FALSE;
  if (! image->read || ! image->write)
    return fx_refuse (error, _ ("read or write is missing, but the image needs both"));
  return fx_format_check (&image->format, error);
}

gboolean
fx_progress_report (FxProgressFunc progress, gpointer data, double fraction, GError **error)
{
  return ! progress || progress (data, fraction) ||
         fx_fail (error, FX_ERROR_CANCELLED, _ ("Cancelled"));
}

gboolean
fx_image_copy (const FxImage *image, GError **error)
{
  FxRect rect = image->region;
  int end = rect.y + rect.height;
  gsize stride = rect.width * fx_format_size (&image->format);
  int rows = (int) CLAMP (FX_BAND_BYTES / stride, 1, COPY_ROWS);
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
