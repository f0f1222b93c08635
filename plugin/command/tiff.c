#include "tiff.h"

#include "image-file.h"

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

/* libvips holds a strip or a tile, and GLib ends the process if it cannot. */
static gboolean
check (TIFF *tiff, const char *path, guint64 memory, GError **error)
{
  guint64 strip = TIFFIsTiled (tiff) ? TIFFTileSize64 (tiff) : TIFFStripSize64 (tiff);
  guint16 samples = get (tiff, TIFFTAG_SAMPLESPERPIXEL);
  gboolean planes = get (tiff, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && samples > 1;
  const char *problem = NULL;

  if (strip > memory)
    return image_set_no_memory (error);
  if (planes && (TIFFIsTiled (tiff) || samples == 2))
    problem = "libvips does not load such separate planes; save it in GIMP first";
  else if (is_raw (tiff, path))
    problem = "it is a raw photo; develop it first, with GIMP for example";
  if (problem)
    g_set_error_literal (error, IMAGE_ERROR, IMAGE_ERROR_KIND, problem);
  return ! problem;
}

gboolean
tiff_look (const char *path, guint64 memory, TiffLook *look, GError **error)
{
  TIFF *tiff = TIFFOpen (path, "rm");
  gboolean good;

  *look = (TiffLook) { .plain = TRUE };
  if (! tiff)
    return TRUE; /* libvips says why */
  do
    {
      look->pages += is_page (tiff);
      look->plain &= is_page (tiff) && get (tiff, TIFFTAG_ORIENTATION) <= ORIENTATION_TOPLEFT;
    }
  while (TIFFReadDirectory (tiff));
  good = ! TIFFSetDirectory (tiff, 0) || check (tiff, path, memory, error);
  TIFFClose (tiff);
  return good;
}
