/* ICC profiles, through lcms2: their tone curves, and profiles for what files declare of their
 * colour in other ways. Thread safe. */
#pragma once

#include "format.h"

/* Sets the curve of a format by the profile of its image, as fit_set_trc does. If the profile has
 * no tone curve that all its channels share, because it is a table of colours, for example, leaves
 * sRGB's curve and returns FALSE. */
gboolean profile_set_trc (FxFormat *format, gconstpointer icc, gsize size);

/* The places of red, green, blue and white, each x and y. */
typedef struct {
  double red[2], green[2], blue[2], white[2];
} Chromaticities;

/* Profiles that are made of the same numbers have the same bytes. */

/* Returns a profile for gray or RGB with the primaries and the tone curve that have these code
 * points in ITU-T H.273. A curve that is a table in it is exact in its tag "cicp" (ICC.1:2022).
 * Returns NULL if a code point is not known. */
GBytes *profile_new_from_codes (int primaries, int transfer, gboolean gray);

/* Returns a profile for gray or RGB in which light is the stored value to the power of gamma;
 * chromaticities may be NULL for sRGB's. Returns NULL if the numbers make no sense. */
GBytes *profile_new_from_gamma (double gamma, const Chromaticities *chromaticities, gboolean gray);

/* Returns a profile for gray with the tone curve that the channels of a profile for RGB share.
 * Returns NULL if they share none, or if the profile is for other colours. */
GBytes *profile_new_gray (gconstpointer icc, gsize size);
