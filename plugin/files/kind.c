#include "kind.h"

#ifdef HAVE_EXR
#include "exr-kind.h"
#endif
#include "jpeg.h"
#include "png-kind.h"
#ifdef HAVE_TIFF
#include "tiff-kind.h"
#endif
#ifdef HAVE_WEBP
#include "webp-kind.h"
#endif

#include <string.h>

static const Kind *const kinds[] = {
  &jpeg_kind, &png_kind,
#ifdef HAVE_TIFF
  &tiff_kind,
#endif
#ifdef HAVE_WEBP
  &webp_kind,
#endif
#ifdef HAVE_EXR
  &exr_kind,
#endif
};

void
kind_init (void)
{
#ifdef HAVE_TIFF
  tiff_kind_init ();
#endif
}

const Kind *
kind_find (const char *path)
{
  const char *dot = strrchr (path, '.');
  g_autofree char *lower = g_ascii_strdown (dot ? dot + 1 : "", -1);
  g_autofree char *word = g_strdup_printf (" %s ", lower);
  guint i;

  for (i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strstr (kinds[i]->extensions, word))
      return kinds[i];
  return NULL;
}

gboolean
kind_can_write (const Kind *kind, const Picture *picture, GError **error)
{
  if (picture->format.gamma == kind->is_linear)
    return picture_decline (error, "%s has samples of another light", kind->mime_type);
  if (picture->format.sample > kind->deepest)
    return picture_decline (error, "%s has %d bits", kind->mime_type,
                            (int) fx_sample_size (kind->deepest) * 8);
  if (picture->has_thumbnail && ! kind->has_thumbnail)
    return picture_decline (error, "It has a thumbnail, and %s gets none", kind->mime_type);
  return TRUE;
}

gboolean
kind_fit_alpha (const Kind *kind, Picture *picture, GError **error)
{
  return ! fx_format_has_alpha (&picture->format) || kind->has_alpha ||
         picture_drop_alpha (picture) ||
         picture_decline (error, "%s has no alpha", kind->mime_type);
}
