/* The window in which a filter with a matrix is set, with the result live on the canvas as a layer
 * effect. For the main thread. */
#ifndef DESIGNER_H
#define DESIGNER_H

#include "filter.h"

#include <libgimp/gimp.h>

G_BEGIN_DECLS

/* Shows the window for drawable, which is image's, and waits until the user closes it. It opens
 * with settings, or on the topmost effect of the filter that the drawable has, to edit it.
 *
 * Returns TRUE if the user pressed OK. settings and *as_effect are then what was chosen, and the
 * drawable has the effect or, if not *as_effect, the result in its pixels. Otherwise the drawable,
 * its effects and the undo history are as they were, and settings and *as_effect are unchanged;
 * returns FALSE, without an error if the user cancelled. */
gboolean designer_run (const FilterDescription *filter, GimpImage *image, GimpDrawable *drawable,
                       FilterSettings *settings, gboolean *as_effect, GError **error);

G_END_DECLS

#endif
