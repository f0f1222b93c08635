/* Decodes the source, for the paths of a motion blur. Constants to define before this file, in
 * addition to those of image.cuh: THREADS of a block. */

#include "pixel.cuh"
#include "image.cuh"

/* Fills the rows of grid from top on, one for each row of blocks. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, FxGrid grid, int top)
{
  const int x = grid.x_first + (int) blockIdx.x * THREADS + (int) threadIdx.x;
  const int y = top + (int) blockIdx.y;

  init_decode (THREADS);
  if (x < grid.x_first + grid.columns)
    get_row (grid, y)[x - grid.x_first] = clear_transparent (
      finish (source, fetch (source, x, y), x, y));
}
