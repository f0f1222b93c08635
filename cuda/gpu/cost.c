/* The costs of a GPU, measured on an H100: the first estimates, which engine/choice.c corrects. */
#include "device.h"

/* open: cuInit and the primary context take 220 ms; locating NVRTC takes the rest. run: a warm run
 * of very few pixels. megabyte: copying a megabyte to the device, decoding it, and copying it back.
 * work: as GPU_SPEED in preview/preview.c. */
const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = {
    .open = 250.0, .run = 0.06, .megabyte = 0.15, .work = 1.0 / 400.0
  };

  return &cost;
}
