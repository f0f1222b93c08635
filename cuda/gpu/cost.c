/* The costs of a GPU, measured on an H100. They only need to be accurate enough to choose between
 * devices. */
#include "device.h"

/* open: cuInit and the primary context take 220 ms, and locating NVRTC the rest. run: a warm run of
 * very few pixels. megabyte: copying it to the device and back, and processing it in between. */
const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = { .open = 250.0, .run = 0.06, .megabyte = 0.15 };

  return &cost;
}
