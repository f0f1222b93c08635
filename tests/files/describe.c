/* Prints every EXIF, XMP and IPTC value of a file, a line each, but those that GIMP makes anew with
 * each file: times, and identities by chance; then a checksum of the thumbnail. Usage: describe
 * FILE
 */
#include <gexiv2/gexiv2.h>
#include <stdio.h>
#include <string.h>

/* That it has one shows all the same. Of a TIFF the profile, with its date, and what tells where
 * something lies are among them. */
static gboolean
is_made_anew (const char *tag)
{
  static const char *const names[] = { "Exif.Image.DateTime",
                                       "Xmp.GIMP.TimeStamp",
                                       "Xmp.xmp.ModifyDate",
                                       "Xmp.xmp.MetadataDate",
                                       "Xmp.tiff.DateTime",
                                       "Exif.Image.StripOffsets",
                                       "Exif.Image.InterColorProfile",
                                       "Exif.Image.ExifTag",
                                       "Exif.Image.GPSTag",
                                       "Exif.Image.XMLPacket",
                                       "Xmp.xmpMM.InstanceID",
                                       "Xmp.xmpMM.DocumentID",
                                       "Xmp.xmpMM.OriginalDocumentID",
                                       NULL };

  return g_strv_contains (names, tag) || strstr (tag, "/stEvt:instanceID") ||
         strstr (tag, "/stEvt:when");
}

static void
print_tags (GExiv2Metadata *metadata, char **tags)
{
  int i, k;

  for (i = 0; tags && tags[i]; i++)
    {
      g_auto (GStrv) values = gexiv2_metadata_get_tag_multiple (metadata, tags[i]);
      g_autofree char *value = values ? NULL : gexiv2_metadata_get_tag_string (metadata, tags[i]);

      printf ("%s", tags[i]);
      for (k = 0; values && values[k] && ! is_made_anew (tags[i]); k++)
        printf (" |%s|", values[k]);
      printf (" %s\n", value && ! is_made_anew (tags[i]) ? value : "");
    }
  g_strfreev (tags);
}

static void
print_thumbnail (GExiv2Metadata *metadata)
{
  g_autofree char *sum = NULL;
  guint8 *jpeg;
  int length;

  if (! gexiv2_metadata_get_exif_thumbnail (metadata, &jpeg, &length))
    return;
  sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, jpeg, (gsize) length);
  printf ("thumbnail %s\n", sum);
  g_free (jpeg);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GExiv2Metadata *metadata;

  gexiv2_log_set_level (GEXIV2_LOG_LEVEL_MUTE);
  metadata = gexiv2_metadata_new ();
  if (argc != 2 || ! gexiv2_metadata_open_path (metadata, argv[1], &error))
    {
      fprintf (stderr, "describe: %s\n", error ? error->message : "Usage: describe FILE");
      return 1;
    }
  print_tags (metadata, gexiv2_metadata_get_exif_tags (metadata));
  print_tags (metadata, gexiv2_metadata_get_xmp_tags (metadata));
  print_tags (metadata, gexiv2_metadata_get_iptc_tags (metadata));
  print_thumbnail (metadata);
  g_object_unref (metadata);
  return 0;
}
