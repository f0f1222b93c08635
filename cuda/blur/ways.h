/* How the blur is run on each device. */
#ifndef BLUR_WAYS_H
#define BLUR_WAYS_H

#include "plan.h"

G_BEGIN_DECLS

const FxBackend *blur_get_cpu_way (const FxPlan *plan);
const FxGpuWay *blur_get_gpu_way (const FxPlan *plan); /* there in builds with CUDA alone */

G_END_DECLS

#endif
