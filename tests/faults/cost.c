/* What a GPU costs: nothing, so that the automatic choice takes it. */
#include "device.h"

const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost;

  return &cost;
}

double
fx_gpu_get_launch_limit (FxGpu *gpu)
{
  return G_MAXDOUBLE;
}
