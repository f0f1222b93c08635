/* Transfers the pixels of a drawable with libgimp's own tile calls, which need neither GEGL nor
 * babl. A GeglBuffer makes the same calls and copies each tile once more: with one in their place,
 * a call for 24 megapixels took the resident process 734 ms, not 292, at 8-bit, and 1712, not 806,
 * in float (with the engine on the CPU, the least of 20 on two cores). For the main thread only. */
#pragma once

#include "apply-target.h"

/* A drawable opened for reading its tiles and for writing those of its shadow, in which GIMP
 * collects the new pixels until they are merged. */
typedef struct Tiles Tiles;

/* Opens the target's drawable, with the size and the format that the target has: GIMP might by now
 * give others, and the caller's buffers are for these. split means that rows of tiles will be read
 * or written in parts; libgimp's cache then keeps tiles between calls. It also does so if a row of
 * tiles is larger than one of the engine's bands. Never returns NULL; close it with tiles_close. */
Tiles *tiles_open (const ApplyTarget *target, gboolean split);

/* Sends the tiles that are not yet sent to GIMP, and closes tiles. NULL is legal. */
void tiles_close (Tiles *tiles);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tiles, tiles_close)

/* Reads rect to pixels, in the drawable's own format and in rows that are stride bytes apart. Fills
 * what lies outside of the drawable with zeros. */
void tiles_read (Tiles *tiles, const FxRect *rect, gpointer pixels, gsize stride);

/* Writes rect, which must lie within the drawable, to the shadow. wanted is the area that all calls
 * together write, each pixel once; in tiles that extend beyond it, the other pixels are
 * undefined. */
void tiles_write (Tiles *tiles, const FxRect *rect, const FxRect *wanted, gconstpointer pixels,
                  gsize stride);

/* Sends the tiles that were written to GIMP. */
void tiles_flush (Tiles *tiles);

/* Frees the shadow, and drops tiles that are not yet sent to GIMP: the drawable may have
 * changed. */
void tiles_free_shadow (Tiles *tiles);

/* Returns whether the shadow still holds what was sent to GIMP. Compares one pixel that is not
 * zero; returns TRUE if none was written. GIMP may have freed the shadow: some of its commands do
 * so, and so does the end of another plug-in that has written to it. */
gboolean tiles_check_shadow (Tiles *tiles);

/* Writes rect, which must lie within the drawable or be empty, to the drawable itself, at once and
 * without undo. The drawable must exist, be unlocked, and have the size that it was opened with;
 * otherwise GIMP ends this process. */
void tiles_put (Tiles *tiles, const FxRect *rect, gconstpointer pixels, gsize stride);
