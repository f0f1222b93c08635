/* The chunks of PNG files. Thread safe. */
#pragma once

#include <glib.h>

#define PNG_HEAD  33 /* bytes of a file before which all other chunks come: signature and IHDR */
#define PNG_CHUNK 12 /* bytes of a chunk that are not its body: size, type and checksum */

/* A walk through a file, and the chunk that it has reached. */
typedef struct {
  GMappedFile *file; /* NULL: it cannot be read, or is none of PNG */
  gsize next;        /* the place of the next chunk */
  const guint8 *type, *body;
  guint32 size; /* of the body, in bytes */
} PngWalk;

/* Begins before the first chunk. End with png_walk_clear, which may be done at any time. */
void png_walk_init (PngWalk *walk, const char *path);
void png_walk_clear (PngWalk *walk);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PngWalk, png_walk_clear)

/* Goes to the next chunk. Returns FALSE if there is none that is whole. */
gboolean png_walk_next (PngWalk *walk);

/* Returns whether the chunk has this type, a word of four letters. */
gboolean png_walk_is (const PngWalk *walk, const char *type);

/* Returns a number of four bytes. */
guint32 png_get_number (const guint8 *bytes);

/* Returns the number of frames of a file, of which libvips loads the first and says nothing. */
int png_count_frames (const char *path);
