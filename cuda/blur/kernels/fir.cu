/* The FIR of a whole image in one kernel, from source rows to result rows. */

#include "pixel.cuh"
#include "image.cuh"
#include "separable.cuh"

/* Computes result rows first to end - 1, columns left to right - 1. result is the address of row
 * first. blockIdx.x is a tile, blockIdx.y a group of rows_a_block rows. */
extern "C" __global__ void
__launch_bounds__ (THREADS)
  kernel (FxSource source, BlurTaps taps_x, BlurTaps taps_y, int left, int right, int first,
          int end, int rows_a_block, stored_t *result)
{
  extern __shared__ float4 shared[];
  const int start = first + (int) blockIdx.y * rows_a_block;
  const int last = end - 1 + taps_y.radius; /* no result depends on later rows */

  init_decode (THREADS);
  convolve (
    source, taps_x, taps_y, left + (int) blockIdx.x * TILE, right, start,
    min (start + rows_a_block, end), last, (float *) shared,
    [&] (int y) { return result + (long long) (y - first) * (right - left) - left; },
    [] (stored_t *place, const pixel_t &pixel) { *place = encode (pixel); });
}
