/* Decimates a grid to the next coarser one. */

#include "pixel.cuh"
#include "image.cuh"
#include "multires.cuh"

/* Computes rows first to end - 1 of the coarser grid; blockIdx.y is a group of rows_a_block
 * rows. */
extern "C" __global__ void __launch_bounds__ (STAGE_THREADS)
kernel (FxGrid from, FxGrid to, BlurStageWeights stage_x, BlurStageWeights stage_y, int first,
        int end, int rows_a_block)
{
  __shared__ decimate_t shared;
  const int start = first + (int) blockIdx.y * rows_a_block;

  /* A grid is small, so few other blocks hide the memory latency: each fetches far ahead. */
  decimate<8> (from, stage_x, stage_y, to, (int) blockIdx.x * get_block_cells (stage_x.factor),
               start, min (start + rows_a_block, end), shared);
}
