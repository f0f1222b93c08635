/* The chunks of PNG files. Thread safe. */
#pragma once

#include <glib.h>
#include <stdio.h>

#define PNG_SIGNATURE 8         /* bytes at the start of a file */
#define PNG_HEAD      33        /* bytes before which all other chunks come: with IHDR */
#define PNG_CHUNK     12        /* bytes of a chunk that are not its body: size, type, checksum */
#define PNG_MOST      (4 << 20) /* bytes of a body that is read */

/* A walk through a file, and the chunk that it has reached. */
typedef struct {
  FILE *file;   /* NULL: it cannot be read, or is none of PNG */
  goffset next; /* the place of the next chunk */
  char type[5];
  guint32 size;         /* of the body, in bytes */
  guint8 *chunk, *body; /* chunk: all of it; NULL: it is part of the picture, or too large */
} PngWalk;

/* Begins before the first chunk. End with png_walk_clear, which may be done at any time. */
void png_walk_init (PngWalk *walk, const char *path);
void png_walk_clear (PngWalk *walk);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PngWalk, png_walk_clear)

/* Goes to the next chunk. Returns FALSE if there is none that is whole. */
gboolean png_walk_next (PngWalk *walk);

/* Returns whether the chunk has this type, a word of four letters, and was read. */
gboolean png_walk_is (const PngWalk *walk, const char *type);

/* Returns a number of four bytes. */
guint32 png_get_number (const guint8 *bytes);

/* Returns how many frames the file has: libvips loads the first one and says nothing. */
int png_count_frames (const char *path);
