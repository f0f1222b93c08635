#include "kind.h"

#include "jpeg.h"
#include "png-kind.h"

#include <string.h>

static const Kind *const kinds[] = { &jpeg_kind, &png_kind };

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
  if (fx_format_has_alpha (&picture->format) && ! kind->has_alpha)
    return picture_decline (error, "%s has no alpha", kind->mime_type);
  if (picture->format.sample != FX_SAMPLE_U8 && ! kind->has_16_bits)
    return picture_decline (error, "%s has 8 bits", kind->mime_type);
  return TRUE;
}
