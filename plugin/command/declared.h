/* What image files declare of their colour without an ICC profile, as one. Thread safe. */
#ifndef DECLARED_H
#define DECLARED_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns a profile for gray or RGB of what a PNG file declares by its chunks, in their ranks:
 * cICP, then its own profile, which has_profile says that it has, sRGB, gAMA with cHRM. Returns
 * NULL if that is its own profile, or nothing that is known. */
GBytes *declared_by_png (const char *path, gboolean has_profile, gboolean gray);

/* The same by the code points of an AVIF or HEIC file that has no profile. */
GBytes *declared_by_heif (const char *path, gboolean gray);

G_END_DECLS

#endif
