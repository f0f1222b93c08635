/* EXIF, XMP and IPTC, from one file to another as GIMP takes them: what libgimp's
 * gimp_image_metadata_load_finish, _save_prepare and _save_finish do with an image of GIMP's, and
 * GIMP's core in between, here with a picture. Calls of one at a time: Exiv2 and libgimpbase know
 * no threads. */
#ifndef METADATA_H
#define METADATA_H

#include "thumbnail.h"

G_BEGIN_DECLS

/* To be called once. */
void metadata_init (void);

/* Takes the metadata of the file that the picture is of, and of them its comment, and its
 * resolution and profile where it has none. orientation: the way it is to be turned, which GIMP
 * does before it takes them. */
gboolean metadata_load (Picture *picture, const char *path, int *orientation, GError **error);

/* Says of what the picture has become. Once, when it has been turned. */
gboolean metadata_take (Picture *picture, GError **error);

/* Whether GIMP would write a thumbnail with it. */
gboolean metadata_want_thumbnail (const Picture *picture);

/* Adds them to the file that the picture was written to. mime_type: of that. thumbnail: may be
 * NULL. */
gboolean metadata_save (Picture *picture, const Thumbnail *thumbnail, const char *path,
                        const char *mime_type, GError **error);

G_END_DECLS

#endif
