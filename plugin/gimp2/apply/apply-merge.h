/* The last step of a filter: merges the shadow of a drawable, where the result was written, into
 * the drawable. */
#pragma once

#include "apply-target.h"
#include "tiles.h"

/* Sets rect to the selected part of the drawable; it is empty if no part of the drawable is
 * selected. Returns FALSE with error, and an empty rect, if GIMP refuses to answer. */
gboolean apply_get_selected (const ApplyTarget *target, FxRect *rect, GError **error);

/* Sends the tiles to GIMP, merges target's shadow into target, and closes tiles in any case.
 * written is the part of the shadow that was written. all means that the whole of written must be
 * merged; otherwise the selection may have shrunk since the work began. Checks first that the
 * target, the selection and the shadow are still what they were when the work began. Returns FALSE
 * with error if they are not, or if GIMP refuses the merge; the target is then as it was. The error
 * is APPLY_ERROR_LATE if the selection or the size changed during the merge, which was done. */
gboolean apply_merge (const ApplyTarget *target, Tiles **tiles, const FxRect *written, gboolean all,
                      GError **error);
