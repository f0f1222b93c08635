/* A kind of image file. */
#ifndef KIND_H
#define KIND_H

#include "picture.h"

#include <stdio.h>

G_BEGIN_DECLS

/* It reads the pixels that GIMP reads, and writes the bytes that GIMP writes where the user has
 * saved no settings of his own. On several threads at a time. */
typedef struct {
  const char *extensions; /* in lower case, with a space around each */
  const char *mime_type;
  gboolean has_alpha, has_thumbnail;
  gboolean is_linear; /* its samples are linear light */
  FxSample deepest;   /* of those that it has: it and all that come before it */
  int codec_bytes;    /* that reading or writing takes for each pixel, beside its samples */

  /* Reads into a new picture all but its metadata. */
  gboolean (*read) (Picture *picture, FILE *file, GError **error);

  /* Writes all but the metadata; picture->icc is that to be written. */
  gboolean (*write) (const Picture *picture, FILE *file, GError **error);

  /* Whether Exiv2 has written all of the file. NULL: where its end is the one that it had. */
  gboolean (*is_whole) (FILE *file);
} Kind;

/* Before there are threads. */
void kind_init (void);

/* By the extension of the file's name; NULL: it is none of them. */
const Kind *kind_find (const char *path);

/* Whether it can keep what the picture has, its alpha aside. */
gboolean kind_can_write (const Kind *kind, const Picture *picture, GError **error);

/* Takes from a picture that it can write alpha that it cannot: FALSE where that shows. */
gboolean kind_fit_alpha (const Kind *kind, Picture *picture, GError **error);

G_END_DECLS

#endif
