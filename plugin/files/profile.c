#include "profile.h"

static gboolean
is_grey (const Picture *picture)
{
  return picture->format.channels < 3;
}

static gboolean
fits (const Picture *picture)
{
  return is_grey (picture) ? gimp_color_profile_is_gray (picture->profile)
                           : gimp_color_profile_is_rgb (picture->profile);
}

/* The one that GIMP takes where there is none. */
static GimpColorProfile *
get_builtin (const Picture *picture)
{
  return is_grey (picture) ? gimp_color_profile_new_d65_gray_srgb_trc ()
                           : gimp_color_profile_new_rgb_srgb ();
}

static void
drop_builtin (Picture *picture)
{
  GimpColorProfile *builtin = get_builtin (picture);

  if (gimp_color_profile_is_equal (picture->profile, builtin))
    g_clear_object (&picture->profile);
  g_object_unref (builtin);
}

gboolean
profile_take (Picture *picture, GError **error)
{
  gconstpointer data;
  gsize length;

  if (! picture->icc)
    return TRUE;
  data = g_bytes_get_data (picture->icc, &length);
  picture->profile = gimp_color_profile_new_from_icc_profile (data, length, error);
  if (! picture->profile)
    return FALSE;
  if (! fits (picture))
    return picture_decline (error, "The colour profile is of another kind than the picture");
  if (gimp_color_profile_is_linear (picture->profile))
    return picture_decline (error, "The colour profile is linear");
  drop_builtin (picture);
  return TRUE;
}

void
profile_complete (Picture *picture)
{
  const guint8 *data;
  gsize length;

  if (! picture->profile)
    picture->profile = get_builtin (picture);
  data = gimp_color_profile_get_icc_profile (picture->profile, &length);
  g_clear_pointer (&picture->icc, g_bytes_unref);
  picture->icc = g_bytes_new (data, length);
}
