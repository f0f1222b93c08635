#include "png.h"

#include "profile.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  gboolean has_codes, is_srgb, has_places;
  guint8 primaries, transfer;
  int frames;
  double gamma; /* that GAMA has: of the stored values by the light; 0: none */
  Chromaticities places;
} Chunks;

static guint32
get_number (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* Takes a chunk if it is known and as long as it must be. */
static void
take_chunk (Chunks *chunks, const char *type, const guint8 *body, guint32 size)
{
  double *const places[] = { chunks->places.white, chunks->places.red, chunks->places.green,
                             chunks->places.blue };

  /* H.273 codes of RGB in the full range */
  if (memcmp (type, "cICP", 4) == 0 && size == 4 && body[2] == 0 && body[3] == 1)
    {
      chunks->has_codes = TRUE;
      chunks->primaries = body[0];
      chunks->transfer = body[1];
    }
  else if (memcmp (type, "acTL", 4) == 0 && size >= 4)
    chunks->frames = (int) MIN (get_number (body), G_MAXINT);
  else if (memcmp (type, "sRGB", 4) == 0)
    chunks->is_srgb = TRUE;
  else if (memcmp (type, "gAMA", 4) == 0 && size == 4)
    chunks->gamma = get_number (body) / 100000.0;
  else if (memcmp (type, "cHRM", 4) == 0 && size == 32)
    {
      chunks->has_places = TRUE;
      for (int i = 0; i < 8; i++)
        places[i / 2][i % 2] = get_number (body + 4 * i) / 100000.0;
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

/* Reads those before the pixels. The file is not mapped into memory: it may get shorter meanwhile.
 */
static void
read_chunks (const char *path, Chunks *chunks)
{
  FILE *file = g_fopen (path, "rb");
  guint8 head[8], body[32];
  gboolean more = file && fread (head, sizeof head, 1, file) == 1;

  while (more && fread (head, sizeof head, 1, file) == 1 && memcmp (head + 4, "IDAT", 4) != 0)
    {
      guint32 size = get_number (head), known = MIN (size, sizeof body);

      more = fread (body, 1, known, file) == known &&
             fseeko (file, (goffset) size - known + 4, SEEK_CUR) == 0;
      if (more)
        take_chunk (chunks, (const char *) head + 4, body, size);
    }
  g_clear_pointer (&file, fclose);
}

int
png_count_frames (const char *path)
{
  Chunks chunks = { .frames = 1 };

  read_chunks (path, &chunks);
  return chunks.frames;
}

GBytes *
png_read_colour (const char *path, gboolean has_profile, gboolean gray)
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
