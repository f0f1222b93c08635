/* The paths of the blur on each device. */
#ifndef BLUR_WAYS_H
#define BLUR_WAYS_H

#include "plan.h"

G_BEGIN_DECLS

const FxBackend *blur_get_cpu_way (const FxPlan *plan);
const FxGpuWay *blur_get_gpu_way (const FxPlan *plan); /* only in builds with CUDA */

G_END_DECLS

#endif
