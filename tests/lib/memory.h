/* An image in memory, which the engine reads and writes. */
#pragma once

#include "blur.h"
#include "codec.h"
#include "engine.h"

FX_BEGIN_API

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

/* Returns n pixels of noise, whose samples are 0.25 to 1. Free them with g_free. */
gpointer memory_make_noise (const FxFormat *format, int n);

FX_END_API
