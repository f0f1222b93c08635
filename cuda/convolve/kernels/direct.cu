/* The sum over a matrix's taps, from source rows to result rows, in one kernel.
 *
 * A block computes a tile of the result: TILE columns, GROUPS times RUN rows. The source pixels
 * that it depends on are decoded into shared memory. A thread computes one channel of one column
 * and a run of rows, and proceeds along the columns of the matrix, so each sample is read from
 * shared memory once for a run of multiplications. If shared memory is too small for all rows of
 * the matrix, they are processed in chunks.
 *
 * Constants to define before this file, in addition to those of result.cuh: TILE, GROUPS, RUN; for
 * a specialised program also ROWS and COLUMNS, the matrix's, and TAPS, its sums. */

#include "pixel.cuh"
#include "image.cuh"
#include "convolve-args.h"
#include "result.cuh"
#include "taps.cuh"

#define FLAT      (TILE * CHANNELS)
#define THREADS   (FLAT * GROUPS)
#define TILE_ROWS (RUN * GROUPS)

/* A minimum of one block per multiprocessor leaves the generic program more registers, which saves
 * a tenth of its time (measured). */
#ifdef ROWS
#define BOUNDS THREADS
#else
#define BOUNDS THREADS, 1
#endif

/* The layout of a tile in shared memory. If the matrix is compiled in, it is row by row, with a
 * pitch that the compiler knows. Otherwise it is column by column and channel by channel, so that a
 * thread moves from one float to the next; an odd pitch puts neighbouring threads in different
 * banks. */
#ifdef ROWS
#define PITCH ((TILE + COLUMNS - 1) * CHANNELS)

/* The sample of the thread's window q rows below and i columns to the right of the first one. */
#define S(q, i) samples[(q) * PITCH + (i) * CHANNELS]

__device__ static inline void
add_all (const float *samples, float (&sum)[RUN])
{
  TAPS
}

__device__ static inline void
put (const pixel_t &pixel, int row, int column, int pitch, float *tile)
{
  *(pixel_t *) (tile + row * PITCH + column * CHANNELS) = pixel;
}
#else
__device__ static inline void
put (const pixel_t &pixel, int row, int column, int pitch, float *tile)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    tile[(column * CHANNELS + c) * pitch + row] = pixel.v[c];
}
#endif

/* Loads the source pixels that a tile needs for some rows of the matrix: rows rows from y on,
 * columns columns from x on. Rows after last do not matter. */
__device__ static inline void
load_tile (const FxSource &source, int x, int y, int columns, int rows, int last, int pitch,
           float *tile)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

#pragma unroll 1
  for (int r = warp; r < rows; r += THREADS / 32)
    {
      const int from = min (y + r, last);
      const stored_t *row = find_row (source, from);

#pragma unroll 4
      for (int i = lane; i < columns; i += 32)
        put (clear_transparent (finish (source, fetch (source, row, x + i), x + i, from)), r, i,
             pitch, tile);
    }
}

/* Loads rows j to j + n - 1 of the matrix, column by column, padded with 0. */
__device__ static inline void
load_weights (const ConvolveTaps &taps, int j, int n, float *memory)
{
#pragma unroll 1
  for (int i = threadIdx.x; i < (ALPHA_MATRIX ? 2 : 1) * taps.columns * n; i += THREADS)
    {
      const int column = i / n, row = j + i % n;

      memory[i] = row < taps.rows ? taps.weights[column * taps.rows + row] : 0.0f;
    }
}

/* Computes result rows first to end - 1, columns left to right - 1. result is the address of row
 * first. chunk is the rows of the matrix that are processed at a time, a multiple of STEP. */
extern "C" __global__ void __launch_bounds__ (BOUNDS)
kernel (FxSource source, ConvolveTaps taps, ConvolveAfter after, int left, int right, int first,
        int end, int chunk, stored_t *result HIGHLIGHTS_PARAMETER)
{
  extern __shared__ float4 shared[];
  const int x = left + (int) blockIdx.x * TILE, y = first + (int) blockIdx.y * TILE_ROWS;
  const int column = threadIdx.x % FLAT, group = threadIdx.x / FLAT;
  const int channel = column % CHANNELS;
  const int last = end - 1 + taps.top + taps.rows - 1;
  float sum[RUN] = {};
  float *tile = (float *) shared;

  INIT_HIGHLIGHTS
  init_decode (THREADS);
#ifdef ROWS
  load_tile (source, x + taps.left, y + taps.top, TILE + COLUMNS - 1, TILE_ROWS + ROWS - 1, last,
             PITCH, tile);
  __syncthreads ();
  add_all (tile + group * RUN * PITCH + column, sum);
  __syncthreads ();
#else
  const int pitch = (TILE_ROWS + chunk) | 1;
  const int rows = round_taps (taps.rows);
  const bool is_alpha = ALPHA_MATRIX && channel == CHANNELS - 1;
  float *weights = tile;

  tile += (ALPHA_MATRIX ? 2 : 1) * taps.columns * chunk;
#pragma unroll 1
  for (int j = 0; j < rows; j += chunk)
    {
      const int n = min (chunk, rows - j);

      load_weights (taps, j, n, weights);
      load_tile (source, x + taps.left, y + taps.top + j, TILE + taps.columns - 1,
                 TILE_ROWS + n - 1, last, pitch, tile);
      __syncthreads ();
#pragma unroll 1
      for (int i = 0; i < taps.columns; i++)
        {
          const float *samples = tile + (i * CHANNELS + column) * pitch + group * RUN;

          add_run (
            n, weights + (is_alpha ? taps.columns + i : i) * n, 1,
            [&] (int t) { return samples + t; }, sum);
        }
      __syncthreads ();
    }
#endif
  if (FLOATING)
    recompute_infinite (source, taps, x + column / CHANNELS, y + group * RUN, channel, sum);
#pragma unroll
  for (int p = 0; p < RUN; p++)
    tile[(group * RUN + p) * FLAT + column] = sum[p];
  __syncthreads ();
#pragma unroll 1
  for (int i = threadIdx.x; i < TILE * TILE_ROWS; i += THREADS)
    {
      const int to_x = x + i % TILE, to_y = y + i / TILE;

      if (to_x < right && to_y < end)
        store_result (source, *(const pixel_t *) (tile + i * CHANNELS), after, to_x, to_y,
                      result + (long long) (to_y - first) * (right - left) + to_x - left);
    }
}
