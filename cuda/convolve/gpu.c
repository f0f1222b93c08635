#include "convolve-gpu.h"
#include "paths.h"

const FxGpuPath *
convolve_get_gpu_path (const FxPlan *plan)
{
  return convolve_gpu_get_products (convolve_plan_get (plan)) ? &convolve_gpu_products
                                                              : &convolve_gpu_direct;
}
