/* The second half of a level: the rows of the first half are convolved, and every step-th cell is
 * kept. Constants to define before this file, in addition to those of pixel.cuh: THREADS of a
 * block. */

#include "pixel.cuh"
#include "image.cuh"
#include "pyramid.cuh"

/* Makes the rows of to from top on, one for each row of blocks. Both have the same rows. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxGrid from, FxGrid to, FocusLevel given, int top)
{
  __shared__ FocusLevel level;
  const int column = (int) (blockIdx.x * THREADS + threadIdx.x), y = top + (int) blockIdx.y;
  const int middle = (to.x_first + column) * given.step;
  const pixel_t *row = get_row (from, y);
  pixel_t sum = {};

  share (given, level);
  if (column >= to.columns)
    return;
#pragma unroll 4
  for (int k = -level.radius; k <= level.radius; k++)
    add (load (&row[clamp (middle + k - from.x_first, 0, from.columns - 1)]),
         level.weights[abs (k)], sum);
  get_row (to, y)[column] = sum;
}
