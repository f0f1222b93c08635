#include "tiff-kind.h"

#include "file-size.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <tiffio.h>

#define STRIP_ROWS 128          /* GIMP's tiles */
#define LAYER      "Background" /* as GIMP's loaders call it */
#define FILE_MAX   0xf0000000u  /* bytes of pixels, where offsets have 32 bits */

/* Of one call. libtiff hands it to what it calls. */
typedef struct {
  FILE *file;
  char warning[256], failure[256]; /* what libtiff said first */
} Codec;

/* What libtiff says. Fields that are private are no matter; one beyond the end of the file tells
 * that its end is missing. */

static void
keep_failure (thandle_t handle, const char *module, const char *format, va_list args)
{
  Codec *codec = handle;

  if (codec && ! *codec->failure)
    g_vsnprintf (codec->failure, sizeof codec->failure, format, args);
}

static void
keep_warning (thandle_t handle, const char *module, const char *format, va_list args)
{
  Codec *codec = handle;

  if (g_str_has_prefix (format, "IO error"))
    keep_failure (handle, module, format, args);
  else if (codec && ! *codec->warning && ! g_str_has_prefix (format, "Unknown field with tag"))
    g_vsnprintf (codec->warning, sizeof codec->warning, format, args);
}

void
tiff_kind_init (void)
{
  TIFFSetErrorHandler (NULL);
  TIFFSetWarningHandler (NULL);
  TIFFSetErrorHandlerExt (keep_failure);
  TIFFSetWarningHandlerExt (keep_warning);
}

static const char *
get_words (const Codec *codec)
{
  return *codec->failure ? codec->failure : *codec->warning ? codec->warning : "It cannot be done";
}

static gboolean
tell (const Codec *codec, const Picture *picture, GError **error)
{
  return picture_fail_to_read (picture, "libtiff", get_words (codec), error);
}

/* Files. */

static tmsize_t
read_bytes (thandle_t handle, void *to, tmsize_t size)
{
  return (tmsize_t) fread (to, 1, (size_t) size, ((Codec *) handle)->file);
}

static tmsize_t
write_bytes (thandle_t handle, void *from, tmsize_t size)
{
  return (tmsize_t) fwrite (from, 1, (size_t) size, ((Codec *) handle)->file);
}

static toff_t
seek (thandle_t handle, toff_t offset, int whence)
{
  FILE *file = ((Codec *) handle)->file;

  return fseeko (file, (off_t) offset, whence) == 0 ? (toff_t) ftello (file) : (toff_t) -1;
}

static toff_t
get_size (thandle_t handle)
{
  return file_get_size (((Codec *) handle)->file);
}

/* The file is its owner's to close. */
static int
leave_open (thandle_t handle)
{
  return 0;
}

static TIFF *
open_tiff (Codec *codec, const char *mode)
{
  return TIFFClientOpen ("file", mode, codec, read_bytes, write_bytes, seek, leave_open, get_size,
                         NULL, NULL);
}

/* Reading. */

static guint
get_short (TIFF *tiff, guint32 tag, guint missing)
{
  guint16 value;

  return TIFFGetField (tiff, tag, &value) ? value : missing;
}

static gboolean
is_plain_compression (guint compression)
{
  return compression == COMPRESSION_NONE || compression == COMPRESSION_LZW ||
         compression == COMPRESSION_PACKBITS || compression == COMPRESSION_DEFLATE ||
         compression == COMPRESSION_ADOBE_DEFLATE;
}

/* A small copy of a page, as GIMP writes one, is none itself. Leaves the first as the current one.
 */
static int
count_pages (TIFF *tiff)
{
  int pages = 0;

  do
    {
      guint32 type = 0;

      TIFFGetField (tiff, TIFFTAG_SUBFILETYPE, &type);
      pages += ! (type & FILETYPE_REDUCEDIMAGE);
    }
  while (TIFFReadDirectory (tiff));
  TIFFSetDirectory (tiff, 0);
  return pages;
}

