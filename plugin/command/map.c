#include "map.h"

#include "colour.h"
#include "image-error.h"
#include "image-file.h"

static FilterMap *
convert (VipsImage *image, const FxFormat *format, gboolean linear)
{
  int width = image->Xsize, height = image->Ysize;
  float *values = g_try_new (float, (gsize) width *(gsize) height);

  for (int y = 0; y < height && values; y++)
    filter_map_convert (format, linear, VIPS_IMAGE_ADDR (image, 0, y), width,
                        values + (gsize) y * (gsize) width);
  return values ? filter_map_new (values, 0, 0, width, height) : NULL;
}

/* If the profile has no tone curve, brightness is that of sRGB's. */
static FilterMap *
read_map (VipsImage *image, FxFormat *format, gboolean linear, guint64 memory, GError **error)
{
  guint64 need = VIPS_IMAGE_SIZEOF_IMAGE (image) +
                 (guint64) image->Xsize * (guint64) image->Ysize * sizeof (float);
  VipsImage *whole = need <= memory ? vips_image_copy_memory (image) : NULL;
  FilterMap *map;

  if (! whole)
    {
      if (need > memory)
        image_set_no_memory (error);
      else
        image_set_error (IMAGE_ERROR_DAMAGED, error);
      return NULL;
    }
  colour_set_curve (image, format);
  map = convert (whole, format, linear);
  if (! map)
    image_set_no_memory (error);
  g_object_unref (whole);
  return map;
}

gboolean
map_load (FilterSettings *settings, const char *path, guint64 memory, GError **error)
{
  gboolean linear = filter_settings_use_linear_map (settings);
  g_autoptr (FilterMap) map = NULL;
  VipsImage *image;
  FxFormat format;

  if (! g_file_test (path, G_FILE_TEST_EXISTS))
    image_fail (error, IMAGE_ERROR_FORMAT, "no such file");
  else if ((image = image_open (path, memory, &format, error)))
    {
      map = read_map (image, &format, linear, memory, error);
      g_object_unref (image);
    }
  if (! map)
    {
      g_prefix_error (error, "%s: ", path);
      return FALSE;
    }
  filter_settings_set_map (settings, map);
  return TRUE;
}
