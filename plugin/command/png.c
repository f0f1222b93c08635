#include "png.h"

#include <string.h>

#define SIGNATURE "\x89PNG\r\n\x1a\n"

void
png_walk_init (PngWalk *walk, const char *path)
{
  gsize first = strlen (SIGNATURE);

  *walk = (PngWalk) { .file = g_mapped_file_new (path, FALSE, NULL), .next = first };
  if (walk->file && (g_mapped_file_get_length (walk->file) < first ||
                     memcmp (g_mapped_file_get_contents (walk->file), SIGNATURE, first) != 0))
    png_walk_clear (walk);
}

void
png_walk_clear (PngWalk *walk)
{
  g_clear_pointer (&walk->file, g_mapped_file_unref);
}

guint32
png_get_number (const guint8 *bytes)
{
  return (guint32) bytes[0] << 24 | (guint32) bytes[1] << 16 | (guint32) bytes[2] << 8 | bytes[3];
}

gboolean
png_walk_next (PngWalk *walk)
{
  gsize length = walk->file ? g_mapped_file_get_length (walk->file) : 0;
  const guint8 *chunk;

  if (length < walk->next + PNG_CHUNK)
    return FALSE;
  chunk = (const guint8 *) g_mapped_file_get_contents (walk->file) + walk->next;
  walk->size = png_get_number (chunk);
  walk->type = chunk + 4;
  walk->body = chunk + 8;
  walk->next += PNG_CHUNK + (gsize) walk->size;
  return walk->next <= length;
}

gboolean
png_walk_is (const PngWalk *walk, const char *type)
{
  return memcmp (walk->type, type, 4) == 0;
}

int
png_count_frames (const char *path)
{
  g_auto (PngWalk) walk;

  png_walk_init (&walk, path);
  while (png_walk_next (&walk) && ! png_walk_is (&walk, "IDAT"))
    if (png_walk_is (&walk, "acTL") && walk.size >= 4)
      return (int) MIN (png_get_number (walk.body), G_MAXINT);
  return 1;
}
