/* The pixels of a drawable, by libgimp's own tile calls: nothing in libgimp moves them with less
 * work, and they need neither GEGL nor babl. For the main thread only. */
#ifndef TILES_H
#define TILES_H

#include "image.h"

G_BEGIN_DECLS

/* A drawable opened for reading its tiles and writing those of its shadow: the drawable to be, as
 * GIMP keeps it until it is merged. */
typedef struct Tiles Tiles;

/* Opens the drawable of that ID. split: rows of tiles will be asked for in parts; tiles are then
 * kept from one call to the next, as they are where a row of them is too large for a band of the
 * engine's. */
Tiles *tiles_open (gint32 drawable, gboolean split);

/* The same without asking GIMP for its size, and for the bytes of a pixel. */
Tiles *tiles_open_as (gint32 drawable, int width, int height, gsize pixel, gboolean split);

/* Gives what was written to GIMP. NULL is legal. */
void tiles_close (Tiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tiles, tiles_close)

/* Reads the part of rect that lies within the drawable into pixels, in the drawable's own format,
 * and fills the rest of it with zeros; rows are stride bytes apart. */
void tiles_read (Tiles *tiles, const FxRect *rect, gpointer pixels, gsize stride);

/* Writes rect, which lies within the drawable, to the shadow. wanted: all that will be written,
 * each pixel once; of tiles that reach beyond it the rest is undefined. */
void tiles_write (Tiles *tiles, const FxRect *rect, const FxRect *wanted, gconstpointer pixels,
                  gsize stride);

/* Gives what was written to GIMP. */
void tiles_flush (Tiles *tiles);

/* Frees the shadow, and does not give GIMP what it has not got yet: the drawable may be another. */
void tiles_free_shadow (Tiles *tiles);

/* Whether the shadow still holds what was given to GIMP. It does not where GIMP has freed it, as it
 * does when another plug-in ends that has written it, or on commands of its own. */
gboolean tiles_check_shadow (Tiles *tiles);

/* Writes rect, which lies within the drawable or is empty, to the drawable itself: at once, and
 * without undo. A stride of 0 gives each row the same pixels. The drawable must be there, unlocked,
 * and of the size it had when it was opened: else GIMP ends this process. */
void tiles_put (Tiles *tiles, const FxRect *rect, gconstpointer pixels, gsize stride);

G_END_DECLS

#endif
