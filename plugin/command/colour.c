#include "colour.h"

#include "heif.h"
#include "metadata.h"
#include "png.h"
#include "profile.h"

#include <string.h>

/* PNG's chunks. */

typedef struct {
  gboolean has_codes, is_srgb, has_places;
  guint8 primaries, transfer;
  double gamma; /* that GAMA has: of the stored values by the light; 0: none */
  Chromaticities places;
} Chunks;

static double
get_number (const guint8 *bytes)
{
  return png_get_number (bytes) / 100000.0;
}

/* Takes a chunk if it is known and as long as it must be. */
static void
take_chunk (Chunks *chunks, const PngWalk *walk)
{
  const guint8 *body = walk->body;
  double *const places[] = { chunks->places.white, chunks->places.red, chunks->places.green,
                             chunks->places.blue };

  /* H.273 codes of RGB in the full range */
  if (png_walk_is (walk, "cICP") && walk->size == 4 && body[2] == 0 && body[3] == 1)
    {
      chunks->has_codes = TRUE;
      chunks->primaries = body[0];
      chunks->transfer = body[1];
    }
  else if (png_walk_is (walk, "sRGB"))
    chunks->is_srgb = TRUE;
  else if (png_walk_is (walk, "gAMA") && walk->size == 4)
    chunks->gamma = get_number (body);
  else if (png_walk_is (walk, "cHRM") && walk->size == 32)
    {
      chunks->has_places = TRUE;
      for (int i = 0; i < 8; i++)
        places[i / 2][i % 2] = get_number (body + 4 * i);
    }
}

/* Returns whether gAMA and cHRM, which gray pictures may lack, have the values that PNG's
 * specification recommends for sRGB. Many programs write these without the chunk sRGB. */
static gboolean
means_srgb (const Chunks *chunks, gboolean gray)
{
  const Chromaticities *of = &chunks->places;
  gboolean same = of->red[0] == 0.64 && of->red[1] == 0.33 && of->green[0] == 0.3 &&
                  of->green[1] == 0.6 && of->blue[0] == 0.15 && of->blue[1] == 0.06 &&
                  of->white[0] == 0.3127 && of->white[1] == 0.329;

  return chunks->gamma == 0.45455 && (same || (gray && ! chunks->has_places));
}

/* Reads those before the pixels. */
static void
read_chunks (const char *path, Chunks *chunks)
{
  g_auto (PngWalk) walk;

  png_walk_init (&walk, path);
  while (png_walk_next (&walk) && strcmp (walk.type, "IDAT") != 0)
    take_chunk (chunks, &walk);
}

/* Returns a profile for what a PNG file declares by its chunks, in their ranks: cICP, then its own
 * profile, sRGB, gAMA with cHRM. Returns NULL if that is its own profile, or nothing that is
 * known. */
static GBytes *
read_png (const char *path, gboolean has_profile, gboolean gray)
{
  Chunks chunks = { 0 };
  GBytes *icc = NULL;

  read_chunks (path, &chunks);
  if (chunks.has_codes)
    icc = profile_new_from_codes (chunks.primaries, chunks.transfer, gray);
  if (icc || has_profile)
    return icc;
  if (chunks.is_srgb || means_srgb (&chunks, gray))
    return profile_new_from_codes (1, 13, gray);
  return chunks.gamma > 0.0
           ? profile_new_from_gamma (1.0 / chunks.gamma, chunks.has_places ? &chunks.places : NULL,
                                     gray)
           : NULL;
}

/* The image. */

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
    icc = read_png (path, has_profile, gray);
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
