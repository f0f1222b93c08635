/* The window in which a filter with a matrix is set, with the result beside its controls. For the
 * main thread. */
#pragma once

#include "filter.h"

#include <libgimp/gimp.h>

/* Shows the window for drawables of image, of which there is at least one and which end with NULL,
 * and waits until the user closes it. It opens with settings. If there is one drawable, and it has
 * effects of the filter, it opens on the topmost one, and the user chooses which one to edit, or a
 * new one.
 *
 * Returns TRUE if the user pressed OK. settings and *as_effect are then what was chosen, and the
 * drawables have the effect or, if not *as_effect, the result in their pixels. Otherwise nothing in
 * the image was changed, and settings and *as_effect are unchanged; returns FALSE, without an error
 * if the user cancelled, or if the image or a drawable was no longer there. */
gboolean designer_run (const FilterDescription *filter, GimpImage *image,
                       GimpDrawable *const *drawables, FilterSettings *settings,
                       gboolean *as_effect, GError **error);
