/* How the convolution is run on each device. */
#ifndef CONVOLVE_WAYS_H
#define CONVOLVE_WAYS_H

#include "convolve-plan.h"

G_BEGIN_DECLS

/* By how many products of a column and a row; 0: by the taps. */
int convolve_cpu_get_products (const ConvolvePlan *plan);
int convolve_gpu_get_products (const ConvolvePlan *plan);

/* Says which way a run goes. */
void convolve_trace_way (const ConvolvePlan *plan, const char *way);

double convolve_get_cpu_cost (const FxPlan *plan);
const FxBackend *convolve_get_cpu_way (const FxPlan *plan);
const FxGpuWay *convolve_get_gpu_way (const FxPlan *plan); /* there in builds with CUDA alone */

G_END_DECLS

#endif
