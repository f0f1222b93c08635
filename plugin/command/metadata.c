#include "metadata.h"

#include "image-error.h"
#include "png.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

static GMutex lock; /* of Exiv2 */

void
metadata_init (void)
{
  gexiv2_initialize ();
  gexiv2_log_set_level (GEXIV2_LOG_LEVEL_MUTE);
}

/* The metadata that the result keeps: it describes the picture. The rest, such as other pictures
 * and what would be wrong for the result, is left out. NULL: all names that Exiv2 knows. */
static const struct {
  const char *group, *names; /* each name between spaces */
} kept[] = {
  { "Exif.Image",
    " Artist Copyright DateTime HostComputer ImageDescription Make Model Orientation Rating"
    " RatingPercent Software XPAuthor XPComment XPKeywords XPSubject XPTitle " },
  { "Exif.Photo",
    " Acceleration ApertureValue BodySerialNumber BrightnessValue CameraElevationAngle"
    " CameraOwnerName ColorSpace CompositeImage Contrast CustomRendered DateTimeDigitized"
    " DateTimeOriginal DigitalZoomRatio ExifVersion ExposureBiasValue ExposureIndex ExposureMode"
    " ExposureProgram ExposureTime FNumber FileSource Flash FlashEnergy FlashpixVersion"
    " FocalLength FocalLengthIn35mmFilm FocalPlaneResolutionUnit FocalPlaneXResolution"
    " FocalPlaneYResolution GainControl Gamma Humidity ISOSpeed ISOSpeedLatitudeyyy"
    " ISOSpeedLatitudezzz ISOSpeedRatings ImageUniqueID LensMake LensModel LensSerialNumber"
    " LensSpecification LightSource MaxApertureValue MeteringMode OffsetTime OffsetTimeDigitized"
    " OffsetTimeOriginal PixelXDimension PixelYDimension Pressure RecommendedExposureIndex"
    " Saturation SceneCaptureType SceneType SensingMethod SensitivityType Sharpness"
    " ShutterSpeedValue SpectralSensitivity StandardOutputSensitivity SubSecTime"
    " SubSecTimeDigitized SubSecTimeOriginal SubjectDistance SubjectDistanceRange Temperature"
    " UserComment WaterDepth WhiteBalance " },
  { "Exif.GPSInfo", NULL },
  { "Iptc.Envelope", " CharacterSet ModelVersion " },
  { "Iptc.Application2",
    " Byline BylineTitle Caption Category City Contact Copyright CountryCode CountryName Credit"
    " DateCreated DigitizationDate DigitizationTime EditStatus ExpirationDate ExpirationTime"
    " FixtureId Headline Keywords Language LocationCode LocationName ObjectName ProgramVersion"
    " ProvinceState RecordVersion ReleaseDate ReleaseTime Source SpecialInstructions Subject"
    " SubLocation SuppCategory TimeCreated TransmissionReference Urgency Writer " },
  { "Xmp.dc",
    " contributor coverage creator date description identifier language publisher relation rights"
    " source subject title type " },
  { "Xmp.xmp",
    " BaseURL CreateDate CreatorTool Identifier Label MetadataDate ModifyDate Nickname Rating " },
  { "Xmp.xmpRights", " Certificate Marked Owner UsageTerms WebStatement " },
  { "Xmp.photoshop",
    " AuthorsPosition CaptionWriter Category City Country Credit DateCreated Headline"
    " Instructions Source State SupplementalCategories TransmissionReference Urgency " },
  { "Xmp.iptc", " CountryCode CreatorContactInfo IntellectualGenre Location Scene SubjectCode " },
  { "Xmp.iptcExt",
    " AddlModelInfo ArtworkOrObject DigImageGUID DigitalSourceType Event LocationCreated"
    " LocationShown ModelAge OrganisationInImageCode OrganisationInImageName PersonInImage " },
  { "Xmp.tiff", " Orientation " },
};

/* Opens a file whose metadata Exiv2 reads and writes: others have them for libvips only. */
static GExiv2Metadata *
open_file (const char *path)
{
  static const char *const types[] = { "image/jpeg", "image/png", "image/tiff", "image/webp",
                                       NULL };
  GExiv2Metadata *metadata = gexiv2_metadata_new ();

  if (! gexiv2_metadata_open_path (metadata, path, NULL) ||
      ! g_strv_contains (types, gexiv2_metadata_get_mime_type (metadata)))
    g_clear_object (&metadata);
  return metadata;
}

