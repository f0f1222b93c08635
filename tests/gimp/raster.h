/* Pixels in memory for the tests inside GIMP. Does not use GIMP. */
#pragma once

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <glib/gstdio.h>
#include <signal.h>

#include "blur.h"
#include "engine.h"

typedef struct {
  FxFormat format;
  int width, height;
  guint8 *pixels; /* rows without padding */
} Raster;

/* All bytes 0. Free with raster_free, for which NULL is legal. */
Raster *raster_new (const FxFormat *format, int width, int height);
void raster_free (Raster *raster);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Raster, raster_free)

Raster *raster_copy (const Raster *raster);
gsize raster_bytes (const Raster *raster);

/* Replaces rect, as far as it lies within them, by that of another raster of the same size and
 * format. */
void raster_paste (Raster *raster, const Raster *other, const FxRect *rect);

/* Copies part into raster, its first pixel to x, y; it must fit. */
void raster_put (Raster *raster, const Raster *part, int x, int y);

/* Blocks of one colour between noise, extremes among both. */
void raster_fill (Raster *raster, GRand *rand);

/* NULL, or the place of the first byte that differs by more than that, and how many do. */
char *raster_differs (const Raster *actual, const Raster *expected, int most);
