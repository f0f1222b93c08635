#include "heif.h"

#include "header.h"
#include "profile.h"

#include <libheif/heif.h>

/* Returns the picture that a file shows first, or NULL. Free the context in any case. */
static struct heif_image_handle *
open_file (struct heif_context **context, const char *path)
{
  struct heif_image_handle *handle = NULL;

  *context = heif_context_alloc ();
  if (heif_context_read_from_file (*context, path, NULL).code == heif_error_Ok)
    heif_context_get_primary_image_handle (*context, &handle);
  return handle;
}

static void
close_file (struct heif_context *context, struct heif_image_handle *handle)
{
  if (handle)
    heif_image_handle_release (handle);
  heif_context_free (context);
}

gboolean
heif_check (const char *path, gboolean *premultiplied, GError **error)
{
  struct heif_context *context;
  struct heif_image_handle *handle = open_file (&context, path);
  const char *words[N_HEADERS] = { "any", "", "opaque", "any", "any" };
  g_autofree char *sample = NULL;
  gboolean good = TRUE; /* without a picture libvips says why */

  *premultiplied = handle && heif_image_handle_is_premultiplied_alpha (handle);
  if (handle)
    {
      sample = g_strdup_printf ("%d-bit", heif_image_handle_get_luma_bits_per_pixel (handle));
      words[HEADER_SAMPLE] = sample;
      if (heif_image_handle_has_alpha_channel (handle))
        words[HEADER_ALPHA] = *premultiplied ? "premultiplied" : "straight";
      good = header_check ("Heif", words, error);
    }
  close_file (context, handle);
  return good;
}

GBytes *
heif_read_codes (const char *path, gboolean gray)
{
  struct heif_context *context;
  struct heif_image_handle *handle = open_file (&context, path);
  struct heif_color_profile_nclx *codes = NULL;
  GBytes *icc = NULL;

  if (handle && heif_image_handle_get_nclx_color_profile (handle, &codes).code == heif_error_Ok)
    icc = profile_new_from_codes (codes->color_primaries, codes->transfer_characteristics, gray);
  heif_nclx_color_profile_free (codes);
  close_file (context, handle);
  return icc;
}
