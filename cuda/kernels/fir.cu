/* The separable FIR, a kernel for each axis: source rows -> ring of rows -> result rows.
 *
 * Constants, set before this file, beside those of image.cuh: RADIUS_X, RADIUS_Y, weights_x,
 * weights_y (from the centre outwards). */

#include "pixel.cuh"
#include "image.cuh"
#include "fir.cuh"

#define TAPS_X (2 * RADIUS_X + 1)
#define TAPS_Y (2 * RADIUS_Y + 1)

/* Filters the source, whose rows rows begin at row y of the image, into the ring, whose columns are
 * the result's. */
extern "C" __global__ void __launch_bounds__ (ROW_BLOCK)
filter_rows (source_t source, rows_t ring, int y, int rows)
{
  const int slab = TAPS_X < 32 ? (TAPS_X + RUN - 1) / RUN * RUN : 32;
  const int block_row = blockIdx.y * ROWS;
  const int block_column = blockIdx.x * TILE;
  const int left = ring.x_first + block_column - RADIUS_X;

  convolve_rows<slab> (
    TAPS_X,
    [&] (int row, int column)
    { return load_source (source, min (block_row + row, rows - 1), left + column); },
    [] (int tap) { return weights_x[abs (tap - RADIUS_X)]; },
    [&] (int row, int column, const run_t &run)
    {
      column += block_column;
      if (block_row + row >= rows || column >= ring.pitch)
        return;
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        store_run (get_plane (ring, y + block_row + row, c) + column, run[c]);
    });
}

/* Result rows y to y + rows - 1. */
extern "C" __global__ void __launch_bounds__ (COLUMN_BLOCK)
filter_columns (rows_t ring, int y, int rows, stored_t *result)
{
  const int x = blockIdx.x * COLUMN_BLOCK + threadIdx.x;
  const int first = blockIdx.y * RUN;
  const int last = y + rows - 1 + RADIUS_Y; /* no result reaches further */
  run_t run;

  if (x >= ring.columns)
    return;
  convolve_column (
    TAPS_Y, [&] (int row) { return load_pixel (ring, min (y + first - RADIUS_Y + row, last), x); },
    [] (int tap) { return weights_y[abs (tap - RADIUS_Y)]; }, run);
#pragma unroll
  for (int p = 0; p < RUN; p++)
    if (first + p < rows)
      {
        pixel_t pixel;

#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
          pixel.v[c] = run[c][p];
        result[(long long) (first + p) * ring.columns + x] = encode (pixel);
      }
}
