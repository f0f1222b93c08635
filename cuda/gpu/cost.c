/* The costs of a GPU, measured on an H100: the first estimates, which engine/choice.c corrects. */
#include "device.h"

/* open: cuInit and the primary context take 220 ms, and locating NVRTC the rest. run: a warm run of
 * very few pixels. megabyte: copying it to the device and back, and decoding it in between.
 * work: GPU_SPEED in preview/preview.c. */
const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = {
    .open = 250.0, .run = 0.06, .megabyte = 0.15, .work = 1.0 / 400.0
  };

  return &cost;
}
