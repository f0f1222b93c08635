/* Decimates source rows to the finest grid of the multi-resolution method. */

#include "pixel.cuh"
#include "image.cuh"
#include "multires.cuh"

/* Computes rows first to end - 1 of the grid; blockIdx.y is a group of rows_a_block rows. */
extern "C" __global__ void __launch_bounds__ (STAGE_THREADS, STAGE_BLOCKS)
kernel (FxSource source, FxGrid to, BlurStageWeights stage_x, BlurStageWeights stage_y, int first,
        int end, int rows_a_block)
{
  __shared__ decimate_t shared;
  const int start = first + (int) blockIdx.y * rows_a_block;

  init_decode (STAGE_THREADS);
  /* The image is large: while one block waits for memory, others compute. */
  decimate<1> (source, stage_x, stage_y, to, (int) blockIdx.x * get_block_cells (stage_x.factor),
               start, min (start + rows_a_block, end), shared);
}
