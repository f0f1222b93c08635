#include "blur-gpu.h"
#include "gpu-tile.h"
#include "paths.h"

const FxGpuPath *
blur_get_gpu_path (const FxPlan *plan)
{
  if (blur_plan_is_multires (plan))
    return &blur_gpu_grids;
  return blur_tile_fits (plan) ? &blur_gpu_fir : &blur_gpu_rows;
}
