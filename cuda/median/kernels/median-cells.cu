/* Writes the cells of a rectangle, which may extend beyond the picture.
 *
 * Constants to define before this file, in addition to those of image.cuh: THREADS of a block. */

#include "cells.cuh"
#include "image.cuh"

struct cells_t { cell_t v[CHANNELS]; };

/* Writes rows top to end - 1, columns left to right - 1. cells is the address of the first; width
 * pixels are a row. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, int left, int right, int top, int end, int width, cells_t *cells)
{
  const int x = left + (int) blockIdx.x * THREADS + (int) threadIdx.x, y = top + (int) blockIdx.y;
  cells_t pixel;

  if (x >= right || y >= end)
    return;

  stored_t stored = fetch (source, x, y);

  if (is_beyond (source, x, y))
    stored = stored_t ();
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    {
      pixel.v[c].code = get_code (stored.v[c]);
#if ALPHA
      pixel.v[c].weight = c < COLORS ? weigh (stored.v[CHANNELS - 1]) : 1;
#endif
    }
  cells[(long long) (y - top) * width + x - left] = pixel;
}
