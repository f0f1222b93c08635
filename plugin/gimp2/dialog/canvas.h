/* The preview on the image's canvas: shows the whole filtered layer in the image window, on a
 * temporary layer in place of the user's. The user's layer is hidden during that time, and never
 * written.
 *
 * Freeing the canvas restores the pixels, the undo and redo history, the active layer, the
 * visibility, and whether the image has unsaved changes. If it has, GIMP has counted some more
 * changes, so that undoing back to the saved state no longer clears the mark.
 *
 * If this process is killed, the user's layer stays hidden beside the temporary one, whose name
 * says what it is. If it is killed in the few milliseconds while the temporary layer is inserted,
 * enlarged or removed, undo also stays frozen until a filter is called for the image again
 * (undo-freeze.h).
 *
 * For the main thread only, as all of libgimp. */
#pragma once

#include "apply-job.h"

typedef struct Canvas Canvas;

/* Returns the reason why the canvas cannot show target, translated, or NULL if it can. */
const char *canvas_get_refusal (const ApplyTarget *target);

/* Replaces target by a copy of it on the canvas, and shows the copy. canvas_get_refusal must have
 * returned NULL for target. filter is named in the temporary layer's name. Returns NULL with error
 * if GIMP refuses; the image is then as before. Free the canvas with canvas_free. */
Canvas *canvas_new (const ApplyTarget *target, const FilterDescription *filter, GError **error);

/* Sets the result for canvas_write to write: pixels has all of job's image, in target's format and
 * in rows without padding. Takes ownership of pixels, even on failure; it must be from g_malloc.
 * changed is the part that may differ from the user's layer. If the last result is still being
 * written, writing continues from there with the new one, so that each part of the layer gets its
 * turn however fast results come. Returns FALSE with error if the temporary layer is lost, or
 * cannot grow as job requires. */
gboolean canvas_set (Canvas *canvas, const ApplyJob *job, guint8 *pixels, const FxRect *changed,
                     GError **error);

/* Writes tiles until the monotonic time until, in microseconds, but at least one. Returns TRUE if
 * there is more to write. Now and then lets GIMP show what was written: GIMP then redraws, and any
 * call of libgimp waits for that. */
gboolean canvas_write (Canvas *canvas, gint64 until);

/* Returns whether the last canvas_set or canvas_write found that the user has removed or changed
 * the temporary layer, or closed the image. Nothing is written any more. */
gboolean canvas_is_lost (const Canvas *canvas);

/* Removes the temporary layer and shows the user's again, as far as both still exist. This becomes
 * visible when the caller flushes the displays: not at once, so that a layer that gets new pixels
 * next does not flash up with the old ones. NULL is legal. */
void canvas_free (Canvas *canvas);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Canvas, canvas_free)
