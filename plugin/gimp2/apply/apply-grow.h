/* Filters a layer that grows by the filter's reach. */
#pragma once

#include "apply-job.h"

/* Runs job, which must grow, on target, in one undo step. The layer is not touched until the whole
 * result is in a temporary file. Returns FALSE with error on failure; the layer is then as it was,
 * except after APPLY_ERROR_LATE. report may be NULL; it is filled only if the engine has
 * finished. */
gboolean apply_grown (FxEngine *engine, const ApplyTarget *target, const ApplyJob *job,
                      FxReport *report, GError **error);

/* Undoes what a process leaves behind if it is killed while it grows a layer: the layer enlarged,
 * with its old pixels and an empty border. This makes a separate undo step. Does nothing if the
 * drawable does not look like that, or if another process is filtering it. width and height are the
 * layer's size before, in pixels. */
void apply_repair (gint32 drawable, const FilterSettings *settings, int width, int height);

/* Fills the border of layer's mask, if it has one, with white: GIMP makes it black, which would
 * hide the part by which the layer has grown. old is the mask's place before; layer has its new
 * size. This is an undo step. Returns FALSE with error if the mask cannot be written or has another
 * size. */
gboolean apply_grow_whiten (const ApplyTarget *layer, const FxRect *old, GError **error);
