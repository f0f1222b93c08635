/* What a GPU costs: measured on an H100, to a factor that the choice between devices can bear. */
#include "device.h"

/* Opening: cuInit and the primary context, 220 ms, and a look for NVRTC. A run: of the fewest
 * pixels, warm. A megabyte: copied to the device and back, and run in between. */
const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = { .open = 250.0, .run = 0.06, .megabyte = 0.15 };

  return &cost;
}
