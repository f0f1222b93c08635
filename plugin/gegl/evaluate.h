/* How an operation takes part when GEGL evaluates a graph: the functions of its class. */
#pragma once

#include "filter.h"

#include <gegl-plugin.h>

void evaluate_prepare (GeglOperation *operation);

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
