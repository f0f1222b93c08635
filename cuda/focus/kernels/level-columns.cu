/* The first half of a level: the columns of a finer one are convolved, and every step-th cell is
 * kept. Constants to define before this file, in addition to those of pixel.cuh: THREADS of a
 * block. */

#include "pixel.cuh"
#include "image.cuh"
#include "pyramid.cuh"

/* The rows of the finer level that a thread reads, at most. */
#define ROWS_MAX (2 * FOCUS_TAPS_MAX + 1 + (LEVEL_RUN - 1) * LEVEL_STEP_MAX)

/* The weights of one row for the cells that a thread makes. */
struct __align__ (16) weights_t { float v[LEVEL_RUN]; };

/* Fills weights, for all rows. All threads of a block must call this. */
__device__ static inline void
init_weights (const FocusLevel &level, weights_t *weights)
{
  const int k = threadIdx.x;

  if (k < ROWS_MAX)
#pragma unroll
    for (int i = 0; i < LEVEL_RUN; i++)
      {
        const int distance = abs (k - level.radius - i * level.step);

        weights[k].v[i] = distance <= level.radius ? level.weights[distance] : 0.0f;
      }
  __syncthreads ();
}

/* A cell whose sum is not finite, perhaps only because of an infinity whose weight is 0. */
__device__ static inline pixel_t
sum_with_care (const FxGrid &from, const FocusLevel &level, int column, int y)
{
  pixel_t sum = {};

#pragma unroll 1
  for (int k = -level.radius; k <= level.radius; k++)
    add (load (find_row (from, y * level.step + k) + column), level.weights[abs (k)], sum);
  return sum;
}

/* Makes rows top to end - 1 of to, LEVEL_RUN for each row of blocks. Both have the same columns. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxGrid from, FxGrid to, FocusLevel given, int top, int end)
{
  __shared__ FocusLevel level;
  __shared__ weights_t weights[ROWS_MAX];
  const int column = (int) (blockIdx.x * THREADS + threadIdx.x);
  const int y = top + (int) blockIdx.y * LEVEL_RUN;
  const int first = y * given.step - given.radius;
  const int rows = 2 * given.radius + 1 + (LEVEL_RUN - 1) * given.step;
  const int start = first - from.y_first;
  const pixel_t *cell = find_row (from, first) + column;
  pixel_t sums[LEVEL_RUN] = {};

  share (given, level);
  init_weights (level, weights);
  if (column >= to.columns)
    return;
#pragma unroll 4
  for (int k = 0; k < rows; k++)
    {
      const pixel_t pixel = load (cell);
      const weights_t row = weights[k];

      cell += start + k >= 0 && start + k < from.rows - 1 ? from.columns : 0;
#pragma unroll
      for (int i = 0; i < LEVEL_RUN; i++)
        add (pixel, row.v[i], sums[i]);
    }
#pragma unroll
  for (int i = 0; i < LEVEL_RUN; i++)
    if (y + i < end)
      store (FLOATING && ! is_finite (sums[i]) ? sum_with_care (from, level, column, y + i)
                                               : sums[i],
             get_row (to, y + i) + column);
}
