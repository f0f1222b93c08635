/* How an operation takes part when GEGL evaluates a graph: the functions of its class. */
#pragma once

#include "filter.h"

#include <gegl-plugin.h>

/* Has the operation compute in the place of theirs, at its node, which outlives it, with the
 * settings that it fixes. The result then has the bounding box of theirs, and an alpha if it has
 * one; the pads keep the formats that theirs sets. Call this before the functions below. */
void evaluate_set_theirs (GeglOperation *operation, GeglOperation *theirs);

/* Has the operation, which is part of a graph of GEGL's, take its settings for those of GEGL's
 * operation, and convert them. Call this before the functions below. */
void evaluate_set_take_over (GeglOperation *operation, const TakeOver *take_over);

void evaluate_prepare (GeglOperation *operation);

/* Returns whether an operation in the place of another one, which was prepared, gives the samples
 * that it gives (has_same_samples of TakeOver). */
gboolean evaluate_has_same_samples (GeglOperation *operation);

GeglRectangle evaluate_get_bounding_box (GeglOperation *operation);
GeglRectangle evaluate_get_required_for_output (GeglOperation *operation, const char *pad,
                                                const GeglRectangle *roi);
GeglRectangle evaluate_get_invalidated_by_change (GeglOperation *operation, const char *pad,
                                                  const GeglRectangle *changed);

/* Returns the region to compute together with roi. This is the whole stale part, because a call for
 * each tile costs more than the work; but hardly more than roi if it takes seconds, so that GIMP
 * can handle Cancel in between. */
GeglRectangle evaluate_get_cached_region (GeglOperation *operation, const GeglRectangle *roi);

/* aux has the map of a filter that takes one; without it, the result is the input. Returns FALSE
 * only for an operation in the place of another one, which must then compute the result: GEGL would
 * still use the contents of output. */
gboolean evaluate_process (GeglOperation *operation, GeglBuffer *input, GeglBuffer *aux,
                           GeglBuffer *output, const GeglRectangle *result, int level);
