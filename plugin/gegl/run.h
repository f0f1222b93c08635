/* One call of an operation: a part of its result, by the engine. */
#ifndef RUN_H
#define RUN_H

#include "operation.h"
#include "pixels.h"

G_BEGIN_DECLS

typedef struct {
  GeglOperation *operation; /* that is told of progress */
  const OperationDescription *description;
  FilterSettings *settings;
  Pixels pixels;
  FxPlan *plan; /* of settings and pixels */
  GeglBuffer *input, *output;
  GeglRectangle frame;  /* of the whole result: the input's, or larger */
  gboolean clip;        /* the input's */
  GeglRectangle result; /* to be computed: within the frame */
  FxKept *kept;         /* what a GPU has of the frame's rows of input, at level 0; or NULL */
  int level;            /* of GEGL's pyramid, of which the pixels are 2^level as large: the
                           rectangles are those of level 0 */
} Run;

/* Fills the result: on the device that the settings ask for, else on the CPU; where that fails, by
 * what GEGL itself has. */
void run_process (const Run *run);

/* The part of region, with roi in it, that one call is to compute: all, or rows of it that take
 * less than about a second. */
GeglRectangle run_cut (const FxPlan *plan, const GeglRectangle *region, const GeglRectangle *roi);

G_END_DECLS

#endif