int
metadata_get_orientation (const char *path)
{
  static const char *const tags[] = { "Exif.Image.Orientation", "Xmp.tiff.Orientation" };
  g_autoptr (GExiv2Metadata) metadata = NULL;
  int orientation = 0;

  g_mutex_lock (&lock);
  metadata = open_file (path);
  for (guint i = 0; metadata && orientation == 0 && i < G_N_ELEMENTS (tags); i++)
    {
      g_autofree char *value = gexiv2_metadata_try_get_tag_string (metadata, tags[i], NULL);

      orientation = value ? (int) strtol (value, NULL, 10) : 0;
    }
  g_mutex_unlock (&lock);
  return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

/* EXIF names a colour space by a number that some cameras write, or as DCF has it. */
gboolean
metadata_is_adobe_rgb (const char *path)
{
  g_autoptr (GExiv2Metadata) metadata = NULL;
  g_autofree char *space = NULL, *index = NULL;

  g_mutex_lock (&lock);
  metadata = open_file (path);
  if (metadata)
    {
      space = gexiv2_metadata_try_get_tag_string (metadata, "Exif.Photo.ColorSpace", NULL);
      index = gexiv2_metadata_try_get_tag_string (metadata, "Exif.Iop.InteroperabilityIndex", NULL);
    }
  g_mutex_unlock (&lock);
  return g_strcmp0 (space, "2") == 0 ||
         (g_strcmp0 (space, "1") != 0 && index && g_str_has_prefix (index, "R03"));
}

/* Only the IPTC's own properties in XMP have parts, which are its own, too. */
static gboolean
is_kept (const char *tag)
{
  const char *name = strchr (strchr (tag, '.') + 1, '.') + 1, *part = strchr (name, '/');
  g_autofree char *group = g_strndup (tag, (gsize) (name - 1 - tag));
  g_autofree char *word = g_strdup_printf (" %.*s ", (int) strcspn (name, "[/"), name);
  guint i = 0;

  while (i < G_N_ELEMENTS (kept) && strcmp (kept[i].group, group) != 0)
    i++;
  return i < G_N_ELEMENTS (kept) && (! part || g_str_has_prefix (part, "/Iptc4xmp")) &&
         (kept[i].names ? strstr (kept[i].names, word) != NULL : ! g_str_has_prefix (name, "0x"));
}

/* Removes a tag, and the structures of XMP that it is in. These have no value, and Exiv2 removes
 * only what has one. */
static void
remove_tag (GExiv2Metadata *metadata, const char *tag)
{
  for (gsize i = 0; tag[i]; i++)
    if (tag[i] == '[' || tag[i] == '/')
      {
        g_autofree char *structure = g_strndup (tag, i);

        gexiv2_metadata_try_set_tag_string (metadata, structure, "-", NULL);
        gexiv2_metadata_try_clear_tag (metadata, structure, NULL);
      }
  gexiv2_metadata_try_clear_tag (metadata, tag, NULL);
}

static void
keep (GExiv2Metadata *metadata, char **tags)
{
  for (guint i = 0; tags && tags[i]; i++)
    if (! is_kept (tags[i]))
      remove_tag (metadata, tags[i]);
  g_strfreev (tags);
}

/* Sets a tag if it exists already. */
static void
correct (GExiv2Metadata *metadata, const char *tag, int value)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  if (gexiv2_metadata_try_has_tag (metadata, tag, NULL))
    gexiv2_metadata_try_set_tag_string (metadata, tag, text, NULL);
}

/* XMP that begins with <?xpacket in a HEIF file is something unknown to libvips. */
static void *
copy_field (VipsImage *from, const char *name, GValue *value, void *to)
{
  if (strcmp (name, VIPS_META_EXIF_NAME) == 0)
    vips_image_set (to, name, value);
  else if (strcmp (name, VIPS_META_XMP_NAME) == 0 || g_str_has_prefix (name, "heif-mime-"))
    vips_image_set (to, VIPS_META_XMP_NAME, value);
  return NULL;
}

/* Reads libvips' fields by way of a WebP file of one pixel, to which libvips adds EXIF if there is
 * none. */
