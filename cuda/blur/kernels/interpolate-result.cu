/* Interpolates the finest grid of the multi-resolution method to result rows. */

#define SIGNED_WEIGHTS 1
#include "pixel.cuh"
#include "image.cuh"
#include "multires.cuh"

/* Computes result rows first to end - 1, columns left to right - 1. result is the address of row
 * first. */
extern "C" __global__ void __launch_bounds__ (STAGE_THREADS, STAGE_BLOCKS)
kernel (FxGrid from, BlurStageWeights stage_x, BlurStageWeights stage_y, int left, int right,
        int first, int end, int rows_a_block, stored_t *result)
{
  const int x = left + (int) (blockIdx.x * STAGE_THREADS + threadIdx.x);
  const int start = first + (int) blockIdx.y * rows_a_block;

  if (x < right)
    interpolate (stage_x, stage_y, from, x, start, min (start + rows_a_block, end),
                 [&] (int y, const pixel_t &pixel)
                 {
                   result[(long long) (y - first) * (right - left) + (x - left)] = encode (pixel);
                 });
}
