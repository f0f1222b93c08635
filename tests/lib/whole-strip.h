/* The strip that is a whole image. */
#pragma once

#include "strip.h"

static inline FxStrip
whole_strip (int width, int height, int chunk_rows)
{
  return (FxStrip) { .width = width,
                     .height = height,
                     .x1 = width,
                     .y1 = height,
                     .source_x1 = width,
                     .source_y1 = height,
                     .chunk_rows = chunk_rows };
}
