/* Reads and writes the metadata of image files for tests:
 *
 *   metadata FILE          prints every EXIF, XMP and IPTC value, "TAG |VALUE|...", a line each
 *   metadata --make FILE   adds some of all kinds
 *   metadata --turn FILE   says that the image has to be turned to the right, and adds a thumbnail
 */
#include <gexiv2/gexiv2.h>
#include <lcms2.h>
#include <stdio.h>
#include <string.h>

static void
print_tags (GExiv2Metadata *metadata, char **tags)
{
  for (int i = 0; tags && tags[i]; i++)
    {
      g_auto (GStrv) values = gexiv2_metadata_try_get_tag_multiple (metadata, tags[i], NULL);
      g_autofree char *value = gexiv2_metadata_try_get_tag_string (metadata, tags[i], NULL);
      g_autofree char *all = values ? g_strjoinv ("|", values) : NULL;

      printf ("%s |%s|\n", tags[i], all && *all ? all : value ? value : "");
    }
  g_strfreev (tags);
}

static void
print_all (GExiv2Metadata *metadata)
{
  guint8 *thumbnail = NULL;
  int length;

  print_tags (metadata, gexiv2_metadata_get_exif_tags (metadata));
  print_tags (metadata, gexiv2_metadata_get_xmp_tags (metadata));
  print_tags (metadata, gexiv2_metadata_get_iptc_tags (metadata));
  if (gexiv2_metadata_get_exif_thumbnail (metadata, &thumbnail, &length))
    printf ("Thumbnail |%d|\n", length);
  g_free (thumbnail);
}

static gboolean
make_tags (GExiv2Metadata *metadata)
{
  static const char *const tags[][2] = {
    { "Exif.Image.Artist", "Ada" },
    { "Exif.Image.Software", "camera 1.0" },
    { "Exif.Photo.UserComment", "charset=Ascii a note" },
    { "Exif.Photo.ExposureTime", "1/125" },
    { "Exif.GPSInfo.GPSLatitudeRef", "N" },
    { "Exif.GPSInfo.GPSLatitude", "48/1 51/1 30/1" },
    { "Xmp.dc.creator", "Ada" },
    { "Xmp.dc.title", "a title" },
    { "Iptc.Application2.City", "Paris" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (tags); i++)
    if (! gexiv2_metadata_try_set_tag_string (metadata, tags[i][0], tags[i][1], NULL))
      return FALSE;
  return TRUE;
}

static gboolean
turn (GExiv2Metadata *metadata, const char *path)
{
  g_autofree char *jpeg = NULL;
  gsize length;

  if (! g_file_get_contents (path, &jpeg, &length, NULL))
    return FALSE;
  gexiv2_metadata_try_set_exif_thumbnail_from_buffer (metadata, (guint8 *) jpeg, (int) length,
                                                      NULL);
  return gexiv2_metadata_try_set_tag_string (metadata, "Exif.Image.Orientation", "6", NULL);
}

/* Returns whether a profile that no program has by itself was written. */
static gboolean
make_profile (const char *path)
{
  static const cmsCIExyY white = { 0.31, 0.33, 1 };
  static const cmsCIExyYTRIPLE primaries = { { 0.7, 0.3, 1 }, { 0.2, 0.7, 1 }, { 0.15, 0.05, 1 } };
  cmsToneCurve *curve = cmsBuildGamma (NULL, 1.9);
  cmsToneCurve *const curves[] = { curve, curve, curve };
  cmsHPROFILE profile = cmsCreateRGBProfile (&white, &primaries, (cmsToneCurve **) curves);
  gboolean done = profile && cmsSaveProfileToFile (profile, path);

  cmsCloseProfile (profile);
  cmsFreeToneCurve (curve);
  return done;
}

int
main (int argc, char **argv)
{
  const char *path = argv[argc - 1];
  g_autoptr (GExiv2Metadata) metadata = gexiv2_metadata_new ();

  if (argc == 3 && strcmp (argv[1], "--profile") == 0)
    return ! make_profile (path);
  if (argc < 2 || ! gexiv2_metadata_open_path (metadata, path, NULL))
    return 1;
  if (argc == 2)
    print_all (metadata);
  else if (! (strcmp (argv[1], "--make") == 0 ? make_tags (metadata) : turn (metadata, path)) ||
           ! gexiv2_metadata_save_file (metadata, path, NULL))
    return 1;
  return 0;
}
