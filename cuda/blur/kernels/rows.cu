/* The FIR along x, for kernels that are too long for fir.cu, from source rows to a ring of rows.
 *
 * A thread computes a run of RUN neighbours. Their windows overlap, so each sample is read into a
 * register once and used for RUN multiplications. Products are summed in slabs, so that the
 * rounding error does not grow with the kernel's length. */

#include "pixel.cuh"
#include "image.cuh"
#include "blur-args.h"

#define ROW_SLAB   32
#define TILE_PITCH (ROWS + 2) /* RUN * TILE_PITCH is 16 modulo 32: two runs of 16 rows use all 32
                                 banks */

typedef float run_t[CHANNELS][RUN];

__device__ static inline void
add (run_t &total, const run_t &sum)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
#pragma unroll
    for (int p = 0; p < RUN; p++)
      total[c][p] += sum[c][p];
}

/* window is a ring whose oldest pixel has index i. */
__device__ static inline void
accumulate (run_t &sum, float weight, const run_t &window, int i)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
#pragma unroll
    for (int p = 0; p < RUN; p++)
      sum[c][p] += weight * window[c][(i + p) % RUN];
}

/* Filters the source's rows first to end - 1 into columns left to right - 1 of the ring, counted
 * from its first column. weights has radius + 1 weights from the centre outwards. */
extern "C" __global__ void __launch_bounds__ (ROW_THREADS)
kernel (FxSource source, FxGrid ring, const float *weights, int radius, int left, int right,
        int first, int end)
{
  __shared__ float tile[CHANNELS][ROW_TILE + ROW_SLAB][TILE_PITCH];
  const int row = threadIdx.x % ROWS;
  const int column = threadIdx.x / ROWS * RUN;
  const int block_row = first + (int) blockIdx.y * ROWS;
  const int block_column = left + (int) blockIdx.x * ROW_TILE;
  const int taps = 2 * radius + 1;
  run_t total = {};

  init_decode (ROW_THREADS);
  for (int slab = 0; slab < taps; slab += ROW_SLAB)
    {
      run_t window, sum = {};

      __syncthreads ();
      for (int i = threadIdx.x; i < ROWS * (ROW_TILE + ROW_SLAB); i += ROW_THREADS)
        {
          const int r = i / (ROW_TILE + ROW_SLAB), x = i % (ROW_TILE + ROW_SLAB);
          const int from = ring.x_first + block_column - radius + slab + x;
          const int y = min (block_row + r, end - 1);
          const pixel_t pixel = clear_transparent (
            finish (source, fetch (source, from, y), from, y));

#pragma unroll
          for (int c = 0; c < CHANNELS; c++)
            tile[c][x][r] = pixel.v[c];
        }
      __syncthreads ();

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
#pragma unroll
        for (int i = 0; i < RUN; i++)
          window[c][i] = tile[c][column + i][row];
      for (int t = 0; t < ROW_SLAB; t += RUN)
#pragma unroll
        for (int i = 0; i < RUN; i++)
          {
            if (slab + t + i < taps) /* a weight of 0 would turn infinity into NaN */
              accumulate (sum, weights[abs (slab + t + i - radius)], window, i);
#pragma unroll
            for (int c = 0; c < CHANNELS; c++)
              window[c][i] = tile[c][column + t + i + RUN][row];
          }
      add (total, sum);
    }
  if (block_row + row < end)
#pragma unroll
    for (int p = 0; p < RUN; p++)
      if (block_column + column + p < right)
#pragma unroll
        for (int c = 0; c < CHANNELS; c++)
          get_row (ring, block_row + row)[block_column + column + p].v[c] = total[c][p];
}

