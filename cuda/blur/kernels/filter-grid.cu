/* The FIR of the coarsest grid. */

#define SIGNED_WEIGHTS 1
#include "pixel.cuh"
#include "image.cuh"
#include "separable.cuh"

/* Both grids have the same cells. blockIdx.x is a tile, blockIdx.y a group of rows_a_block rows. */
extern "C" __global__ void
__launch_bounds__ (THREADS)
  kernel (FxGrid from, FxGrid to, BlurTaps taps_x, BlurTaps taps_y, int rows_a_block)
{
  extern __shared__ float4 shared[];
  const int start = to.y_first + (int) blockIdx.y * rows_a_block;

  convolve (
    from, taps_x, taps_y, to.x_first + (int) blockIdx.x * TILE, to.x_first + to.columns, start,
    min (start + rows_a_block, to.y_first + to.rows), from.y_first + from.rows - 1,
    (float *) shared, [&] (int y) { return get_row (to, y) - to.x_first; },
    [] (pixel_t *place, const pixel_t &pixel) { *place = pixel; });
}
