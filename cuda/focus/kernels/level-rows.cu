/* The second half of a level: the rows of the first half are convolved, and every step-th cell is
 * kept. Constants to define before this file, in addition to those of pixel.cuh: THREADS of a
 * block. */

#include "pixel.cuh"
#include "image.cuh"
#include "pyramid.cuh"

/* The cells of a row that a block needs, in step groups: so neighbouring threads, which read every
 * step-th cell, read neighbouring ones of a group. A step is at least 2. */
#define GROUP_MAX (THREADS + FOCUS_TAPS_MAX + 1)

/* Makes the rows of to from top on, one for each row of blocks. Both have the same rows. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxGrid from, FxGrid to, FocusLevel given, int top)
{
  __shared__ FocusLevel level;
  __shared__ pixel_t cells[LEVEL_STEP_MAX * GROUP_MAX];
  const int left = (int) blockIdx.x * THREADS, column = left + (int) threadIdx.x;
  const int step = given.step, group = THREADS + 2 * given.radius / step + 1;
  const int first = (to.x_first + left) * step - given.radius - from.x_first;
  const int y = top + (int) blockIdx.y;
  const pixel_t *row = get_row (from, y);
  pixel_t sum = {};

  for (int i = threadIdx.x; i < step * group; i += THREADS)
    store (load (row + clamp (first + i, 0, from.columns - 1)),
           cells + (i % step * group + i / step));
  share (given, level);
  if (column >= to.columns)
    return;
#pragma unroll 1
  for (int i = 0; i < step; i++)
    {
      const pixel_t *cell = cells + (i * group + (int) threadIdx.x);

#pragma unroll 4
      for (int k = i - level.radius; k <= level.radius; k += step)
        add (load (cell++), level.weights[abs (k)], sum);
    }
  store (sum, get_row (to, y) + column);
}