static GExiv2Metadata *
read_fields (VipsImage *image)
{
  gboolean has_exif = vips_image_get_typeof (image, VIPS_META_EXIF_NAME) != 0;
  GExiv2Metadata *metadata = NULL;
  VipsImage *pixel = NULL;
  void *bytes = NULL;
  size_t size = 0;

  vips_black (&pixel, 1, 1, NULL);
  vips_image_map (image, copy_field, pixel);
  if ((has_exif || vips_image_get_typeof (pixel, VIPS_META_XMP_NAME)) &&
      vips_webpsave_buffer (pixel, &bytes, &size, NULL) == 0)
    metadata = gexiv2_metadata_new ();
  if (metadata && ! gexiv2_metadata_open_buf (metadata, bytes, (glong) size, NULL))
    g_clear_object (&metadata);
  if (metadata && ! has_exif)
    gexiv2_metadata_clear_exif (metadata);
  g_object_unref (pixel);
  g_free (bytes);
  return metadata;
}

GExiv2Metadata *
metadata_read (const char *path, VipsImage *image)
{
  GExiv2Metadata *metadata;

  g_mutex_lock (&lock);
  metadata = open_file (path);
  if (! metadata)
    metadata = read_fields (image);
  if (metadata)
    {
      keep (metadata, gexiv2_metadata_get_exif_tags (metadata));
      keep (metadata, gexiv2_metadata_get_iptc_tags (metadata));
      keep (metadata, gexiv2_metadata_get_xmp_tags (metadata));
      correct (metadata, "Exif.Image.Orientation", GEXIV2_ORIENTATION_NORMAL);
      correct (metadata, "Xmp.tiff.Orientation", GEXIV2_ORIENTATION_NORMAL);
      correct (metadata, "Exif.Photo.PixelXDimension", image->Xsize);
      correct (metadata, "Exif.Photo.PixelYDimension", image->Ysize);
    }
  g_mutex_unlock (&lock);
  return metadata;
}

/* Exiv2 does not notice a full disk. The end of the file is then missing, so it is checked here. */

typedef struct {
  guint8 bytes[12];
} Tail;

static gboolean
read_at (const char *path, long offset, int whence, gpointer bytes, gsize n)
{
  FILE *file = g_fopen (path, "rb");
  gboolean done = file && fseek (file, offset, whence) == 0 && fread (bytes, n, 1, file) == 1;

  if (file)
    fclose (file);
  return done;
}

static gboolean
read_tail (const char *path, Tail *tail)
{
  return read_at (path, -(long) sizeof tail->bytes, SEEK_END, tail->bytes, sizeof tail->bytes);
}

static gboolean
has_strips (const char *path, guint64 size)
{
  TIFF *tiff = TIFFOpen (path, "rm");
  gboolean whole = tiff != NULL;
  guint32 i, n = tiff ? TIFFNumberOfStrips (tiff) : 0;

  for (i = 0; i < n && whole; i++)
    whole = TIFFGetStrileOffset (tiff, i) + TIFFGetStrileByteCount (tiff, i) <= size;
  if (tiff)
    TIFFClose (tiff);
  return whole;
}

static gboolean
is_whole (const char *path, const Tail *before)
{
  GStatBuf status;
  guint32 head[2];
  Tail after;

  if (g_stat (path, &status) != 0 || ! read_at (path, 0, SEEK_SET, head, sizeof head))
    return FALSE;
  if (memcmp (head, "RIFF", 4) == 0)
    return GUINT32_FROM_LE (head[1]) + (gint64) sizeof head == status.st_size;
  if (memcmp (head, "II", 2) == 0 || memcmp (head, "MM", 2) == 0)
    return has_strips (path, (guint64) status.st_size);
  return read_tail (path, &after) && memcmp (before, &after, sizeof after) == 0;
}

/* The texts of PNG files. libvips forgets their encoding and cuts their keywords, so they are
 * copied as they are. */

#define SHORT 1024     /* bytes: no picture fits into such a text */
#define MOST  PNG_MOST /* of all texts */

/* Long texts of other kinds may be the drawing that the picture was made from. */
static gboolean
is_kept_text (const PngWalk *walk)
{
  static const char types[] = "|tEXt|zTXt|iTXt|";
  static const char kinds[] = "|Author|Collection|Comment|Copyright|Creation Time|Description"
                              "|Disclaimer|Software|Source|Title|Warning|parameters|prompt"
                              "|workflow|";
  g_autofree char *type = g_strdup_printf ("|%s|", walk->type);
  g_autofree char *kind = g_strdup_printf ("|%.*s|", walk->chunk ? (int) walk->size : 0,
                                           walk->chunk ? (const char *) walk->body : "");

  return walk->chunk && strstr (types, type) && ! g_str_has_prefix (kind, "|Raw profile type ") &&
         strcmp (kind, "|XML:com.adobe.xmp|") != 0 && (walk->size <= SHORT || strstr (kinds, kind));
}

