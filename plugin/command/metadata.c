#include "metadata.h"

#include "image-file.h"

#include <glib/gstdio.h>
#include <string.h>
#include <tiffio.h>

static GMutex lock; /* of Exiv2 */

void
metadata_init (void)
{
  gexiv2_initialize ();
  gexiv2_log_set_level (GEXIV2_LOG_LEVEL_MUTE);
}

static GExiv2Metadata *
open_file (const char *path, GError **error)
{
  GExiv2Metadata *metadata = gexiv2_metadata_new ();

  if (! gexiv2_metadata_open_path (metadata, path, error))
    g_clear_object (&metadata);
  return metadata;
}

/* Sets a tag if it exists already. */
static void
correct (GExiv2Metadata *metadata, const char *tag, int value)
{
  g_autofree char *text = g_strdup_printf ("%d", value);

  if (gexiv2_metadata_try_has_tag (metadata, tag, NULL))
    gexiv2_metadata_try_set_tag_string (metadata, tag, text, NULL);
}

GExiv2Metadata *
metadata_read (const char *path, int width, int height)
{
  GExiv2Metadata *metadata;

  g_mutex_lock (&lock);
  metadata = open_file (path, NULL);
  if (metadata)
    {
      correct (metadata, "Exif.Image.Orientation", GEXIV2_ORIENTATION_NORMAL);
      correct (metadata, "Xmp.tiff.Orientation", GEXIV2_ORIENTATION_NORMAL);
      correct (metadata, "Exif.Photo.PixelXDimension", width);
      correct (metadata, "Exif.Photo.PixelYDimension", height);
      gexiv2_metadata_try_erase_exif_thumbnail (metadata, NULL);
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

/* TIFF stores its resolution in EXIF's tags, and so does libvips for JPEG. */
static void
keep_resolution (GExiv2Metadata *metadata, const char *path)
{
  static const char *const tags[] = { "Exif.Image.XResolution", "Exif.Image.YResolution",
                                      "Exif.Image.ResolutionUnit" };
  g_autoptr (GExiv2Metadata) present = open_file (path, NULL);
  guint i;

  if (! present || ! gexiv2_metadata_try_has_tag (present, tags[0], NULL) ||
      gexiv2_metadata_try_has_tag (metadata, tags[0], NULL))
    return;
  for (i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      g_autofree char *value = gexiv2_metadata_try_get_tag_string (present, tags[i], NULL);

      gexiv2_metadata_try_set_tag_string (metadata, tags[i], value ? value : "2", NULL);
    }
}

gboolean
metadata_write (GExiv2Metadata *metadata, const char *path, GError **error)
{
  gboolean done;
  Tail before;

  if (! read_tail (path, &before))
    memset (&before, 0, sizeof before);
  g_mutex_lock (&lock);
  keep_resolution (metadata, path);
  done = gexiv2_metadata_save_file (metadata, path, error);
  g_mutex_unlock (&lock);
  if (is_whole (path, &before))
    return done;
  g_clear_error (error);
  g_set_error (error, IMAGE_ERROR, IMAGE_ERROR_UNWRITTEN, "it came out cut short");
  return FALSE;
}
