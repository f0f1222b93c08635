#include "image-error.h"

#include <string.h>
#include <sys/statvfs.h>
#include <vips/vips.h>

G_DEFINE_QUARK (image - error, image_error)

gboolean
image_set_no_memory (GError **error)
{
  return image_fail (error, IMAGE_ERROR_ROOM, "there is not enough memory for its pixels");
}

gboolean
image_set_kind (const char *kind, GError **error)
{
  return image_fail (
    error, IMAGE_ERROR_KIND,
    "%s is not supported; convert it to gray or RGB of 8 or 16 bits, with GIMP for "
    "example",
    kind);
}

gboolean
image_check_room (guint64 bytes, GError **error)
{
  struct statvfs status;

  return statvfs (g_get_tmp_dir (), &status) != 0 ||
         (guint64) status.f_bavail * status.f_frsize >= bytes ||
         image_fail (error, IMAGE_ERROR_ROOM, "%s has no room for its pixels, %.0f MB",
                     g_get_tmp_dir (), (double) bytes / 1e6);
}

gboolean
image_set_error (ImageError code, GError **error)
{
  g_autofree char *said = g_utf8_make_valid (vips_error_buffer (), -1);

  vips_error_clear ();
  if (strstr (said, "out of memory"))
    return image_set_no_memory (error);
  said[strcspn (said, "\n")] = '\0';
  return image_fail (error, (int) code, "%s", *said ? said : "libvips gave no reason");
}