/* Returns the chunks of the texts, or NULL if the file is no PNG file. */
static GByteArray *
read_texts (const char *path)
{
  g_auto (PngWalk) walk;
  GByteArray *texts;

  png_walk_init (&walk, path);
  if (! walk.file)
    return NULL;
  texts = g_byte_array_new ();
  while (png_walk_next (&walk))
    if (is_kept_text (&walk) && texts->len + PNG_CHUNK + walk.size <= MOST)
      g_byte_array_append (texts, walk.chunk, PNG_CHUNK + walk.size);
  return texts;
}

static void
insert_texts (const char *path, const GByteArray *texts)
{
  g_autofree char *bytes = NULL;
  gsize size = 0;
  FILE *file = g_file_get_contents (path, &bytes, &size, NULL) ? g_fopen (path, "wb") : NULL;

  if (! file)
    return;
  fwrite (bytes, PNG_HEAD, 1, file);
  fwrite (texts->data, texts->len, 1, file);
  fwrite (bytes + PNG_HEAD, size - PNG_HEAD, 1, file);
  fclose (file);
}

/* Writing. */

/* EXIF's resolution is what libvips has saved there, if it has. */
static void
keep_resolution (GExiv2Metadata *metadata, const char *path)
{
  static const char *const tags[] = { "Exif.Image.XResolution", "Exif.Image.YResolution",
                                      "Exif.Image.ResolutionUnit" };
  g_autoptr (GExiv2Metadata) present = open_file (path);

  for (guint i = 0; present && i < G_N_ELEMENTS (tags); i++)
    {
      g_autofree char *value = gexiv2_metadata_try_get_tag_string (present, tags[i], NULL);

      if (value)
        gexiv2_metadata_try_set_tag_string (metadata, tags[i], value, NULL);
    }
}

/* Saves them without XMP if that is what cannot be saved: JPEG has room for 64 KB. Returns NULL or
 * what was left out, and why. */
static char *
save_file (GExiv2Metadata *metadata, const char *path)
{
  g_autoptr (GError) error = NULL;

  if (gexiv2_metadata_save_file (metadata, path, &error))
    return NULL;
  gexiv2_metadata_clear_xmp (metadata);
  return g_strdup_printf ("its %s left out: %s",
                          gexiv2_metadata_save_file (metadata, path, NULL) ? "XMP is"
                                                                           : "metadata are",
                          error->message);
}

gboolean
metadata_write (GExiv2Metadata *metadata, const char *source, const char *path, char **left_out,
                GError **error)
{
  g_autoptr (GByteArray) texts = NULL;
  Tail before = { { 0 } };

  if (read_tail (path, &before) && memcmp (before.bytes + 4, "IEND", 4) == 0)
    texts = read_texts (source);
  g_mutex_lock (&lock);
  keep_resolution (metadata, path);
  if (texts)
    gexiv2_metadata_clear_comment (metadata); /* it is one of the texts */
  *left_out = save_file (metadata, path);
  g_mutex_unlock (&lock);
  if (texts && texts->len > 0 && is_whole (path, &before))
    insert_texts (path, texts);
  return is_whole (path, &before) ||
         image_fail (error, IMAGE_ERROR_UNWRITTEN, "it came out cut short");
}

void
metadata_set_fields (GExiv2Metadata *metadata, VipsImage *image)
{
  g_autoptr (GBytes) exif = NULL;
  g_autofree char *xmp = NULL;

  g_mutex_lock (&lock);
  exif = gexiv2_metadata_get_exif_data (metadata, GEXIV2_BYTE_ORDER_LITTLE, NULL);
  if (gexiv2_metadata_has_xmp (metadata))
    xmp = gexiv2_metadata_try_generate_xmp_packet (metadata, GEXIV2_OMIT_PACKET_WRAPPER, 0, NULL);
  g_mutex_unlock (&lock);
  if (exif && g_bytes_get_size (exif) > 0)
    vips_image_set_blob_copy (image, VIPS_META_EXIF_NAME, g_bytes_get_data (exif, NULL),
                              g_bytes_get_size (exif));
  if (xmp)
    vips_image_set_blob_copy (image, VIPS_META_XMP_NAME, xmp, strlen (xmp));
}
