#include "subject.h"

void
pixels_read (Pixels *pixels, gint32 drawable)
{
  g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (drawable);
  const int width = gimp_drawable_width (drawable), height = gimp_drawable_height (drawable);

  *pixels = (Pixels) { width, height, (gsize) width * height * gimp_drawable_bpp (drawable) };
  pixels->data = g_malloc (pixels->bytes);
  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, width, height), 1.0, NULL, pixels->data,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
}

void
pixels_write (const Pixels *pixels, gint32 drawable)
{
  g_autoptr (GeglBuffer) buffer = gimp_drawable_get_buffer (drawable);

  gegl_buffer_set (buffer, GEGL_RECTANGLE (0, 0, pixels->width, pixels->height), 0, NULL,
                   pixels->data, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_flush (buffer);
  gimp_drawable_update (drawable, 0, 0, pixels->width, pixels->height);
}

void
pixels_clear (Pixels *pixels)
{
  g_free (pixels->data);
}

FilterSettings *
subject_settings (double sigma_x, double sigma_y, gboolean grow)
{
  const double values[] = {
    sigma_x, sigma_y, 0, FX_ABYSS_NONE, FX_LIGHT_LINEAR, grow, FX_DEVICE_CPU
  };
  FilterSettings *settings = filter_settings_new (filters_find (PROCEDURE));

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    filter_settings_set (settings, i, values[i]);
  return settings;
}
