/* A grid -> the next coarser one. */

#include "pixel.cuh"
#include "image.cuh"
#include "multires.cuh"

/* Rows first to end - 1 of the coarser grid; a block's y is rows_a_block of them. */
extern "C" __global__ void __launch_bounds__ (STAGE_THREADS)
kernel (FxGrid from, FxGrid to, BlurStageWeights stage_x, BlurStageWeights stage_y, int first,
        int end, int rows_a_block)
{
  __shared__ decimate_t shared;
  const int start = first + (int) blockIdx.y * rows_a_block;

  /* A grid is small: few blocks wait for memory side by side. */
  decimate<8> (from, stage_x, stage_y, to, (int) blockIdx.x * get_block_cells (stage_x.factor),
               start, min (start + rows_a_block, end), shared);
}
