#include "png.h"

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

/* The file is not mapped into memory, since it may get shorter while it is read. */
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

int
png_count_frames (const char *path)
{
  g_auto (PngWalk) walk;

  png_walk_init (&walk, path);
  while (png_walk_next (&walk) && strcmp (walk.type, "IDAT") != 0)
    if (png_walk_is (&walk, "acTL") && walk.size >= 4)
      return (int) MIN (png_get_number (walk.body), G_MAXINT);
  return 1;
}
