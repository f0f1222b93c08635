/* Pixels in memory for the tests inside GIMP: filled at random, blurred by the engine or by a
 * direct convolution in double precision, and compared. Does not use GIMP. */
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

/* Channels that are not alpha. */
static inline int
raster_get_colours (const FxFormat *format)
{
  return format->channels - fx_format_has_alpha (format);
}

/* All bytes 0. Free with raster_free, for which NULL is legal. */
Raster *raster_new (const FxFormat *format, int width, int height);
void raster_free (Raster *raster);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Raster, raster_free)

Raster *raster_copy (const Raster *raster);
gsize raster_bytes (const Raster *raster);
gboolean raster_equal (const Raster *a, const Raster *b);

/* A raster larger by x, y on each side, which are zero bytes (transparent), or white. */
Raster *raster_enlarge (const Raster *raster, int x, int y, gboolean white);

/* Replaces rect, as far as it lies within them, by that of another raster of the same size and
 * format. */
void raster_paste (Raster *raster, const Raster *other, const FxRect *rect);

/* The part rect of it. */
Raster *raster_crop (const Raster *raster, const FxRect *rect);

/* Each pixel becomes a block of times x times, those at the right and the bottom as far as there is
 * room in width x height. */
Raster *raster_magnify (const Raster *raster, int times, int width, int height);

/* Copies part into raster, its first pixel to x, y; it must fit. */
void raster_put (Raster *raster, const Raster *part, int x, int y);

/* Blocks of one colour between noise, extremes among both. wild: floating-point samples also leave
 * 0 to 1. */
void raster_fill (Raster *raster, GRand *rand, gboolean wild);

/* A copy in which the engine (on the CPU) has blurred region, or everything if that is NULL. NULL
 * with error set if the engine refuses. */
Raster *raster_blur (const Raster *raster, const BlurParams *params, const FxRect *region,
                     GError **error);

/* The stored values, integers mapped to 0 to 1: width * height * channels doubles, g_free them. */
double *raster_values (const Raster *raster);

/* The same of the blurred image: a convolution straight from the definition, to 6 sigma. */
double *raster_convolve (const Raster *raster, const BlurParams *params);

/* In place: stored values of that many pixels to premultiplied ones in that light, and back. */
void raster_premultiply (double *values, gsize pixels, const FxFormat *format, FxLight light);
void raster_unpremultiply (double *values, gsize pixels, const FxFormat *format, FxLight light);

/* values over raster through a mask of width * height values of 0 to 1, in linear light and
 * premultiplied, as GIMP merges a plug-in's result through a selection. */
double *raster_mix (const Raster *raster, const double *values, const double *mask);

/* In place: restores some channels (bits) of values from raster, as GIMP leaves components that are
 * not active, or a locked alpha, and the colour of what becomes transparent. */
void raster_keep (const Raster *raster, double *values, guint channels);

/* Compares with expected stored values. factor: how many times the engine's error contract may be
 * used up. range: the largest source magnitude. Returns NULL, or what is worst and where. */
char *raster_compare (const Raster *actual, const double *expected, double range, double factor);

/* The largest magnitude in it, at least 1. */
double raster_range (const Raster *raster);

/* NULL, or the first byte's place that differs, and how many do. */
char *raster_differs (const Raster *actual, const Raster *expected);
