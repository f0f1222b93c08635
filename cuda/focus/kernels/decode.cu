/* Decodes the picture: the first level. Constants to define before this file, in addition to those
 * of image.cuh and strength.cuh: THREADS of a block; KEEP, if sharp pixels count less. */

#include "pixel.cuh"
#include "image.cuh"
#include "strength.cuh"

/* Fills the rows of grid from top on, one for each row of blocks, and those of weights. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, FxGrid grid, FocusArgs args, FocusStrength strength, int top,
        float *weights)
{
  const int column = (int) (blockIdx.x * THREADS + threadIdx.x);
  const int x = grid.x_first + column, y = top + (int) blockIdx.y;
  pixel_t *cell = get_row (grid, y) + column;

  init_decode (THREADS);
  if (column >= grid.columns)
    return;

  pixel_t pixel = clear_transparent (finish (source, fetch (source, x, y), x, y));

#if KEEP
  const float weight = get_weight (source, strength, args.keep_sharp, x, y);

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] *= weight;
  weights[(long long) (y - grid.y_first) * grid.columns + column] = weight;
#endif
  *cell = pixel;
}
