#include "metadata.h"

#include <gexiv2/gexiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void
metadata_init (void)
{
  gexiv2_log_set_level (GEXIV2_LOG_LEVEL_MUTE);
}

static GimpMetadata *
load_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);

  return gimp_metadata_load_from_file (file, error);
}

/* Namespaces of XMP. Exiv2 keeps those that a file brings, for all files to come. In GIMP another
 * process writes, which does not know them. */

static void
forget_namespaces (void)
{
  static const struct {
    const char *uri, *prefix;
  } gimps[] = {
    { "http://ns.adobe.com/DICOM/", "DICOM" },
    { "http://darktable.sf.net/", "darktable" },
    { "http://www.gimp.org/xmp/", "GIMP" },
  };
  guint i;

  gexiv2_metadata_unregister_all_xmp_namespaces ();
  for (i = 0; i < G_N_ELEMENTS (gimps); i++)
    gexiv2_metadata_register_xmp_namespace (gimps[i].uri, gimps[i].prefix);
}

/* tag: such as Xmp.dc.source/?my:name, which has the prefixes dc and my. */
static gboolean
has_known_prefixes (const char *tag)
{
  g_auto (GStrv) parts = g_strsplit (tag + strlen ("Xmp."), "/", -1);
  int i;

  for (i = 0; parts[i]; i++)
    {
      char *prefix = parts[i] + (parts[i][0] == '?');
      g_autofree char *uri = NULL;

      prefix[strcspn (prefix, i == 0 ? "." : ":")] = '\0';
      uri = gexiv2_metadata_try_get_xmp_namespace_for_tag (prefix, NULL);
      if (! uri)
        return FALSE;
    }
  return TRUE;
}

static void
drop_unknown_xmp (GExiv2Metadata *tags)
{
  g_auto (GStrv) all = gexiv2_metadata_get_xmp_tags (tags);
  char **tag;

  forget_namespaces ();
  for (tag = all; *tag; tag++)
    if (! has_known_prefixes (*tag))
      gexiv2_metadata_clear_tag (tags, *tag);
}

/* Loading. */

/* Exiv2 tells the character set first, and "binary comment" of an empty one. */
static char *
interpret (char *comment)
{
  static const char ascii[] = "charset=Ascii ";
  char *rest;

  if (! comment || ! g_str_has_prefix (comment, ascii))
    return comment;
  rest = comment + strlen (ascii);
  rest = *rest && strcmp (rest, "binary comment") != 0 ? g_strdup (rest) : NULL;
  g_free (comment);
  return rest;
}

static void
take_comment (Picture *picture, GExiv2Metadata *tags)
{
  char *comment = interpret (
    gexiv2_metadata_get_tag_interpreted_string (tags, "Exif.Photo.UserComment"));

  if (! comment)
    comment = gexiv2_metadata_get_tag_interpreted_string (tags, "Exif.Image.ImageDescription");
  if (! comment || ! g_utf8_validate (comment, -1, NULL)) /* GIMP keeps the one it has */
    {
      g_free (comment);
      return;
    }
  g_free (picture->comment);
  picture->comment = comment;
}

/* The type of its unit is not the same in GIMP 2.10 and 3. */
static void
take_resolution (Picture *picture, GimpMetadata *metadata)
{
  g_autofree char *unit = NULL;
  double xres, yres;

  if (picture->has_resolution || ! gimp_metadata_get_resolution (metadata, &xres, &yres, NULL))
    return;
  picture_set_resolution (picture, xres, yres);
  unit = gexiv2_metadata_get_tag_string (GEXIV2_METADATA (metadata), "Exif.Image.ResolutionUnit");
  picture->metric = unit && g_ascii_strtoll (unit, NULL, 10) == 3;
}

static gboolean
take_colorspace (Picture *picture, GError **error)
{
  if (picture->profile ||
      gimp_metadata_get_colorspace (picture->metadata) != GIMP_METADATA_COLORSPACE_ADOBERGB)
    return TRUE;
  if (picture->icc)
    return picture_decline (error, "The metadata contradict the colour profile");
  if (picture->format.channels < 3)
    return picture_decline (error, "The metadata have a grey picture in Adobe RGB");
  picture->profile = gimp_color_profile_new_rgb_adobe ();
  return TRUE;
}

gboolean
metadata_load (Picture *picture, const char *path, int *orientation, GError **error)
{
  GimpMetadata *metadata;
  GExiv2Metadata *tags;

  *orientation = GEXIV2_ORIENTATION_UNSPECIFIED;
  if (picture->is_bare)
    return TRUE;
  metadata = load_file (path, error);
  if (! metadata)
    return FALSE;
  tags = GEXIV2_METADATA (metadata);
  picture->metadata = metadata;
  drop_unknown_xmp (tags);
  take_comment (picture, tags);
  take_resolution (picture, metadata);
  *orientation = gexiv2_metadata_get_orientation (tags);
  gexiv2_metadata_set_orientation (tags, GEXIV2_ORIENTATION_NORMAL);
  return take_colorspace (picture, error);
}

