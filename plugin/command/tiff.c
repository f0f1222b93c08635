#include "tiff.h"

#include "image-error.h"

#include <string.h>
#include <tiffio.h>

#define LINEAR_RAW 34892 /* a photometric interpretation of DNG */

static guint16
get (TIFF *tiff, guint32 tag)
{
  guint16 value = 0;

  return TIFFGetFieldDefaulted (tiff, tag, &value) ? value : 0;
}

static gboolean
is_page (TIFF *tiff)
{
  guint32 type = 0;

  TIFFGetField (tiff, TIFFTAG_SUBFILETYPE, &type);
  return ! (type & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK));
}

static gboolean
has_sensor_data (TIFF *tiff)
{
  guint16 photometric = get (tiff, TIFFTAG_PHOTOMETRIC);
  gpointer version;

  return photometric == PHOTOMETRIC_CFA || photometric == LINEAR_RAW ||
         TIFFGetField (tiff, TIFFTAG_DNGVERSION, &version);
}

/* Returns whether it is a raw photo, whose first directory mostly has a thumbnail alone. Some keep
 * their picture where only its maker finds it, so names count, too. */
static gboolean
is_raw (TIFF *tiff, const char *path)
{
  static const char names[] =
    " 3fr arw cr2 dcr dng erf fff iiq k25 kdc mdc mef mos nef nrw orf pef "
    "raw rw2 rwl sr2 srf srw ";
  const char *dot = strrchr (path, '.');
  g_autofree char *lower = g_ascii_strdown (dot ? dot + 1 : "", -1);
  g_autofree char *word = g_strdup_printf (" %s ", lower);
  g_autofree guint64 *places = NULL;
  guint64 *found;
  guint16 n = 0;
  gboolean raw = ! is_page (tiff) || has_sensor_data (tiff) || strstr (names, word);

  if (! raw && TIFFGetField (tiff, TIFFTAG_SUBIFD, &n, &found))
    places = g_memdup2 (found, n * sizeof *found);
  for (guint16 i = 0; places && i < n && ! raw; i++)
    raw = TIFFSetSubDirectory (tiff, places[i]) && has_sensor_data (tiff);
  return raw;
}

/* The flag of a photometric interpretation; the flags of bits are their numbers, and FLOAT. */
#define COLOUR(name) (1u << PHOTOMETRIC_##name)
#define GRAY         COLOUR (MINISBLACK)
#define WHITE_IS_0   COLOUR (MINISWHITE)
#define FLOAT        64u

enum { OPAQUE = 1, STRAIGHT = 2, PREMULTIPLIED = 4 };
enum { LOSSLESS = 1, ZSTD = 2, FAX = 4, JPEG = 8 };
enum { STRIPS = 1, TILES = 2, PLANES = 4 };

/* The kinds that libvips loads rightly: any combination of one entry of each column of a row.
 * tests/command/kinds.py lists the same, and makes files for each and for what is not here. */
static const struct {
  guint colours, bits, alphas, packings, layouts;
} trusted[] = {
  { GRAY | WHITE_IS_0 | COLOUR (PALETTE), 1 | 2 | 4 | 8, OPAQUE, LOSSLESS, STRIPS | TILES },
  { GRAY | WHITE_IS_0 | COLOUR (RGB), 8 | 16 | 32, OPAQUE | STRAIGHT, LOSSLESS, STRIPS | TILES },
  { GRAY | COLOUR (RGB), FLOAT, OPAQUE | STRAIGHT, LOSSLESS, STRIPS | TILES },
  { GRAY | COLOUR (RGB), 8 | 16, PREMULTIPLIED, LOSSLESS, STRIPS | TILES },
  { COLOUR (RGB), 8 | 16 | 32 | FLOAT, OPAQUE | STRAIGHT, LOSSLESS, PLANES },
  { COLOUR (SEPARATED), 8 | 16, OPAQUE, LOSSLESS, STRIPS | TILES },
  { GRAY | COLOUR (RGB), 8 | 16, OPAQUE, ZSTD, STRIPS },
  { GRAY | WHITE_IS_0, 1, OPAQUE, FAX, STRIPS },
  { GRAY | COLOUR (RGB) | COLOUR (YCBCR), 8, OPAQUE, JPEG, STRIPS | TILES },
};

/* All of these return 0 for what has no flag. */

