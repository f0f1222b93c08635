/* The take-over of one of GEGL's operations that compute pixels themselves. */
#pragma once

#include <gegl-plugin.h>

/* Has each new operation of the class, which must be recorded (taken.h), compute by one of ours
 * that it has with it. It keeps its pads, their formats and its bounding box. GEGL's own code
 * computes if ours cannot be set as theirs is, if there is no finite input, if there is an aux, and
 * if the engine fails. Operations of before stay GEGL's own. */
void take_over_process_replace (GeglOperationClass *class);
