/* The preview on the image's canvas: the whole blurred layer, in the image window, on a temporary
 * layer that takes the place of the user's. That one is hidden meanwhile and never written.
 *
 * Once the canvas is freed, pixels, undo and redo history, active layer and visibility are what
 * they were, and so is the unsaved-changes mark. Of an image that has one, GIMP has then counted
 * some more changes, so that undoing back to what was saved does not take the mark away.
 *
 * Where this process is killed, the user's layer stays hidden beside the temporary one, whose name
 * says what it is; in the few milliseconds in which that one is inserted, enlarged or removed, undo
 * also stays frozen, until a filter is called for the image again (undo-freeze.h).
 *
 * For the main thread only, as all of libgimp. */
#ifndef CANVAS_H
#define CANVAS_H

#include "render-job.h"

G_BEGIN_DECLS

typedef struct Canvas Canvas;

/* Why the canvas cannot show target, in the user's language; NULL: it can. */
const char *canvas_get_refusal (const RenderTarget *target);

/* Puts a copy of target, of which there must be no refusal, in its place and shows it. NULL
 * with error if GIMP refuses; all is then as before. filter: which the temporary layer's
 * name is to say. */
Canvas *canvas_new (const RenderTarget *target, const Filter *filter, GError **error);

/* Takes a new result for canvas_write to write. pixels: all of job's image, in target's format,
 * rows without padding; they are the canvas's from now on, whatever is returned. changed: the part
 * of them that may differ from the layer's own. A result that is still being written is given up
 * and the new one written from there on, so that each part of the layer has its turn, however fast
 * results come. FALSE with error if the temporary layer is lost, or cannot grow as job says. */
gboolean canvas_set (Canvas *canvas, const RenderJob *job, guint8 *pixels, const FxRect *changed,
                     GError **error);

/* Writes until that time, by g_get_monotonic_time, a tile at least, and has GIMP show it. TRUE:
 * there is more to write. After that GIMP redraws, and any call of libgimp waits for it. */
gboolean canvas_write (Canvas *canvas, gint64 until);

/* Whether the last call of the two above found that the user had removed or changed the temporary
 * layer, or closed the image. Nothing is written any more. */
gboolean canvas_is_lost (const Canvas *canvas);

/* Takes the temporary layer away and gives the user's back, as far as they are still there. It is
 * seen when the caller flushes the displays: not at once, so that a layer that gets new pixels next
 * does not flash up with its old ones. NULL is legal. */
void canvas_free (Canvas *canvas);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Canvas, canvas_free)

G_END_DECLS

#endif