static guint
get_colour (TIFF *tiff)
{
  guint16 colour = get (tiff, TIFFTAG_PHOTOMETRIC);

  return colour > PHOTOMETRIC_YCBCR ||
             (colour == PHOTOMETRIC_SEPARATED && get (tiff, TIFFTAG_INKSET) != INKSET_CMYK)
           ? 0
           : 1u << colour;
}

static guint
get_bits (TIFF *tiff)
{
  guint16 bits = get (tiff, TIFFTAG_BITSPERSAMPLE), kind = get (tiff, TIFFTAG_SAMPLEFORMAT);

  if (kind == SAMPLEFORMAT_IEEEFP)
    return bits == 32 ? FLOAT : 0;
  return kind != SAMPLEFORMAT_INT && bits <= 32 && (bits & (bits - 1)) == 0 ? bits : 0;
}

/* Samples that nothing is said of may be alpha, or a selection. */
static guint
get_alpha (TIFF *tiff, guint colour)
{
  int colours = colour & (GRAY | WHITE_IS_0 | COLOUR (PALETTE)) ? 1
                : colour == COLOUR (SEPARATED)                  ? 4
                                                                : 3;
  int more = get (tiff, TIFFTAG_SAMPLESPERPIXEL) - colours;
  guint16 n = 0, *kinds = NULL;

  TIFFGetField (tiff, TIFFTAG_EXTRASAMPLES, &n, &kinds);
  if (more == 0 && n == 0)
    return OPAQUE;
  if (more != 1 || n != 1 || kinds[0] == EXTRASAMPLE_UNSPECIFIED)
    return 0;
  return kinds[0] == EXTRASAMPLE_ASSOCALPHA ? PREMULTIPLIED : STRAIGHT;
}

static guint
get_packing (TIFF *tiff)
{
  guint16 packing = get (tiff, TIFFTAG_COMPRESSION);
  gboolean lossless = packing == COMPRESSION_NONE || packing == COMPRESSION_LZW ||
                      packing == COMPRESSION_ADOBE_DEFLATE || packing == COMPRESSION_DEFLATE ||
                      packing == COMPRESSION_PACKBITS;

  if (packing >= COMPRESSION_CCITTRLE && packing <= COMPRESSION_CCITTFAX4)
    return FAX;
  return lossless                      ? LOSSLESS
         : packing == COMPRESSION_ZSTD ? ZSTD
         : packing == COMPRESSION_JPEG ? JPEG
                                       : 0;
}

static guint
get_layout (TIFF *tiff)
{
  gboolean planes = get (tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;

  if (TIFFIsTiled (tiff))
    return planes ? 0 : TILES;
  return planes && get (tiff, TIFFTAG_SAMPLESPERPIXEL) > 1 ? PLANES : STRIPS;
}

/* libvips holds a strip or a tile, and GLib ends the process if it cannot. */
static gboolean
check (TIFF *tiff, guint64 memory, GError **error)
{
  guint64 strip = TIFFIsTiled (tiff) ? TIFFTileSize64 (tiff) : TIFFStripSize64 (tiff);
  guint colour = get_colour (tiff), bits = get_bits (tiff), alpha = get_alpha (tiff, colour);
  guint packing = get_packing (tiff), layout = get_layout (tiff);

  if (strip > memory)
    return image_set_no_memory (error);
  for (guint i = 0; i < G_N_ELEMENTS (trusted); i++)
    if (trusted[i].colours & colour && trusted[i].bits & bits && trusted[i].alphas & alpha &&
        trusted[i].packings & packing && trusted[i].layouts & layout)
      return TRUE;
  return image_set_kind ("this kind of TIFF", error);
}

gboolean
tiff_check (const char *path, guint64 memory, int *pages, GError **error)
{
  TIFF *tiff = TIFFOpen (path, "rm");
  gboolean good;

  *pages = 0;
  if (! tiff)
    return TRUE; /* libvips says why */
  good = ! is_raw (tiff, path) ||
         image_fail (error, IMAGE_ERROR_KIND,
                     "it is a raw photo; develop it first, with GIMP for example");
  TIFFSetDirectory (tiff, 0);
  good = good && check (tiff, memory, error);
  do
    *pages += is_page (tiff);
  while (good && *pages < 2 && TIFFReadDirectory (tiff));
  TIFFClose (tiff);
  return good;
}
