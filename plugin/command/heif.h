/* Facts of AVIF and HEIC files that libheif tells, but not libvips. Any thread may call this. */
#pragma once

#include <glib.h>

/* Checks the depth of a file. Sets premultiplied to whether the
 * colours are to be divided by alpha. Returns FALSE with error set if libvips is not trusted with
 * the file. */
gboolean heif_check (const char *path, gboolean *premultiplied, GError **error);

/* Returns a profile for the code points of a file that has no profile, or NULL. */
GBytes *heif_read_codes (const char *path, gboolean gray);
