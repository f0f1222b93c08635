/* The end of a filter's work: what was written to a drawable's shadow is put into the drawable. */
#ifndef RENDER_MERGE_H
#define RENDER_MERGE_H

#include "render-target.h"
#include "tiles.h"

G_BEGIN_DECLS

/* What of the drawable is selected; empty if nothing is. FALSE with error if GIMP would not say. */
gboolean render_get_selected (const RenderTarget *target, FxRect *rect, GError **error);

/* Makes target of its shadow, and closes tiles. written: all of the shadow that was. all: no less
 * will do than that all of it gets through. This is where it is decided whether the target, the
 * selection and the shadow are what they were when the work began; if they are not, that is the
 * error, and the target is as it was. */
gboolean render_merge (const RenderTarget *target, Tiles **tiles, const FxRect *written,
                       gboolean all, GError **error);

G_END_DECLS

#endif
