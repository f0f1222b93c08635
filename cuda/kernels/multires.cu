/* The multi-resolution method (../multires.c): decimate, convolve, interpolate, along either axis.
 * Factors, radii and weights come at run time: one program serves every sigma.
 *
 * A symmetric kernel's weights go from the centre outwards; a stage's interpolation weights are
 * [factor][ORDER]. Grids are rows_t, with x_first and columns for what they have along x. */

#include "pixel.cuh"
#include "image.cuh"
#include "fir.cuh"

#define ORDER 8
#define REACH (ORDER / 2) /* cells that a stage reaches on each side, at the most */

#define CELL_BLOCK 256 /* threads of a block, unless said otherwise */
#define CELL_TILE  512 /* source columns that a block of decimate_source makes cells of */

#define FINISH_COLUMNS 128 /* of the result, a thread each */
#define FINISH_ROWS    8

/* Cell of the coarser grid that sample n belongs to. */
__device__ static inline int
floor_div (int n, int factor)
{
  return n >= 0 ? n / factor : -((factor - 1 - n) / factor);
}

/* Decimates rows of the source along x: a block a row and CELL_TILE / factor cells. The decoded
 * pixels are dealt out by their phase, so that neighbouring threads read neighbouring words. */
extern "C" __global__ void __launch_bounds__ (CELL_BLOCK)
decimate_source (source_t source, rows_t cells, int y, int factor, int radius, const float *weights)
{
  __shared__ float tile[CHANNELS][CELL_TILE + 2 * REACH * 8];
  const int block_cells = CELL_TILE / factor;
  const int first = blockIdx.x * block_cells;
  const int pitch = block_cells + 2 * REACH;
  const int row = blockIdx.y;

  for (int i = threadIdx.x; i < pitch * factor; i += CELL_BLOCK)
    {
      const pixel_t pixel =
        load_source (source, row, (cells.x_first + first - REACH) * factor + i);

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        tile[c][i % factor * pitch + i / factor] = pixel.v[c];
    }
  __syncthreads ();
  for (int i = threadIdx.x; i < block_cells * CHANNELS; i += CELL_BLOCK)
    {
      const int c = i / block_cells;
      const int cell = i % block_cells;
      int phase = (REACH * factor - radius) % factor;
      int place = cell + (REACH * factor - radius) / factor;
      float sum = 0.0f;

      if (first + cell >= cells.columns)
        continue;
      for (int k = -radius; k <= radius; k++)
        {
          sum += weights[abs (k)] * tile[c][phase * pitch + place];
          if (++phase == factor)
            {
              phase = 0;
              place++;
            }
        }
      get_plane (cells, y + row, c)[first + cell] = sum;
    }
}

/* to[n] = the sum over k of weights[|k|] from[n * factor + k], for rows n from first_row on. A thread
 * a sample; a block's x a row, of which there may be more than the 65535 that y has room for, its z a
 * channel. */
extern "C" __global__ void __launch_bounds__ (CELL_BLOCK)
decimate_y (rows_t from, rows_t to, int first_row, int factor, int radius, const float *weights)
{
  const int x = blockIdx.y * CELL_BLOCK + threadIdx.x;
  const int n = first_row + blockIdx.x;
  float sum = 0.0f;

  if (x >= to.columns)
    return;
  for (int k = -radius; k <= radius; k++)
    sum += weights[abs (k)] * load_row (from, n * factor + k, blockIdx.z, x);
  get_plane (to, n, blockIdx.z)[x] = sum;
}

/* The same along x. */
extern "C" __global__ void __launch_bounds__ (CELL_BLOCK)
decimate_x (rows_t from, rows_t to, int factor, int radius, const float *weights)
{
  const int x = blockIdx.y * CELL_BLOCK + threadIdx.x;
  const int n = to.low + blockIdx.x;
  const float *plane = get_plane (from, n, blockIdx.z);
  float sum = 0.0f;

  if (x >= to.columns)
    return;
  for (int k = -radius; k <= radius; k++)
    sum += weights[abs (k)] *
           plane[clamp ((to.x_first + x) * factor + k - from.x_first, 0, from.columns - 1)];
  get_plane (to, n, blockIdx.z)[x] = sum;
}

extern "C" __global__ void __launch_bounds__ (ROW_BLOCK)
convolve_x (rows_t from, rows_t to, int radius, const float *weights)
{
  const int block_row = to.low + blockIdx.y * ROWS;
  const int block_column = blockIdx.x * TILE;

  convolve_rows<32> (
    2 * radius + 1,
    [&] (int row, int column)
    {
      return load_pixel (from, min (block_row + row, to.high - 1),
                         clamp (block_column - radius + column, 0, from.columns - 1));
    },
    [&] (int tap) { return weights[abs (tap - radius)]; },
    [&] (int row, int column, const run_t &run)
    {
      column += block_column;
      if (block_row + row >= to.high || column >= to.pitch)
        return;
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        store_run (get_plane (to, block_row + row, c) + column, run[c]);
    });
}

