/* A matrix as a sum of products of a column and a row, from source rows to result rows, in one
 * kernel.
 *
 * A block has TILE columns and proceeds down the rows of the result, PRODUCT_RUN at a time.
 * Incoming rows are decoded into shared memory and filtered along x into a ring of rows for each
 * product. Once the rings hold all rows that a run of results depends on, these are filtered along
 * y, summed and stored. A thread computes one channel of a run of neighbours along the axis of the
 * filter.
 *
 * Constants to define before this file, in addition to those of result.cuh: TILE, TERMS (the number
 * of products). */

#include "pixel.cuh"
#include "image.cuh"
#include "convolve-args.h"
#include "result.cuh"
#include "taps.cuh"

#define RUN     PRODUCT_RUN
#define FLAT    (TILE * CHANNELS)
#define WARPS   (FLAT / 32)
#define TO_LOAD ((TILE + COLUMNS_MAX - 1 + 31) / 32 * ((RUN + WARPS - 1) / WARPS))

/* Returns the floats from row to row. Threads that move along one and across the other use
 * different banks. */
__device__ static inline int
get_pitch (int columns)
{
  return (columns * CHANNELS + 31) / 32 * 32 + CHANNELS;
}

/* Loads the weights of all products, each padded with 0. */
__device__ static inline void
load_weights (const float *weights, int taps, float *memory)
{
  const int all = round_taps (taps);

#pragma unroll 1
  for (int i = threadIdx.x; i < TERMS * all; i += FLAT)
    memory[i] = i % all < taps ? weights[i / all * taps + i % all] : 0.0f;
}

/* Calls use (n, r, i) for each pixel that this thread loads of a run of rows, span columns wide:
 * its n-th one, in row r, column i. */
template <typename Use>
__device__ static inline void
for_each (int span, Use use)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int n = 0;

#pragma unroll
  for (int k = 0; k < RUN; k += WARPS)
#pragma unroll
    for (int i = 0; i < TILE + COLUMNS_MAX - 1; i += 32, n++)
      if (k + warp < RUN && i + lane < span)
        use (n, k + warp, i + lane);
}

/* Fetches a run of rows from y on. Rows after last do not matter. */
__device__ static inline void
fetch_run (const FxSource &source, const ConvolveTaps &taps, int x, int y, int last, int span,
           stored_t (&ahead)[TO_LOAD])
{
  for_each (span, [&] (int n, int r, int i) {
    ahead[n] = fetch (source, find_row (source, min (y + r, last)), x + taps.left + i);
  });
}

/* Filters along x: channel of RUN pixels from run on, of a row of the line, into the same places of
 * each ring's run slot. */
__device__ static inline void
filter_rows (const float *along_x, int columns, const float *line, int line_pitch, float *rings,
             int ring_size, int ring_pitch, int slot, int channel, int row, int run)
{
#pragma unroll
  for (int n = 0; n < TERMS; n++)
    {
      float *to = rings + n * ring_size + (slot * RUN + row) * ring_pitch;
      float sum[RUN] = {};

      add_run (
        columns, along_x + n * columns, CHANNELS,
        [&] (int t) { return line + row * line_pitch + (run + t) * CHANNELS + channel; }, sum);
#pragma unroll
      for (int p = 0; p < RUN; p++)
        to[(run + p) * CHANNELS + channel] = sum[p];
    }
}

/* Stores the sums of a run of rows from y on, up to end - 1, through memory, that of the line. */
__device__ static inline void
store_run (const FxSource &source, const ConvolveAfter &after, const float (&sum)[RUN], int x,
           int y, int first, int left, int right, int end, float *memory, stored_t *result)
{
#pragma unroll
  for (int p = 0; p < RUN; p++)
    memory[p * FLAT + threadIdx.x] = sum[p];
  __syncthreads ();
#pragma unroll 1
  for (int i = threadIdx.x; i < TILE * RUN; i += FLAT)
    {
      const int at_x = x + i % TILE, at_y = y + i / TILE;

      if (at_x < right && at_y < end)
        store_result (source, *(const pixel_t *) (memory + i * CHANNELS), after, at_x, at_y,
                      result + (long long) (at_y - first) * (right - left) + at_x - left);
    }
  __syncthreads ();
}

/* Computes result rows first to end - 1, columns left to right - 1. result is the address of row
 * first. blockIdx.x is a tile, blockIdx.y a group of rows_a_block rows. */
extern "C" __global__ void __launch_bounds__ (FLAT)
kernel (FxSource source, ConvolveTaps taps, ConvolveProducts products, ConvolveAfter after,
        int left, int right, int first, int end, int rows_a_block,
        stored_t *result HIGHLIGHTS_PARAMETER)
{
  extern __shared__ float4 shared[];
  const int rows = round_taps (taps.rows), columns = round_taps (taps.columns);
  const int span = TILE + columns - 1;
  const int line_pitch = get_pitch (span + 1), ring_pitch = get_pitch (TILE);
  const int warm = rows / RUN; /* runs of rows before the first result */
  const int ring_size = (warm + 1) * RUN * ring_pitch;
  const int last = end - 1 + taps.top + taps.rows - 1;
  const int x = left + (int) blockIdx.x * TILE;
  const int start = first + (int) blockIdx.y * rows_a_block;
  const int stop = min (start + rows_a_block, end);
  const int channel = threadIdx.x % CHANNELS;
  const int row = threadIdx.x / CHANNELS % RUN, run = threadIdx.x / (CHANNELS * RUN) * RUN;
  float *along_x = (float *) shared, *along_y = along_x + TERMS * columns;
  float *line = along_y + TERMS * rows;
  float *rings = line + RUN * line_pitch;
  int slot = 0; /* of the rings, in runs of rows: where the next run goes */
  stored_t ahead[TO_LOAD]; /* the next run of rows, fetched early to hide the memory latency */

  INIT_HIGHLIGHTS
  init_decode (FLAT);
  load_weights (products.along_x, taps.columns, along_x);
  load_weights (products.along_y, taps.rows, along_y);
  fetch_run (source, taps, x, start + taps.top, last, span, ahead);
#pragma unroll 1
  for (int y = start; y - warm * RUN < stop; y += RUN) /* y: the result row whose first source row
                                                          comes in */
    {
      const int to_y = y - warm * RUN; /* the first complete row */

      for_each (span, [&] (int n, int r, int i) {
        *(pixel_t *) (line + r * line_pitch + i * CHANNELS) = clear_transparent (finish (
          source, ahead[n], x + taps.left + i, min (y + taps.top + r, last)));
      });
      fetch_run (source, taps, x, y + taps.top + RUN, last, span, ahead);
      __syncthreads ();
      filter_rows (along_x, columns, line, line_pitch, rings, ring_size, ring_pitch, slot, channel,
                   row, run);
      slot = slot == warm ? 0 : slot + 1;
      __syncthreads ();
      if (to_y < start)
        continue;

      /* The rings are full: the oldest run is in slot, where the next one will go. */
      float sum[RUN] = {};

#pragma unroll
      for (int n = 0; n < TERMS; n++)
        add_run (
          rows, along_y + n * rows, ring_pitch,
          [&] (int t) {
            const int at = slot + t / RUN;

            return rings + n * ring_size + (at > warm ? at - warm - 1 : at) * RUN * ring_pitch +
                   threadIdx.x;
          },
          sum);
      if (FLOATING)
        recompute_infinite (source, taps, x + threadIdx.x / CHANNELS, to_y, channel, sum);
      store_run (source, after, sum, x, to_y, first, left, right, stop, line, result);
    }
}