static gboolean
check_layout (Picture *picture, TIFF *tiff, GError **error)
{
  guint32 page = 0;

  TIFFGetField (tiff, TIFFTAG_SUBFILETYPE, &page);
  if (TIFFNumberOfDirectories (tiff) != 1)
    picture->frames = count_pages (tiff);
  if (page != 0 || picture->frames > 0)
    return picture_decline (error, "It has pages");
  if (TIFFIsTiled (tiff) ||
      get_short (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) != PLANARCONFIG_CONTIG)
    return picture_decline (error, "It has tiles or planes");
  if (! is_plain_compression (get_short (tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE)))
    return picture_decline (error, "Its compression is not known");
  if (get_short (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT) != ORIENTATION_TOPLEFT)
    return picture_decline (error, "It does not stand upright");
  return TRUE;
}

/* GIMP makes paths of some of Photoshop's resources, and keeps what maps have. */
static gboolean
check_extras (TIFF *tiff, GError **error)
{
  static const guint32 tags[] = { 33550, 33922, 34264, 34735, 34736, 34737 }; /* GeoTIFF's */
  float x = 0.0f, y = 0.0f;
  guint32 length;
  gpointer data;
  guint i;

  TIFFGetField (tiff, TIFFTAG_XPOSITION, &x);
  TIFFGetField (tiff, TIFFTAG_YPOSITION, &y);
  if (x != 0.0f || y != 0.0f)
    return picture_decline (error, "It lies beside its canvas");
  if (TIFFGetField (tiff, TIFFTAG_PHOTOSHOP, &length, &data))
    return picture_decline (error, "It has resources of Photoshop's");
  for (i = 0; i < G_N_ELEMENTS (tags); i++)
    if (TIFFFindField (tiff, tags[i], TIFF_ANY) && TIFFGetField (tiff, tags[i], &length, &data))
      return picture_decline (error, "It is a map");
  return TRUE;
}

static gboolean
find_sample (guint bits, guint kind, FxSample *sample)
{
  static const struct {
    guint bits, kind;
    FxSample sample;
  } known[] = {
    { 8, SAMPLEFORMAT_UINT, FX_SAMPLE_U8 },       { 16, SAMPLEFORMAT_UINT, FX_SAMPLE_U16 },
    { 32, SAMPLEFORMAT_UINT, FX_SAMPLE_U32 },     { 16, SAMPLEFORMAT_IEEEFP, FX_SAMPLE_HALF },
    { 32, SAMPLEFORMAT_IEEEFP, FX_SAMPLE_FLOAT }, { 64, SAMPLEFORMAT_IEEEFP, FX_SAMPLE_DOUBLE },
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (known); i++)
    if (known[i].bits == bits && known[i].kind == kind)
      {
        *sample = known[i].sample;
        return TRUE;
      }
  return FALSE;
}

