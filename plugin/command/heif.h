/* Facts of AVIF and HEIC files that libheif tells, but not libvips. Any thread may call this. */
#pragma once

#include <glib.h>

/* Returns FALSE with IMAGE_ERROR_KIND if libvips would not load the file rightly. */
gboolean heif_check (const char *path, GError **error);

/* Returns a profile for the code points of a file that has no profile, or NULL. */
GBytes *heif_read_codes (const char *path, gboolean gray);
