#include "display.h"

#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>

/* Returns the profile of a view's colours: the image's, but with sRGB's curve if that has made
 * linear samples perceptual. */
static GimpColorProfile *
get_view_profile (const ApplyTarget *target)
{
  GimpColorProfile *own = gimp_image_get_effective_color_profile (
    gimp_item_get_image (target->drawable));
  GimpColorProfile *perceptual = NULL;

  if (own && ! target->format.gamma && fx_trc_is_srgb (&target->format.trc))
    perceptual = gimp_color_profile_new_srgb_trc_from_color_profile (own);
  if (! perceptual)
    return own;
  g_object_unref (own);
  return perceptual;
}

/* Copies gray pixels: a profile for gray cannot convert RGB. */
static guint8 *
copy_gray (const guint8 *rgba, gsize pixels)
{
  guint8 *gray = g_malloc_n (pixels, 2);

  for (gsize i = 0; i < pixels; i++)
    {
      gray[2 * i] = rgba[4 * i];
      gray[2 * i + 1] = rgba[4 * i + 3];
    }
  return gray;
}

static void
convert (GimpColorTransform *transform, gboolean is_gray, guint8 *rgba, gsize pixels)
{
  const Babl *to = babl_format ("R'G'B'A u8");
  g_autofree guint8 *gray = is_gray ? copy_gray (rgba, pixels) : NULL;

  gimp_color_transform_process_pixels (transform, gray ? babl_format ("Y'A u8") : to,
                                       gray ? gray : rgba, to, rgba, pixels);
}

void
display_convert (GtkWidget *widget, const ApplyTarget *target, guint8 *rgba, gsize pixels)
{
  GimpColorProfile *profile = target->coverage ? NULL : get_view_profile (target);
  GimpColorTransform *transform;
  gboolean is_gray;

  if (! profile)
    return;
  is_gray = gimp_color_profile_is_gray (profile);
  transform = gimp_widget_get_color_transform (widget, gimp_get_color_configuration (), profile,
                                               babl_format (is_gray ? "Y'A u8" : "R'G'B'A u8"),
                                               babl_format ("R'G'B'A u8"));
  if (transform)
    convert (transform, is_gray, rgba, pixels);
  g_clear_object (&transform);
  g_object_unref (profile);
}
