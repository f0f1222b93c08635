#include "colour.h"

#include "declared.h"
#include "profile.h"

#include <string.h>

gboolean
colour_declare (VipsImage **image, const char *loader, const char *path)
{
  gboolean has_profile = vips_image_get_typeof (*image, VIPS_META_ICC_NAME) != 0;
  gboolean gray = vips_image_get_bands (*image) <= 2;
  g_autoptr (GBytes) icc = NULL;
  VipsImage *copy = NULL; /* because other images may share the fields */

  if (strstr (loader, "Png"))
    icc = declared_by_png (path, has_profile, gray);
  else if (strstr (loader, "Heif") && ! has_profile)
    icc = declared_by_heif (path, gray);
  if (! icc)
    return TRUE;
  if (vips_copy (*image, &copy, NULL) != 0)
    return FALSE;
  vips_image_set_blob_copy (copy, VIPS_META_ICC_NAME, g_bytes_get_data (icc, NULL),
                            g_bytes_get_size (icc));
  g_object_unref (*image);
  *image = copy;
  return TRUE;
}

gboolean
colour_set_curve (VipsImage *image, FxFormat *format)
{
  const void *icc;
  size_t size;

  if (vips_image_get_typeof (image, VIPS_META_ICC_NAME) == 0)
    return TRUE;
  return vips_image_get_blob (image, VIPS_META_ICC_NAME, &icc, &size) == 0 &&
         profile_set_trc (format, icc, size);
}
