/* Inverts colours. Constants to define before this file, in addition to those of image.cuh: COLUMNS
 * and ROWS of a block. */

#include "pixel.cuh"
#include "image.cuh"

/* Computes result rows top to end - 1, columns left to right - 1. result is the address of row
 * top. */
extern "C" __global__ void __launch_bounds__ (COLUMNS)
kernel (FxSource source, float factor, float added, int left, int right, int top, int end,
        stored_t *result)
{
  const int x = left + (int) blockIdx.x * COLUMNS + (int) threadIdx.x;
  const int first = top + (int) blockIdx.y * ROWS;

  init_decode (COLUMNS);
  if (x >= right)
    return;
#pragma unroll 1
  for (int y = first; y < min (first + ROWS, end); y++)
    {
      pixel_t pixel = finish (source, fetch (source, x, y), x, y);

#pragma unroll
      for (int c = 0; c < COLORS; c++)
        pixel.v[c] = pixel.v[c] * factor + added;
      result[(long long) (y - top) * (right - left) + x - left] = encode (pixel);
    }
}
