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

/* Takes the metadata of the picture's file. They also give the picture its comment, and resolution
 * and profile where the file has no others. orientation: how the picture is to be turned, which
 * comes before metadata_take. */
gboolean metadata_load (Picture *picture, const char *path, int *orientation, GError **error);

/* Makes the metadata say what the picture has become. To be called once, when it is turned. */
gboolean metadata_take (Picture *picture, GError **error);

/* Whether GIMP would write a thumbnail with it. */
gboolean metadata_want_thumbnail (const Picture *picture);

/* Adds them to the file that the picture was written to. mime_type: of that. thumbnail: may be
 * NULL. */
gboolean metadata_save (Picture *picture, const Thumbnail *thumbnail, const char *path,
                        const char *mime_type, GError **error);

G_END_DECLS

#endif
