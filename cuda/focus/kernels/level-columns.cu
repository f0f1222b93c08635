/* The first half of a level: the columns of a finer one are convolved, and every step-th cell is
 * kept. Constants to define before this file, in addition to those of pixel.cuh: THREADS of a
 * block. */

#include "pixel.cuh"
#include "image.cuh"
#include "pyramid.cuh"

/* Makes rows top to end - 1 of to, LEVEL_RUN for each row of blocks. Both have the same columns. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxGrid from, FxGrid to, FocusLevel given, int top, int end)
{
  __shared__ FocusLevel level;
  const int column = (int) (blockIdx.x * THREADS + threadIdx.x);
  const int y = top + (int) blockIdx.y * LEVEL_RUN;
  pixel_t sums[LEVEL_RUN] = {};

  share (given, level);
  if (column >= to.columns)
    return;
#pragma unroll 2
  for (int k = -level.radius; k <= level.radius + (LEVEL_RUN - 1) * level.step; k++)
    {
      const pixel_t cell = load (find_row (from, y * level.step + k) + column);

#pragma unroll
      for (int i = 0; i < LEVEL_RUN; i++)
        {
          const int distance = abs (k - i * level.step);

          if (distance <= level.radius)
            add (cell, level.weights[distance], sums[i]);
        }
    }
#pragma unroll
  for (int i = 0; i < LEVEL_RUN; i++)
    if (y + i < end)
      get_row (to, y + i)[column] = sums[i];
}
