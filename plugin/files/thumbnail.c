#include "thumbnail.h"

#define SIZE    256 /* pixels, of the longer side */
#define QUALITY "75"

/* Buffers alone are wanted: to load GEGL's operations would take longer than all else. */
void
thumbnail_init (void)
{
  g_setenv ("GEGL_PATH", "/nonexistent", TRUE);
}

static void
start_gegl (void)
{
  static gsize started;

  if (g_once_init_enter (&started))
    {
      gegl_init (NULL, NULL);
      g_once_init_leave (&started, 1);
    }
}

/* GIMP makes it of what it shows, which always has alpha. */
static GeglBuffer *
make_buffer (const Picture *picture)
{
  static const char *const formats[] = { "Y' u8", "Y'A u8", "R'G'B' u8", "R'G'B'A u8" };
  int channels = picture->format.channels;
  const GeglRectangle whole = { 0, 0, picture->width, picture->height };
  GeglBuffer *buffer = gegl_buffer_new (&whole, babl_format (formats[(channels - 1) | 1]));

  gegl_buffer_set (buffer, &whole, 0, babl_format (formats[channels - 1]), picture->pixels,
                   GEGL_AUTO_ROWSTRIDE);
  return buffer;
}

static GdkPixbuf *
shrink (const Picture *picture, int width, int height)
{
  GeglBuffer *buffer = make_buffer (picture);
  GdkPixbuf *pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, TRUE, 8, width, height);
  const GeglRectangle whole = { 0, 0, width, height };
  double scale = MIN ((double) width / picture->width, (double) height / picture->height);

  gegl_buffer_get (buffer, &whole, scale, babl_format ("R'G'B'A u8"),
                   gdk_pixbuf_get_pixels (pixbuf), gdk_pixbuf_get_rowstride (pixbuf),
                   GEGL_ABYSS_CLAMP);
  g_object_unref (buffer);
  return pixbuf;
}

gboolean
thumbnail_make (Thumbnail *thumbnail, const Picture *picture, GError **error)
{
  int longer = MAX (picture->width, picture->height);
  GdkPixbuf *pixbuf;
  gboolean done;

  thumbnail->width = (int) ((gint64) SIZE * picture->width / longer);
  thumbnail->height = (int) ((gint64) SIZE * picture->height / longer);
  if (thumbnail->width == 0 || thumbnail->height == 0)
    return picture_decline (error, "It is too narrow for a thumbnail");
  start_gegl ();
  pixbuf = shrink (picture, thumbnail->width, thumbnail->height);
  done = gdk_pixbuf_save_to_buffer (pixbuf, &thumbnail->jpeg, &thumbnail->length, "jpeg", error,
                                    "quality", QUALITY, NULL);
  g_object_unref (pixbuf);
  return done;
}

void
thumbnail_clear (Thumbnail *thumbnail)
{
  g_clear_pointer (&thumbnail->jpeg, g_free);
}
