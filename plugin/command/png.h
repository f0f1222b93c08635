/* What PNG files declare by chunks that libvips passes over. Any thread may call this. */
#pragma once

#include <glib.h>

/* Returns how many frames the file has: libvips loads the first one. */
int png_count_frames (const char *path);

/* Returns a profile for the colours that the file declares by its chunks, in their ranks: cICP,
 * then its own profile, sRGB, gAMA with cHRM. Returns NULL if that is its own profile, or nothing
 * that is known. */
GBytes *png_read_colour (const char *path, gboolean has_profile, gboolean gray);