/* In GIMP's core. */

static void
set (GExiv2Metadata *tags, const char *tag, const char *value)
{
  gexiv2_metadata_set_tag_string (tags, tag, value);
}

static GimpMetadataColorspace
get_colorspace (const Picture *picture)
{
  GimpColorProfile *adobe;
  gboolean equal;

  if (! picture->profile)
    return GIMP_METADATA_COLORSPACE_SRGB;
  adobe = gimp_color_profile_new_rgb_adobe ();
  equal = gimp_color_profile_is_equal (picture->profile, adobe);
  g_object_unref (adobe);
  return equal ? GIMP_METADATA_COLORSPACE_ADOBERGB : GIMP_METADATA_COLORSPACE_UNSPECIFIED;
}

/* By the smallest denominator that keeps two digits, as gimp_metadata_set_resolution, which works
 * in GIMP's plug-ins alone. */
static void
set_resolution (const Picture *picture, GimpMetadata *metadata)
{
  GExiv2Metadata *tags = GEXIV2_METADATA (metadata);
  double x = picture->metric ? picture->xres / 2.54 : picture->xres;
  double y = picture->metric ? picture->yres / 2.54 : picture->yres;
  int factor = 1;

  while (factor <= 100 && (fabs (x * factor - ROUND (x * factor)) >= 0.01 ||
                           fabs (y * factor - ROUND (y * factor)) >= 0.01))
    factor++;
  gexiv2_metadata_set_exif_tag_rational (tags, "Exif.Image.XResolution", ROUND (x * factor),
                                         factor);
  gexiv2_metadata_set_exif_tag_rational (tags, "Exif.Image.YResolution", ROUND (y * factor),
                                         factor);
  set (tags, "Exif.Image.ResolutionUnit", picture->metric ? "3" : "2");
}

/* They cross to another process as text, and some do not come through. FALSE where none do. */
static gboolean
transfer (Picture *picture, GError **error)
{
  GimpMetadata *received = gimp_metadata_duplicate (picture->metadata);

  if (! received)
    return picture_decline (error, "The metadata cannot be copied");
  g_object_unref (picture->metadata);
  picture->metadata = received;
  return TRUE;
}

gboolean
metadata_take (Picture *picture, GError **error)
{
  int bits = (int) fx_sample_size (picture->format.sample) * 8;

  if (picture->is_bare)
    return TRUE;
  if (! transfer (picture, error))
    return FALSE;
  gimp_metadata_set_pixel_size (picture->metadata, picture->width, picture->height);
  gimp_metadata_set_bits_per_sample (picture->metadata, bits);
  set_resolution (picture, picture->metadata);
  gimp_metadata_set_colorspace (picture->metadata, get_colorspace (picture));
  return TRUE;
}

/* Saving. */

typedef enum {
  SAVE_EXIF = 1 << 0,
  SAVE_XMP = 1 << 1,
  SAVE_IPTC = 1 << 2,
} Save;

static void
set_times (GExiv2Metadata *tags)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *exif = g_date_time_format (now, "%Y:%m:%d %H:%M:%S");
  g_autofree char *xmp = g_date_time_format (now, "%Y:%m:%dT%T%:z");

  set (tags, "Exif.Image.DateTime", exif);
  set (tags, "Xmp.xmp.ModifyDate", xmp);
  set (tags, "Xmp.xmp.MetadataDate", xmp);
}

static void
set_number (GExiv2Metadata *tags, const char *tag, int number)
{
  g_autofree char *text = g_strdup_printf ("%d", number);

  set (tags, tag, text);
}

/* What GIMP's TIFFs have in XMP as well, and what of other TIFFs does not hold for them. */
static void
prepare_tiff (const Picture *picture)
{
  static const char *const dropped[] = { "0x0118",
                                         "0x0119",
                                         "0x011d",
                                         "Compression",
                                         "FillOrder",
                                         "InterColorProfile",
                                         "NewSubfileType",
                                         "PageNumber",
                                         "PhotometricInterpretation",
                                         "PlanarConfiguration",
                                         "Predictor",
                                         "RowsPerStrip",
                                         "SampleFormat",
                                         "SamplesPerPixel",
                                         "StripByteCounts",
                                         "StripOffsets" };
  GExiv2Metadata *tags = GEXIV2_METADATA (picture->metadata);
  g_autofree char *time = gexiv2_metadata_get_tag_string (tags, "Xmp.xmp.ModifyDate");
  guint i;

  set_number (tags, "Xmp.tiff.ImageWidth", picture->width);
  set_number (tags, "Xmp.tiff.ImageLength", picture->height);
  set (tags, "Xmp.tiff.DateTime", time);
  for (i = 0; i < G_N_ELEMENTS (dropped); i++)
    {
      g_autofree char *tag = g_strconcat ("Exif.Image.", dropped[i], NULL);

      gexiv2_metadata_clear_tag (tags, tag);
    }
}

