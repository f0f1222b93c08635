/* Interpolates a grid to the next finer one. */

#include "pixel.cuh"
#include "image.cuh"
#include "multires.cuh"

/* Computes rows first to end - 1 of the finer grid; blockIdx.y is a group of rows_a_block rows. */
extern "C" __global__ void __launch_bounds__ (STAGE_THREADS, STAGE_BLOCKS)
kernel (FxGrid from, FxGrid to, BlurStageWeights stage_x, BlurStageWeights stage_y, int first,
        int end, int rows_a_block)
{
  const int column = blockIdx.x * STAGE_THREADS + threadIdx.x;
  const int start = first + (int) blockIdx.y * rows_a_block;

  if (column < to.columns)
    interpolate (stage_x, stage_y, from, to.x_first + column, start,
                 min (start + rows_a_block, end),
                 [&] (int y, const pixel_t &pixel) { get_row (to, y)[column] = pixel; });
}
