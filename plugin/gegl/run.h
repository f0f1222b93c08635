/* One call of an operation, in which the engine computes a part of the result. */
#pragma once

#include "filter.h"
#include "pixels.h"

#include <gegl-plugin.h>

typedef struct {
  GeglOperation *operation; /* gets the progress */
  const FilterDescription *filter;
  FilterSettings *settings;
  Pixels pixels;
  FxPlan *plan; /* made from settings and pixels */
  GeglBuffer *input, *output;
  GeglRectangle frame;        /* the place of the whole result: the input's, or larger */
  GeglRectangle result;       /* the part to compute, within the frame */
  FxResidentSource *resident; /* rows of the frame resident on the GPU, at level 0; may be NULL */
  int level;                  /* pixels are 2^level as large; the rectangles are those of level 0 */
  gboolean theirs;            /* GEGL's own code computes the result if the engine fails */
} Run;

/* Computes the result on the device that the settings ask for, or else on the CPU. Shows errors as
 * messages. Returns FALSE if both fail: output may then contain a part of the result. */
gboolean run_process (const Run *run);
/* Returns the part of region that one call is to compute on device, which contains roi: all of
 * region if that takes less than about a second, or if its parts would take much longer than the
 * whole; otherwise roi, or some columns more. frame is the place of the whole result. */
GeglRectangle run_cut (FxPlan *plan, FxDevice device, const GeglRectangle *region,
                       const GeglRectangle *roi, const GeglRectangle *frame);
