/* One stage of the multi-resolution method (../multires.c) along both axes: decimation and
 * interpolation. An axis without this stage has factor 1.
 *
 * Both proceed down the rows, one thread per column, and keep the filter along y in registers. Each
 * row of the finer grid is read or computed once, while the rows of the coarser grid that it
 * contributes to, or depends on, are in registers. */

#include "blur-args.h"

/* The blocks that a multiprocessor must have room for, to hide memory latency. */
#define STAGE_BLOCKS 4

/* A row of a block's columns that was decimated along y and will be decimated along x. The columns
 * are grouped by phase, so that neighbouring threads read neighbouring words. */
struct row_t {
  float v[CHANNELS][STAGE_THREADS + FACTOR_MAX];
};

/* The shared memory of a block of decimate. */
struct decimate_t {
  float weights_x[FACTOR_MAX * ORDER]; /* [phase of the column][cell, from the leftmost] */
  float weights_y[FACTOR_MAX * ORDER]; /* [phase of the row][cell, from REACH - 1 above it] */
  row_t rows[2];                       /* one is read while the other is filled */
};

__device__ static inline float
get_weight (const BlurStageWeights &stage, int distance)
{
  return distance <= REACH * (stage.factor - 1) ? stage.decimate[distance] : 0.0f;
}

/* Loads the weights, and zeros the ends of the rows, which are multiplied by weights of 0. */
__device__ static inline void
init_decimate (const BlurStageWeights &x, const BlurStageWeights &y, decimate_t &shared)
{
  const int i = threadIdx.x, phase = i / ORDER, cell = i % ORDER;
  float *rows = (float *) shared.rows;

  if (phase < x.factor)
    shared.weights_x[i] = get_weight (x, abs (cell * x.factor + phase - REACH * (x.factor - 1)));
  if (phase < y.factor)
    shared.weights_y[i] = get_weight (y, abs (phase - (cell - (REACH - 1)) * y.factor));
#pragma unroll 1
  for (int k = i; k < (int) (sizeof shared.rows / (sizeof (float))); k += STAGE_THREADS)
    rows[k] = 0.0f;
  __syncthreads ();
}

/* A sum may be not finite only because of a sample whose weight or alpha is 0. These functions
 * recompute it without such samples. */

__device__ static inline float
recompute_row (const decimate_t &shared, const row_t &row, int c, int cell, int factor)
{
  float sum = 0.0f;

#pragma unroll 1
  for (int k = 0; k < factor * ORDER; k++)
    if (shared.weights_x[k] > 0.0f)
      sum += shared.weights_x[k] *
             row.v[c][k / ORDER * (STAGE_THREADS / factor + 1) + k % ORDER + cell];
  return sum;
}

/* Decimates along y, around row y of column x. */
template <typename Finer>
__device__ static inline pixel_t
recompute_column (const Finer &finer, const BlurStageWeights &stage, int x, int y)
{
  const int radius = REACH * (stage.factor - 1);
  pixel_t sum = {};

#pragma unroll 1
  for (int k = -radius; k <= radius; k++)
    {
      const pixel_t pixel = clear_transparent (finish (finer, fetch (finer, x, y + k), x, y + k));

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        sum.v[c] += stage.decimate[abs (k)] * pixel.v[c];
    }
  return sum;
}

/* Computes a cell's channel from a row whose columns start REACH * (factor - 1) columns before cell
 * 0. */
__device__ static inline float
decimate_row (const decimate_t &shared, const row_t &row, int c, int cell, int factor)
{
  float sum = 0.0f;

  if (factor == 1)
    return row.v[c][cell];
#pragma unroll 1
  for (int phase = 0; phase < factor; phase++)
    {
      const float *weights = shared.weights_x + phase * ORDER;
      const float *samples = row.v[c] + phase * (STAGE_THREADS / factor + 1) + cell;

#pragma unroll
      for (int j = 0; j < ORDER; j++)
        sum += weights[j] * samples[j];
    }
  return FLOATING && ! is_finite (sum) ? recompute_row (shared, row, c, cell, factor) : sum;
}

/* Returns the columns of cells that a block of decimate computes. */
__device__ static inline int
get_block_cells (int factor)
{
  return (STAGE_THREADS - 2 * REACH * (factor - 1) - 1) / factor + 1;
}

/* Computes rows first to end - 1 of the coarser grid, for the columns of a block that starts at
 * column left, counted from the grid's first. finer is the finer grid or the source. AHEAD is how
 * many of its rows are fetched before they are needed. */