/* Of pages and pictures beside the first one; others in a TIFF would become pages. */
static gboolean
is_of_another_page (const char *tag)
{
  static const char *const prefixes[] = { "Exif.Image", "Exif.SubImage" };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (tag, prefixes[i]) && g_ascii_isdigit (tag[strlen (prefixes[i])]))
      return TRUE;
  return g_str_has_prefix (tag, "Exif.Thumbnail");
}

static void
drop_pages (GExiv2Metadata *tags)
{
  g_auto (GStrv) all = gexiv2_metadata_get_exif_tags (tags);
  char **tag;

  for (tag = all; *tag; tag++)
    if (is_of_another_page (*tag))
      gexiv2_metadata_clear_tag (tags, *tag);
}

/* Fills in what GIMP does. Returns what is to be saved. */
static Save
prepare (const Picture *picture, const char *mime_type)
{
  GExiv2Metadata *tags = GEXIV2_METADATA (picture->metadata);
  Save save = gexiv2_metadata_has_exif (tags) ? SAVE_EXIF : 0;
  gboolean tiff = strcmp (mime_type, "image/tiff") == 0;
  int bits = tiff ? (int) fx_sample_size (picture->format.sample) * 8 : 8; /* 8 of 16 too */

  if (picture->comment)
    {
      set (tags, "Exif.Photo.UserComment", picture->comment);
      set (tags, "Exif.Image.ImageDescription", picture->comment);
    }
  set (tags, "Exif.Image.Software", "GIMP " GIMP_VERSION);
  gimp_metadata_set_pixel_size (picture->metadata, picture->width, picture->height);
  set_resolution (picture, picture->metadata);
  save |= gexiv2_metadata_has_xmp (tags) ? SAVE_XMP : 0;
  set (tags, "Xmp.dc.Format", mime_type);
  set_times (tags);
  save |= gexiv2_metadata_has_iptc (tags) ? SAVE_IPTC : 0;
  if (tiff)
    {
      prepare_tiff (picture);
      drop_pages (tags);
    }
  gimp_metadata_set_bits_per_sample (picture->metadata, bits);
  return save;
}

/* GIMP writes the namespace by the name that Exiv2 has for it. */
static char *
fix_name (const char *tag)
{
  g_auto (GStrv) parts = g_strsplit (tag, "/Iptc4xmpExt", -1);

  return g_strjoinv ("/iptcExt", parts);
}

static void
copy_tag (GExiv2Metadata *from, GExiv2Metadata *to, const char *tag)
{
  g_auto (GStrv) values = gexiv2_metadata_get_tag_multiple (from, tag);
  g_autofree char *name = g_str_has_prefix (tag, "Xmp.") ? fix_name (tag) : g_strdup (tag);
  g_autofree char *value = NULL;

  if (values)
    {
      gexiv2_metadata_set_tag_multiple (to, name, (const char **) values);
      return;
    }
  value = gexiv2_metadata_get_tag_string (from, tag);
  if (value)
    set (to, tag, value);
}

static void
copy_tags (GExiv2Metadata *from, GExiv2Metadata *to, char **tags, const char *mime_type)
{
  for (; *tags; tags++)
    if (! gexiv2_metadata_has_tag (to, *tags) && gimp_metadata_is_tag_supported (*tags, mime_type))
      copy_tag (from, to, *tags);
}

/* XMP's structures are to be there before what is in them. */

static void
make_struct (GExiv2Metadata *to, const char *name, const char *typed)
{
  g_autofree char *fixed = fix_name (typed);
  gboolean sequence = g_strcmp0 (gexiv2_metadata_get_tag_type (fixed), "XmpSeq") == 0;

  gexiv2_metadata_set_xmp_tag_struct (to, name,
                                      sequence ? GEXIV2_STRUCTURE_XA_SEQ : GEXIV2_STRUCTURE_XA_BAG);
}

