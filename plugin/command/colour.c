#include "colour.h"

#include "heif.h"
#include "metadata.h"
#include "png.h"
#include "profile.h"

static const Chromaticities adobe_rgb = {
  { 0.64, 0.33 }, { 0.21, 0.71 }, { 0.15, 0.06 }, { 0.3127, 0.329 }
};

gboolean
colour_declare (VipsImage **image, const char *loader, const char *path)
{
  gboolean has_profile = vips_image_get_typeof (*image, VIPS_META_ICC_NAME) != 0;
  gboolean gray = vips_image_get_bands (*image) <= 2;
  g_autoptr (GBytes) icc = NULL;
  const void *own;
  size_t size;
  VipsImage *copy = NULL; /* because other images may share the fields */

  if (strstr (loader, "Png"))
    icc = png_read_colour (path, has_profile, gray);
  else if (strstr (loader, "Heif") && ! has_profile)
    icc = heif_read_codes (path, gray);
  if (! icc && ! has_profile && metadata_is_adobe_rgb (path))
    icc = profile_new_from_gamma (563 / 256.0, &adobe_rgb, gray);
  if (! icc && has_profile && gray &&
      vips_image_get_blob (*image, VIPS_META_ICC_NAME, &own, &size) == 0)
    icc = profile_new_gray (own, size); /* PNG and JPEG have no other for gray */
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