extern "C" __global__ void __launch_bounds__ (COLUMN_BLOCK)
convolve_y (rows_t from, rows_t to, int radius, const float *weights)
{
  const int x = blockIdx.x * COLUMN_BLOCK + threadIdx.x;
  const int first = to.low + blockIdx.y * RUN;
  run_t run;

  if (x >= to.columns)
    return;
  convolve_column (
    2 * radius + 1,
    [&] (int row) { return load_pixel (from, min (first - radius + row, to.high - 1 + radius), x); },
    [&] (int tap) { return weights[abs (tap - radius)]; }, run);
#pragma unroll
  for (int p = 0; p < RUN; p++)
    if (first + p < to.high)
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        get_plane (to, first + p, c)[x] = run[c][p];
}

/* Rows of the finer grid from those of the coarser. */
extern "C" __global__ void __launch_bounds__ (CELL_BLOCK)
interpolate_y (rows_t from, rows_t to, int factor, const float *weights)
{
  const int x = blockIdx.y * CELL_BLOCK + threadIdx.x;
  const int n = to.low + blockIdx.x;
  const int cell = floor_div (n, factor);
  float sum = 0.0f;

  if (x >= to.columns)
    return;
#pragma unroll
  for (int j = 0; j < ORDER; j++)
    sum += weights[(n - cell * factor) * ORDER + j] *
           load_row (from, cell + j - (REACH - 1), blockIdx.z, x);
  get_plane (to, n, blockIdx.z)[x] = sum;
}

extern "C" __global__ void __launch_bounds__ (CELL_BLOCK)
interpolate_x (rows_t from, rows_t to, int factor, const float *weights)
{
  const int x = blockIdx.y * CELL_BLOCK + threadIdx.x;
  const int n = to.low + blockIdx.x;
  const int cell = floor_div (to.x_first + x, factor);
  const float *plane = get_plane (from, n, blockIdx.z);
  float sum = 0.0f;

  if (x >= to.columns)
    return;
#pragma unroll
  for (int j = 0; j < ORDER; j++)
    sum += weights[(to.x_first + x - cell * factor) * ORDER + j] *
           plane[clamp (cell + j - (REACH - 1) - from.x_first, 0, from.columns - 1)];
  get_plane (to, n, blockIdx.z)[x] = sum;
}

/* The last step: interpolates the finest grid along both axes and stores the result's rows y to
 * y + rows - 1, columns x0 to x0 + width - 1. A factor of 1: the grid has that axis in full. */
extern "C" __global__ void __launch_bounds__ (FINISH_COLUMNS)
finish (rows_t grid, int x0, int width, int y, int rows, int factor_x, const float *weights_x,
        int factor_y, const float *weights_y, stored_t *result)
{
  __shared__ float tile[CHANNELS][FINISH_ROWS][FINISH_COLUMNS + ORDER];
  const int first_row = blockIdx.y * FINISH_ROWS;
  const int left = x0 + (int) blockIdx.x * FINISH_COLUMNS;
  const int x = left + (int) threadIdx.x;
  const int before = factor_x > 1 ? REACH - 1 : 0;
  const int after = factor_x > 1 ? REACH : 0;
  const int first_cell = floor_div (left, factor_x) - before;
  const int cells = floor_div (left + FINISH_COLUMNS - 1, factor_x) + after - first_cell + 1;

  for (int i = threadIdx.x; i < FINISH_ROWS * cells; i += FINISH_COLUMNS)
    {
      const int n = y + min (first_row + i / cells, rows - 1);
      const int column = clamp (first_cell + i % cells - grid.x_first, 0, grid.columns - 1);
      const int cell = floor_div (n, factor_y);

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        {
          float sum = 0.0f;

          if (factor_y == 1)
            sum = load_row (grid, n, c, column);
          else
#pragma unroll
            for (int j = 0; j < ORDER; j++)
              sum += weights_y[(n - cell * factor_y) * ORDER + j] *
                     load_row (grid, cell + j - (REACH - 1), c, column);
          tile[c][i / cells][i % cells] = sum;
        }
    }
  __syncthreads ();
  if (x >= x0 + width)
    return;

  const int cell = floor_div (x, factor_x);
  float weights[ORDER];

#pragma unroll
  for (int j = 0; j < ORDER; j++)
    weights[j] = factor_x > 1 ? weights_x[(x - cell * factor_x) * ORDER + j] : 0.0f;
  for (int row = 0; row < min (FINISH_ROWS, rows - first_row); row++)
    {
      pixel_t pixel;

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        {
          const float *samples = &tile[c][row][cell - before - first_cell];
          float sum = 0.0f;

          if (factor_x == 1)
            sum = samples[0];
          else
#pragma unroll
            for (int j = 0; j < ORDER; j++)
              sum += weights[j] * samples[j];
          pixel.v[c] = sum;
        }
      result[(long long) (first_row + row) * width + (x - x0)] = encode (pixel);
    }
}
