#include "convolve-gpu.h"
#include "ways.h"

const FxGpuWay *
convolve_get_gpu_way (const FxPlan *plan)
{
  return convolve_gpu_get_products (convolve_plan_get (plan)) ? &convolve_gpu_products
                                                              : &convolve_gpu_direct;
}
