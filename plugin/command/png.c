#include "png.h"

#include "header.h"
#include "image-error.h"

#include <glib/gstdio.h>
#include <string.h>

#define SIGNATURE "\x89PNG\r\n\x1a\n"

void
png_walk_init (PngWalk *walk, const char *path)
{
  char first[PNG_SIGNATURE];

  *walk = (PngWalk) { .file = g_fopen (path, "rb"), .next = sizeof first };
  if (walk->file && (fread (first, sizeof first, 1, walk->file) != 1 ||
                     memcmp (first, SIGNATURE, sizeof first) != 0))
    png_walk_clear (walk);
}

void
png_walk_clear (PngWalk *walk)
{
  g_clear_pointer (&walk->file, fclose);
  g_clear_pointer (&walk->chunk, g_free);
}

guint32
png_get_number (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

/* The file is not mapped into memory, since it may get shorter meanwhile. */
gboolean
png_walk_next (PngWalk *walk)
{
  guint8 head[8];
  gsize more; /* bytes behind these */

  g_clear_pointer (&walk->chunk, g_free);
  if (! walk->file || fseeko (walk->file, walk->next, SEEK_SET) != 0 ||
      fread (head, sizeof head, 1, walk->file) != 1)
    return FALSE;
  walk->size = png_get_number (head);
  memcpy (walk->type, head + 4, 4);
  walk->next += PNG_CHUNK + (goffset) walk->size;
  if (walk->size > PNG_MOST || strstr ("IDAT fdAT", walk->type))
    return TRUE;
  more = walk->size + PNG_CHUNK - sizeof head;
  walk->chunk = g_malloc (sizeof head + more);
  memcpy (walk->chunk, head, sizeof head);
  walk->body = walk->chunk + sizeof head;
  return fread (walk->chunk + sizeof head, more, 1, walk->file) == 1;
}

gboolean
png_walk_is (const PngWalk *walk, const char *type)
{
  return strcmp (walk->type, type) == 0 && walk->chunk;
}

static gboolean
check_head (const guint8 *head, gboolean has_key, GError **error)
{
  static const char *const colours[] = { "gray", "1", "RGB", "palette", "gray", "5", "RGB" };
  g_autofree char *sample = g_strdup_printf ("%d-bit", head[8]);
  const char *words[] = { colours[MIN (head[9], 6)], sample, has_key ? "key" : "opaque", "deflate",
                          head[12] ? "scans" : "plain" };

  if (head[9] & 4)
    words[HEADER_ALPHA] = "straight";
  return header_check ("Png", words, error);
}

gboolean
png_check (const char *path, int *frames, GError **error)
{
  g_auto (PngWalk) walk;
  guint8 head[13] = { 0 };
  gboolean has_key = FALSE;

  *frames = 1;
  png_walk_init (&walk, path);
  while (png_walk_next (&walk) && strcmp (walk.type, "IDAT") != 0)
    if (png_walk_is (&walk, "IHDR") && walk.size == sizeof head)
      memcpy (head, walk.body, sizeof head);
    else if (png_walk_is (&walk, "tRNS"))
      has_key = TRUE;
    else if (png_walk_is (&walk, "acTL") && walk.size >= 4)
      *frames = (int) MIN (png_get_number (walk.body), G_MAXINT);
  return head[8] == 0 || check_head (head, has_key, error); /* 0: libvips says why */
}
