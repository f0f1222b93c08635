/* The small picture in EXIF, as GIMP makes it anew where a file has one. */
#ifndef THUMBNAIL_H
#define THUMBNAIL_H

#include "picture.h"

G_BEGIN_DECLS

typedef struct {
  int width, height;
  char *jpeg;
  gsize length;
} Thumbnail;

/* Before there are threads. */
void thumbnail_init (void);

/* Of the picture as it is now, which has 8 bits. On any thread; the first call starts GEGL, which
 * takes 0.2 s and 350 MB. */
gboolean thumbnail_make (Thumbnail *thumbnail, const Picture *picture, GError **error);
void thumbnail_clear (Thumbnail *thumbnail);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Thumbnail, thumbnail_clear)

G_END_DECLS

#endif