/* Straight alpha alone: GIMP's way from the other kind is babl's. */
static gboolean
find_channels (TIFF *tiff, int *channels)
{
  guint photometric = get_short (tiff, TIFFTAG_PHOTOMETRIC, G_MAXUINT);
  guint samples = get_short (tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
  guint colours = photometric == PHOTOMETRIC_RGB          ? 3
                  : photometric == PHOTOMETRIC_MINISBLACK ? 1
                                                          : 0;
  guint16 n = 0, *extra;

  if (! TIFFGetField (tiff, TIFFTAG_EXTRASAMPLES, &n, &extra))
    n = 0;
  *channels = (int) samples;
  return colours > 0 && n <= 1 && samples == colours + n &&
         (n == 0 || extra[0] == EXTRASAMPLE_UNASSALPHA);
}

static gboolean
take_size (Picture *picture, TIFF *tiff, GError **error)
{
  guint32 width = 0, height = 0;

  TIFFGetField (tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField (tiff, TIFFTAG_IMAGELENGTH, &height);
  picture->width = (int) MIN (width, G_MAXINT);
  picture->height = (int) MIN (height, G_MAXINT);
  return (width > 0 && height > 0) || picture_decline (error, "It is empty");
}

static gboolean
take_format (Picture *picture, TIFF *tiff, GError **error)
{
  guint bits = get_short (tiff, TIFFTAG_BITSPERSAMPLE, 1);
  guint kind = get_short (tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);

  picture->format.gamma = TRUE;
  if (! find_sample (bits, kind, &picture->format.sample))
    return picture_decline (error, "It has samples of %u bits that are not known", bits);
  if (! find_channels (tiff, &picture->format.channels))
    return picture_decline (error, "It is neither RGB nor grey, or its alpha is another");
  return TRUE;
}

/* As floats, as GIMP has them. */
static gboolean
take_resolution (Picture *picture, TIFF *tiff, GError **error)
{
  guint unit = get_short (tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  float x, y;

  if (! TIFFGetField (tiff, TIFFTAG_XRESOLUTION, &x))
    return TRUE;
  if (! TIFFGetField (tiff, TIFFTAG_YRESOLUTION, &y) || unit > RESUNIT_CENTIMETER)
    return picture_decline (error, "Its resolution is not whole");
  if (unit == RESUNIT_CENTIMETER)
    {
      x *= 2.54;
      y *= 2.54;
    }
  if (unit == RESUNIT_NONE)
    return TRUE;
  if (! (fminf (x, y) >= GIMP_MIN_RESOLUTION && fmaxf (x, y) <= GIMP_MAX_RESOLUTION))
    return picture_decline (error, "Its resolution is out of range");
  picture_set_resolution (picture, x, y);
  picture->metric = unit == RESUNIT_CENTIMETER;
  picture->has_resolution = TRUE;
  return TRUE;
}

static void
take_texts (Picture *picture, TIFF *tiff)
{
  guint32 length;
  gpointer icc;
  char *text;

  if (TIFFGetField (tiff, TIFFTAG_ICCPROFILE, &length, &icc))
    picture->icc = g_bytes_new (icc, length);
  if (TIFFGetField (tiff, TIFFTAG_IMAGEDESCRIPTION, &text) && g_utf8_validate (text, -1, NULL))
    picture->comment = g_strdup (text);
  if (TIFFGetField (tiff, TIFFTAG_PAGENAME, &text) && *text && g_utf8_validate (text, -1, NULL))
    picture->layer = g_strdup (text);
}

static gboolean
read_rows (const Codec *codec, Picture *picture, TIFF *tiff, GError **error)
{
  gsize stride = picture_get_stride (picture);
  int y;

  if (TIFFScanlineSize (tiff) != (tmsize_t) stride)
    return picture_decline (error, "Its rows are of another size");
  for (y = 0; y < picture->height; y++)
    if (TIFFReadScanline (tiff, picture->pixels + y * stride, (guint32) y, 0) < 0)
      return tell (codec, picture, error);
  return TRUE;
}

static gboolean
take_all (const Codec *codec, Picture *picture, TIFF *tiff, GError **error)
{
  if (! take_size (picture, tiff, error) || ! check_layout (picture, tiff, error) ||
      ! check_extras (tiff, error) || ! take_format (picture, tiff, error) ||
      ! take_resolution (picture, tiff, error))
    return FALSE;
  take_texts (picture, tiff);
  return picture_allocate (picture, error) && read_rows (codec, picture, tiff, error);
}

static gboolean
read_tiff (Picture *picture, FILE *file, GError **error)
{
  Codec codec = { .file = file };
  TIFF *tiff = open_tiff (&codec, "rm"); /* m: not mapped */
  gboolean done;

  if (! tiff)
    return tell (&codec, picture, error);
  done = take_all (&codec, picture, tiff, error);
  TIFFClose (tiff);
  if (done && *codec.failure)
    return tell (&codec, picture, error);
  if (done && *codec.warning)
    return picture_decline (error, "libtiff: %s", codec.warning);
  return done;
}

/* Writing. */

static gboolean
tell_written (const Codec *codec, GError **error)
{
  return picture_refuse (error, "it cannot be written: libtiff: %s", get_words (codec));
}

static void
set_format (const Picture *picture, TIFF *tiff)
{
  const FxFormat *format = &picture->format;
  gboolean grey = format->channels < 3;
  guint16 extra[] = { EXTRASAMPLE_UNASSALPHA };

  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, picture->width);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, picture->height);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, (int) fx_sample_size (format->sample) * 8);
  TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT,
                format->sample >= FX_SAMPLE_HALF ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT);
  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  if (fx_format_has_alpha (format))
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, extra);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, grey ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, format->channels);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, STRIP_ROWS);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
}

