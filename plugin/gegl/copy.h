/* Copies between GEGL buffers and memory, on all of GEGL's threads. */
#pragma once

#include <gegl.h>

/* A buffer, seen at a level of GEGL's pyramid, whose pixels are 2^level as large. */
typedef struct {
  GeglBuffer *buffer;
  int level;
  const Babl *format;
  GeglAbyssPolicy abyss; /* for pixels outside of the buffer's extent */
} Copied;

/* Copy rect, which is in the level's pixels and must not be empty. Rows in memory are stride bytes
 * apart. */
void copy_from_buffer (const Copied *from, const GeglRectangle *rect, gpointer pixels,
                       gsize stride);
void copy_to_buffer (const Copied *to, const GeglRectangle *rect, gconstpointer pixels,
                     gsize stride);
