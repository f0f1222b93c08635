/* The paths of the blur on each device. */
#ifndef BLUR_PATHS_H
#define BLUR_PATHS_H

#include "plan.h"

G_BEGIN_DECLS

const FxBackend *blur_get_cpu_path (const FxPlan *plan);
const FxGpuPath *blur_get_gpu_path (const FxPlan *plan); /* only in builds with CUDA */

G_END_DECLS

#endif