static void
set_texts (const Picture *picture, TIFF *tiff)
{
  double unit = picture->metric ? 2.54 : 1.0;
  gsize length;
  gconstpointer icc = g_bytes_get_data (picture->icc, &length);

  TIFFSetField (tiff, TIFFTAG_PAGENAME, picture->layer ? picture->layer : LAYER);
  if (picture->comment && *picture->comment && g_str_is_ascii (picture->comment))
    TIFFSetField (tiff, TIFFTAG_IMAGEDESCRIPTION, picture->comment);
  TIFFSetField (tiff, TIFFTAG_ICCPROFILE, (guint32) length, icc);
  TIFFSetField (tiff, TIFFTAG_XRESOLUTION, picture->xres / unit);
  TIFFSetField (tiff, TIFFTAG_YRESOLUTION, picture->yres / unit);
  TIFFSetField (tiff, TIFFTAG_RESOLUTIONUNIT, picture->metric ? RESUNIT_CENTIMETER : RESUNIT_INCH);
}

/* libtiff may change the rows that it is given. */
static gboolean
write_rows (const Picture *picture, TIFF *tiff)
{
  gsize stride = picture_get_stride (picture);
  g_autofree guint8 *row = g_malloc (stride);
  int y;

  for (y = 0; y < picture->height; y++)
    {
      memcpy (row, picture->pixels + y * stride, stride);
      if (TIFFWriteScanline (tiff, row, (guint32) y, 0) < 0)
        return FALSE;
    }
  return TIFFWriteDirectory (tiff) == 1;
}

static gboolean
write_tiff (const Picture *picture, FILE *file, GError **error)
{
  Codec codec = { .file = file };
  TIFF *tiff;
  gboolean done;

  if (picture_get_size (picture) > FILE_MAX)
    return picture_refuse (error, "it is too large for a TIFF");
  tiff = open_tiff (&codec, "w");
  if (! tiff)
    return tell_written (&codec, error);
  set_format (picture, tiff);
  set_texts (picture, tiff);
  done = write_rows (picture, tiff);
  TIFFClose (tiff);
  return (done && ! *codec.failure && ! *codec.warning) || tell_written (&codec, error);
}

/* Exiv2 puts the pixels last. */
static gboolean
has_strips (TIFF *tiff, toff_t size)
{
  guint32 n = TIFFNumberOfStrips (tiff), i;
  gboolean within = n > 0;

  for (i = 0; within && i < n; i++)
    within = TIFFGetStrileOffset (tiff, i) + TIFFGetStrileByteCount (tiff, i) <= size;
  return within;
}

static gboolean
is_whole (FILE *file)
{
  Codec codec = { .file = file };
  TIFF *tiff = open_tiff (&codec, "rm");
  gboolean whole = tiff && ! *codec.failure && ! *codec.warning &&
                   has_strips (tiff, get_size (&codec));

  if (tiff)
    TIFFClose (tiff);
  return whole;
}

const Kind tiff_kind = {
  .extensions = " tif tiff ",
  .mime_type = "image/tiff",
  .has_alpha = TRUE,
  .deepest = FX_SAMPLE_DOUBLE,
  .read = read_tiff,
  .write = write_tiff,
  .is_whole = is_whole,
};