template <int AHEAD, typename Finer>
__device__ static inline void
decimate (const Finer &finer, const BlurStageWeights &stage_x, const BlurStageWeights &stage_y,
          const FxGrid &to, int left, int first, int end, decimate_t &shared)
{
  const int factor_x = stage_x.factor, factor_y = stage_y.factor;
  const int radius_x = REACH * (factor_x - 1), radius_y = REACH * (factor_y - 1);
  const int cells = min (get_block_cells (factor_x), to.columns - left);
  const int i = threadIdx.x;
  const int x = (to.x_first + left) * factor_x - radius_x + i;
  const int place = i % factor_x * (STAGE_THREADS / factor_x + 1) + i / factor_x;
  const int above = factor_y == 1 ? 0 : REACH - 1; /* the rows of cell q complete cell q - above */
  const int start = first * factor_y - radius_y, stop = (end - 1) * factor_y + radius_y + 1;
  pixel_t sum[ORDER] = {}; /* of cell q - above and those below it */
  decltype (fetch (finer, x, start)) next[AHEAD];

#pragma unroll
  for (int k = 0; k < AHEAD; k++)
    next[k] = fetch (finer, x, min (start + k, stop - 1));

  init_decimate (stage_x, stage_y, shared);
  for (int q = floor_div (start, factor_y); q - above < end; q++)
    {
#pragma unroll 1 /* to save registers */
      for (int y = max (q * factor_y, start); y < min ((q + 1) * factor_y, stop); y++)
        {
          const pixel_t pixel = finish (finer, next[0], x, y);
          const float *weights = shared.weights_y + (y - q * factor_y) * ORDER;

#pragma unroll
          for (int k = 0; k < AHEAD - 1; k++)
            next[k] = next[k + 1];
          next[AHEAD - 1] = fetch (finer, x, min (y + AHEAD, stop - 1));
          if (factor_y == 1)
            sum[0] = pixel;
          else
#pragma unroll
            for (int j = 0; j < ORDER; j++)
#pragma unroll
              for (int c = 0; c < CHANNELS; c++)
                sum[j].v[c] += weights[j] * pixel.v[c];
        }
      if (q - above >= first)
        {
          row_t &row = shared.rows[q & 1];
          pixel_t *out = get_row (to, q - above) + left;

          if (FLOATING && ! is_finite (sum[0]))
            sum[0] = recompute_column (finer, stage_y, x, (q - above) * factor_y);
#pragma unroll
          for (int c = 0; c < CHANNELS; c++)
            row.v[c][place] = sum[0].v[c];
          __syncthreads ();
#pragma unroll 1
          for (int k = i; k < cells * CHANNELS; k += STAGE_THREADS)
            out[k / CHANNELS].v[k % CHANNELS] =
              decimate_row (shared, row, k % CHANNELS, k / CHANNELS, factor_x);
        }
#pragma unroll
      for (int j = 0; j < ORDER - 1; j++)
        sum[j] = sum[j + 1];
      sum[ORDER - 1] = pixel_t ();
    }
}

/* Interpolates along x: a pixel of a column of the finer grid, in row q of the coarser one. cell is
 * the index of the first cell that it is interpolated from, within a row of the coarser grid. */
__device__ static inline pixel_t
interpolate_row (const FxGrid &from, int q, int cell, int factor, const float (&weights)[ORDER])
{
  const pixel_t *cells = get_row (from, q) + cell;
  pixel_t sum = {};

  if (factor == 1)
    return cells[0];
#pragma unroll
  for (int j = 0; j < ORDER; j++)
    {
      const pixel_t pixel = cells[j];

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        sum.v[c] += weights[j] * pixel.v[c];
    }
  return sum;
}

/* Computes rows first to end - 1 of column x of the finer grid and passes each pixel to store (y,
 * pixel). The coarser grid must have all cells that they are interpolated from. */
template <typename Store>
__device__ static inline void
interpolate (const BlurStageWeights &stage_x, const BlurStageWeights &stage_y, const FxGrid &from,
             int x, int first, int end, Store store)
{
  const int factor_x = stage_x.factor, factor_y = stage_y.factor;
  const int q_x = floor_div (x, factor_x);
  const int cell = q_x - from.x_first - (factor_x == 1 ? 0 : REACH - 1);
  const int above = factor_y == 1 ? 0 : ORDER - 1, below = factor_y == 1 ? 0 : REACH;
  float weights_x[ORDER] = {};
  pixel_t window[ORDER] = {}; /* of row q: cells q - (REACH - 1) to q + REACH */

  if (factor_x > 1)
#pragma unroll
    for (int j = 0; j < ORDER; j++)
      weights_x[j] = stage_x.interpolate[(x - q_x * factor_x) * ORDER + j];
  /* The loop begins early, to fill the window with the cells of row first. Those are prefetched
   * together. */
  for (int q = floor_div (first, factor_y) - above; q < floor_div (first, factor_y); q++)
    prefetch (get_row (from, q + below) + cell + REACH);
  for (int q = floor_div (first, factor_y) - above; q * factor_y < end; q++)
    {
#pragma unroll
      for (int j = 0; j < ORDER - 1; j++)
        window[j] = window[j + 1];
      window[ORDER - 1] = interpolate_row (from, q + below, cell, factor_x, weights_x);
      prefetch (get_row (from, min (q + below + 1, from.y_first + from.rows - 1)) + cell + REACH);
      for (int y = max (q * factor_y, first); y < min ((q + 1) * factor_y, end); y++)
        {
          const float *weights = stage_y.interpolate + (y - q * factor_y) * ORDER;
          pixel_t sum = {};

          if (factor_y == 1)
            sum = window[ORDER - 1];
          else
#pragma unroll
            for (int j = 0; j < ORDER; j++)
#pragma unroll
              for (int c = 0; c < CHANNELS; c++)
                sum.v[c] += weights[j] * window[j].v[c];
          store (y, sum);
        }
    }
}
