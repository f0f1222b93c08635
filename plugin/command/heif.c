#include "heif.h"

#include "image-error.h"
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
heif_check (const char *path, GError **error)
{
  struct heif_context *context;
  struct heif_image_handle *handle = open_file (&context, path);
  int bits = handle ? heif_image_handle_get_luma_bits_per_pixel (handle) : 8; /* libvips says why */
  gboolean multiplied = handle && heif_image_handle_is_premultiplied_alpha (handle);

  close_file (context, handle);
  return (! multiplied && (bits == 8 || bits == 10 || bits == 12)) ||
         image_set_kind ("AVIF or HEIC of this depth, or with colours multiplied by alpha,", error);
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
