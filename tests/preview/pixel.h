/* One pixel of a subject in double precision, and its leeway: by how much it may differ from device
 * to device (test-preview.c). */
#pragma once

#include "subject.h"

#define PIXEL_PRECISION 1e-6  /* of premultiplied light: what single precision leaves open */
#define PIXEL_SLOPE_MAX 12.92 /* of sRGB's curve */

/* A pixel's channels, premultiplied; linear: of samples through the curve. */
void pixel_decode (const Subject *s, gconstpointer samples, gsize i, gboolean linear,
                   double *values);

/* Pixel i of the grown image; share: of the blur in it. Of coverage: as it is stored. */
void pixel_mix (const Subject *s, gconstpointer before, gconstpointer after, gsize i, double share,
                double *values);

/* Restores the locked channels of pixel i, as straight values, and all channels if it is
 * transparent. */
void pixel_keep (const Subject *s, gconstpointer before, gsize i, double *values);

/* The leeways of pixel i of the blur. exact: its samples before they were rounded, or NULL; they
 * tell which are near a tie, of 8 bits, where a step matters. */
void pixel_get_leeways (const Subject *s, gconstpointer after, const double *exact, gsize i,
                        double *leeways);

/* The same after values were mixed of it and stored once more. */
void pixel_mix_leeways (const Subject *s, double share, const double *values, double *leeways);

/* Updates the leeways of values whose locked channels are restored. A straight colour has its
 * premultiplied one's, divided by its alpha; a pixel that may be transparent may be another
 * altogether. */
void pixel_keep_leeways (const Subject *s, gconstpointer before, gsize i, const double *values,
                         double *leeways);

/* Converts the leeway of a stored colour to linear light. trc: NULL if it is stored linear. */
double pixel_spread (const FxTrc *trc, double value, double leeway);