static void
make_structs (GExiv2Metadata *to, char **tags)
{
  g_autofree char *outer = NULL, *inner = NULL;

  for (; *tags; tags++)
    {
      g_auto (GStrv) parts = g_strsplit (*tags, "[1]", 3);

      if (! parts[0] || ! parts[1] || strchr (parts[0], '['))
        continue;
      if (g_strcmp0 (parts[0], outer) != 0)
        {
          g_free (outer);
          outer = g_strdup (parts[0]);
          make_struct (to, outer, parts[0]);
        }
      if (parts[2] && g_strcmp0 (parts[1], inner) != 0)
        {
          g_autofree char *name = NULL;

          g_free (inner);
          inner = fix_name (parts[1]);
          name = g_strdup_printf ("%s[1]%s", outer, inner);
          make_struct (to, name, parts[1]);
        }
    }
}

static int
compare_natural (gconstpointer a, gconstpointer b)
{
  g_autofree char *first = g_utf8_collate_key_for_filename (*(char *const *) a, -1);
  g_autofree char *second = g_utf8_collate_key_for_filename (*(char *const *) b, -1);

  return strcmp (first, second);
}

static void
save_xmp (GimpMetadata *metadata, GExiv2Metadata *to, const char *mime_type)
{
  GExiv2Metadata *from = GEXIV2_METADATA (metadata);
  g_autofree char *time = g_strdup_printf ("%" G_GINT64_FORMAT, g_get_real_time ());
  char nothing[] = "";
  g_auto (GStrv) tags = NULL;

  gimp_metadata_add_xmp_history (metadata, nothing);
  set (from, "Xmp.GIMP.TimeStamp", time);
  set (from, "Xmp.xmp.CreatorTool", "GIMP " GIMP_SERIES);
  set (from, "Xmp.GIMP.Version", GIMP_VERSION);
  set (from, "Xmp.GIMP.API", GIMP_API_VERSION);
  set (from, "Xmp.GIMP.Platform", "Linux");
  tags = gexiv2_metadata_get_xmp_tags (from);
  qsort (tags, g_strv_length (tags), sizeof *tags, compare_natural);
  make_structs (to, tags);
  copy_tags (from, to, tags, mime_type);
}

static void
save_tags (GimpMetadata *metadata, GExiv2Metadata *to, Save save, const char *mime_type)
{
  GExiv2Metadata *from = GEXIV2_METADATA (metadata);

  if (save & SAVE_EXIF)
    {
      g_auto (GStrv) tags = gexiv2_metadata_get_exif_tags (from);

      copy_tags (from, to, tags, mime_type);
    }
  if (save & SAVE_XMP)
    save_xmp (metadata, to, mime_type);
  if ((save & SAVE_IPTC) && gexiv2_metadata_get_supports_iptc (to)) /* WebP does not */
    {
      g_auto (GStrv) tags = gexiv2_metadata_get_iptc_tags (from);

      copy_tags (from, to, tags, mime_type);
    }
}

gboolean
metadata_want_thumbnail (const Picture *picture)
{
  return ! picture->is_bare && gexiv2_metadata_has_tag (GEXIV2_METADATA (picture->metadata),
                                                        "Exif.Thumbnail.ImageLength");
}

static void
save_thumbnail (const Thumbnail *thumbnail, GExiv2Metadata *to)
{
  g_autofree char *width = g_strdup_printf ("%d", thumbnail->width);
  g_autofree char *height = g_strdup_printf ("%d", thumbnail->height);

  gexiv2_metadata_set_exif_thumbnail_from_buffer (to, (const guint8 *) thumbnail->jpeg,
                                                  (gint) thumbnail->length);
  set (to, "Exif.Thumbnail.ImageWidth", width);
  set (to, "Exif.Thumbnail.ImageLength", height);
  set (to, "Exif.Thumbnail.BitsPerSample", "8 8 8");
  set (to, "Exif.Thumbnail.SamplesPerPixel", "3");
  set (to, "Exif.Thumbnail.PhotometricInterpretation", "6");
  set (to, "Exif.Thumbnail.NewSubfileType", "1");
}

gboolean
metadata_save (Picture *picture, const Thumbnail *thumbnail, const char *path,
               const char *mime_type, GError **error)
{
  GimpMetadata *written;
  gboolean saved = FALSE;
  Save save;

  if (picture->is_bare)
    return TRUE;
  if (! transfer (picture, error))
    return FALSE;
  save = prepare (picture, mime_type);
  if (! save)
    return TRUE;
  written = load_file (path, error);
  if (! written)
    return FALSE;
  save_tags (picture->metadata, GEXIV2_METADATA (written), save, mime_type);
  if (thumbnail)
    save_thumbnail (thumbnail, GEXIV2_METADATA (written));
  else
    gexiv2_metadata_erase_exif_thumbnail (GEXIV2_METADATA (written));
  saved = gexiv2_metadata_save_file (GEXIV2_METADATA (written), path, error);
  g_object_unref (written);
  return saved;
}
