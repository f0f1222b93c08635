/* An image in memory, which the engine reads and writes. */
#ifndef MEMORY_H
#define MEMORY_H

#include "blur.h"
#include "engine.h"

G_BEGIN_DECLS

/* The source and the result, width * height pixels each, in rows without padding. Both belong to
 * the caller. */
typedef struct {
  gconstpointer pixels;
  gpointer result;
  int width, height;
  FxFormat format;
} Memory;

/* Returns the image, with all of it as the region; to process a part, change the region. memory
 * must outlive the image. */
FxImage memory_get_image (const Memory *memory);

G_END_DECLS

#endif
