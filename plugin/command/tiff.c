#include "tiff.h"

#include "header.h"
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

/* Returns a word for a number from a list of NUMBER=WORD, or the number itself; free it. */
static char *
name (const char *list, guint number)
{
  g_autofree char *start = g_strdup_printf (" %u=", number);
  const char *found = strstr (list, start);

  if (! found)
    return g_strdup_printf ("number %u", number);
  found += strlen (start);
  return g_strndup (found, strcspn (found, " "));
}

static char *
name_sample (TIFF *tiff)
{
  static const char formats[] = " 1= 2=-signed 3=-float 4= ";
  g_autofree char *format = name (formats, get (tiff, TIFFTAG_SAMPLEFORMAT));

  return g_strdup_printf ("%d-bit%s", get (tiff, TIFFTAG_BITSPERSAMPLE), format);
}

/* How many samples of a pixel are no alpha. */
static int
count_colours (TIFF *tiff)
{
  switch (get (tiff, TIFFTAG_PHOTOMETRIC))
    {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
    case PHOTOMETRIC_PALETTE:
      return 1;
    case PHOTOMETRIC_SEPARATED:
      return 4;
    default:
      return 3;
    }
}

/* Samples that nothing is said of may be alpha, or a selection. */
static const char *
name_alpha (TIFF *tiff)
{
  int more = get (tiff, TIFFTAG_SAMPLESPERPIXEL) - count_colours (tiff);
  guint16 n = 0, *kinds = NULL;

  TIFFGetField (tiff, TIFFTAG_EXTRASAMPLES, &n, &kinds);
  if (more == 0 && n == 0)
    return "opaque";
  if (more != 1 || n != 1 || kinds[0] == EXTRASAMPLE_UNSPECIFIED)
    return "of channels that are no colour";
  return kinds[0] == EXTRASAMPLE_ASSOCALPHA ? "premultiplied" : "straight";
}

static const char *
name_layout (TIFF *tiff)
{
  gboolean tiles = TIFFIsTiled (tiff) != 0;

  if (get (tiff, TIFFTAG_PLANARCONFIG) != PLANARCONFIG_SEPARATE)
    return tiles ? "tiles" : "strips";
  if (tiles)
    return "tiles of planes";
  return get (tiff, TIFFTAG_SAMPLESPERPIXEL) > 1 ? "planes" : "strips";
}

/* libvips holds a strip or a tile, and GLib ends the process if it cannot. */
static gboolean
check (TIFF *tiff, guint64 memory, GError **error)
{
  guint64 strip = TIFFIsTiled (tiff) ? TIFFTileSize64 (tiff) : TIFFStripSize64 (tiff);
  g_autofree char *colour = name (" 0=white-is-0 1=gray 2=RGB 3=palette 5=CMYK 6=YCbCr 8=CIELab "
                                  "9=ICCLab 10=ITULab 32844=LogL 32845=LogLuv ",
                                  get (tiff, TIFFTAG_PHOTOMETRIC));
  g_autofree char *packing = name (" 1=none 2=CCITT 3=CCITT 4=CCITT 5=LZW 7=JPEG 8=deflate "
                                   "32773=PackBits 32946=deflate 50000=zstd ",
                                   get (tiff, TIFFTAG_COMPRESSION));
  g_autofree char *sample = name_sample (tiff);
  gboolean inks = get (tiff, TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_SEPARATED &&
                  get (tiff, TIFFTAG_INKSET) != INKSET_CMYK;
  const char *const words[] = { inks ? "inks" : colour, sample, name_alpha (tiff), packing,
                                name_layout (tiff) };

  if (strip > memory)
    return image_set_no_memory (error);
  return header_check ("Tiff", words, error);
}

gboolean
tiff_check (const char *path, guint64 memory, int *pages, GError **error)
{
  TIFF *tiff = TIFFOpen (path, "rm");
  gboolean good;

  *pages = 0;
  if (! tiff)
    return TRUE; /* libvips says why */
  good = ! is_raw (tiff, path);
  if (! good)
    g_set_error_literal (error, IMAGE_ERROR, IMAGE_ERROR_KIND,
                         "it is a raw photo; develop it first, with GIMP for example");
  TIFFSetDirectory (tiff, 0);
  good = good && check (tiff, memory, error);
  do
    *pages += is_page (tiff);
  while (good && *pages < 2 && TIFFReadDirectory (tiff));
  TIFFClose (tiff);
  return good;
}
