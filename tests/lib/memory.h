/* An image in memory, for the engine to read from and write to. */
#ifndef MEMORY_H
#define MEMORY_H

#include "blur.h"
#include "engine.h"

G_BEGIN_DECLS

/* width * height pixels that are read, and room for as many that are written; rows without padding.
 * Both are the caller's. */
typedef struct {
  gconstpointer pixels;
  gpointer result;
  int width, height;
  FxFormat format;
} Memory;

/* All of it; for a part, set the region. memory must outlive it. */
FxImage memory_get_image (const Memory *memory);

G_END_DECLS

#endif
