#include "tiff.h"

#include "header.h"
#include "image-error.h"

#include <string.h>
#include <tiffio.h>

#define LINEAR_RAW 34892                          /* a photometric interpretation of DNG */
#define STRIP      128                            /* rows */
#define BIG_TIFF   (G_GUINT64_CONSTANT (3) << 30) /* bytes of samples: a plain file ends at 4 GB */

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

/* Returns how many bytes a page takes without compression, as this program writes it. Bytes are the
 * smallest samples. */
static double
get_bytes (TIFF *tiff)
{
  gboolean palette = get (tiff, TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_PALETTE;
  guint32 width = 0, height = 0;

  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  return (double) width * height * (palette ? 3 : get (tiff, TIFFTAG_SAMPLESPERPIXEL)) *
         MAX (get (tiff, TIFFTAG_BITSPERSAMPLE) / 8, 1);
}

gboolean
tiff_look (const char *path, guint64 memory, gboolean all, GArray **pages, double *bytes,
           GError **error)
{
  TIFF *tiff = TIFFOpen (path, "rm");
  gboolean good = TRUE;
  int number = 0;

  *pages = g_array_new (FALSE, FALSE, sizeof number);
  if (! tiff)
    return TRUE; /* libvips says why */
  if (is_raw (tiff, path))
    {
      g_set_error_literal (error, IMAGE_ERROR, IMAGE_ERROR_KIND,
                           "it is a raw photo; develop it first, with GIMP for example");
      good = FALSE;
    }
  TIFFSetDirectory (tiff, 0);
  do
    if (is_page (tiff))
      {
        good = good && ((! all && number > 0) || check (tiff, memory, error));
        g_array_append_val (*pages, number);
        *bytes += get_bytes (tiff);
      }
  while (number++ < G_MAXINT16 && good && TIFFReadDirectory (tiff));
  TIFFClose (tiff);
  if (! good)
    g_clear_pointer (pages, g_array_unref);
  return good;
}

/* Writing. */

typedef struct {
  TIFF *tiff;
  VipsImage *image;
} Writer;

static void
set_blob (const Writer *writer, guint32 tag, const char *name)
{
  const void *data;
  size_t size;

  if (vips_image_get_typeof (writer->image, name) &&
      vips_image_get_blob (writer->image, name, &data, &size) == 0)
    TIFFSetField (writer->tiff, tag, (guint32) size, data);
}

static gboolean
has_inches (VipsImage *image)
{
  const char *unit;

  return vips_image_get_typeof (image, VIPS_META_RESOLUTION_UNIT) &&
         vips_image_get_string (image, VIPS_META_RESOLUTION_UNIT, &unit) == 0 &&
         strcmp (unit, "in") == 0;
}

static void
begin_page (const Writer *writer)
{
  VipsImage *image = writer->image;
  VipsBandFormat format = vips_image_get_format (image);
  int bands = vips_image_get_bands (image);
  gboolean gray = bands <= 2, inches = has_inches (image);
  guint16 alpha = EXTRASAMPLE_UNASSALPHA;
  TIFF *tiff = writer->tiff;

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, image->Xsize);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, vips_image_get_page_height (image));
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8 * (int) vips_format_sizeof (format));
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, bands);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT,
                vips_band_format_isfloat (format) ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, gray ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, STRIP);
  TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, inches ? RESUNIT_INCH : RESUNIT_CENTIMETER);
  TIFFSetField (tiff, TIFFTAG_XRESOLUTION, image->Xres * (inches ? 25.4 : 10.0));
  TIFFSetField (tiff, TIFFTAG_YRESOLUTION, image->Yres * (inches ? 25.4 : 10.0));
  if (bands % 2 == 0)
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &alpha);
  set_blob (writer, TIFFTAG_ICCPROFILE, VIPS_META_ICC_NAME);
}

/* libvips calls this for all rows, from top to bottom. */
static int
write_rows (VipsRegion *region, VipsRect *area, void *data)
{
  const Writer *writer = data;
  int rows = vips_image_get_page_height (writer->image);

  for (int y = area->top; y < VIPS_RECT_BOTTOM (area); y++)
    {
      if (y % rows == 0)
        begin_page (writer);
      if (y == 0) /* the first frame alone has the metadata */
        set_blob (writer, TIFFTAG_XMLPACKET, VIPS_META_XMP_NAME);
      if (TIFFWriteScanline (writer->tiff, VIPS_REGION_ADDR (region, 0, y), (guint32) (y % rows),
                             0) < 0 ||
          (y % rows == rows - 1 && ! TIFFWriteDirectory (writer->tiff)))
        return -1;
    }
  return 0;
}

gboolean
tiff_write (VipsImage *image, const char *path, gboolean append, double bytes)
{
  gboolean big = MAX ((double) VIPS_IMAGE_SIZEOF_IMAGE (image), bytes) > BIG_TIFF;
  Writer writer = { TIFFOpen (path, append ? "a" : big ? "w8" : "w"), image };
  gboolean done = writer.tiff && vips_sink_disc (image, write_rows, &writer) == 0;

  if (writer.tiff)
    TIFFClose (writer.tiff);
  return done;
}
