/* Makes the marks of a level of those of a finer one. Constants to define before this file, in
 * addition to those of pixel.cuh: THREADS of a block. */

#include "pixel.cuh"
#include "image.cuh"
#include "pyramid-args.h"

/* Fills the rows of to from top on, one for each row of blocks. A cell of to stands for step x step
 * cells of from. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FocusMarksArgs from, FocusMarksArgs to, int step, int top, const int *seen)
{
  const int column = (int) (blockIdx.x * THREADS + threadIdx.x), row = top + (int) blockIdx.y;
  const int x = (to.x + column) * step - from.x, y = (to.y + row) * step - from.y;
  unsigned bits = 0;

  if (! *seen || column >= to.columns)
    return;
  for (int i = max (y, 0); i < min (y + step, from.rows); i++)
    for (int k = max (x, 0); k < min (x + step, from.columns); k++)
      bits |= from.cells[(long long) i * from.columns + k];
  to.cells[(long long) row * to.columns + column] = (unsigned char) bits;
}
