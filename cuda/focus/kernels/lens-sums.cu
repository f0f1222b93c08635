/* The sums along the rows of the picture. Constants to define before this file, in addition to
 * those of image.cuh and strength.cuh: THREADS of a block; KEEP, if sharp pixels count less;
 * INTEGERS, if sums are such. */

#include "pixel.cuh"
#include "image.cuh"
#include "strength.cuh"
#include "lens.cuh"

#define TILE (THREADS * LENS_RUN)

/* The numbers of a pixel that are summed. An infinity or NaN is 0 there, and a mark. */
struct cell_t {
  sum_t v[NUMBERS];
#if ! INTEGERS /* other formats than floating-point ones have none, but blocks of one size */
  unsigned marks[NUMBERS];
#endif
};

__device__ static inline void
add (const cell_t &cell, cell_t &sum)
{
#pragma unroll
  for (int c = 0; c < NUMBERS; c++)
    {
      sum.v[c] += cell.v[c];
#if ! INTEGERS
      sum.marks[c] += cell.marks[c];
#endif
    }
}

__device__ static inline void
set_number (cell_t &cell, int c, float value, float scale)
{
#if FLOATING
  const bool finite = is_finite (value);

  cell.marks[c] = finite ? 0 : (value < 0.0f ? 0 : 1) + (value > 0.0f ? 0 : FOCUS_NEGATIVE);
  value = finite ? value : 0.0f;
#endif
#if INTEGERS
  cell.v[c] = __float2uint_rn (value * scale);
#else
  cell.v[c] = (double) value * scale;
#endif
}

__device__ static inline cell_t
read (const FxSource &source, const FocusSums &sums, const FocusArgs &args,
      const FocusStrength &strength, int x, int y)
{
  pixel_t pixel = clear_transparent (finish (source, fetch (source, x, y), x, y));
  cell_t cell = {};

#if KEEP
  const float weight = get_weight (source, strength, args.keep_sharp, x, y);

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] *= weight;
  set_number (cell, CHANNELS, weight, sums.scale);
#endif
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    set_number (cell, c, pixel.v[c], sums.scale);
  return cell;
}

__device__ static inline void
store (const FocusSums &sums, long long place, const cell_t &sum)
{
  numbers_t high = {}, low = {}, marks = {};

#pragma unroll
  for (int c = 0; c < NUMBERS; c++)
    {
#if INTEGERS
      high.v[c] = sum.v[c];
#else
      high.v[c] = __float_as_uint ((float) sum.v[c]);
      low.v[c] = __float_as_uint ((float) (sum.v[c] - (float) sum.v[c]));
#endif
#if FLOATING
      marks.v[c] = sum.marks[c];
#endif
    }
  ((numbers_t *) sums.sums)[place] = high;
  if (! INTEGERS)
    ((numbers_t *) sums.rest)[place] = low;
  if (FLOATING)
    ((numbers_t *) sums.marks)[place] = marks;
}

/* Replaces each thread's sum by that of the threads before it, and returns the sum of all (Hillis
 * and Steele, Data parallel algorithms, 1986). All threads of the block must call this. */
__device__ static inline cell_t
scan (cell_t *cells, cell_t &sum)
{
  const int thread = (int) threadIdx.x;
  cell_t all = sum;

#pragma unroll 1
  for (int step = 1; step < THREADS; step *= 2)
    {
      cells[thread] = all;
      __syncthreads ();
      if (thread >= step)
        add (cells[thread - step], all);
      __syncthreads ();
    }
  cells[thread] = all;
  __syncthreads ();
  sum = thread > 0 ? cells[thread - 1] : cell_t ();
  all = cells[THREADS - 1];
  __syncthreads ();
  return all;
}

/* Sums the rows from top on, one for each block. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, FocusSums sums, FocusArgs args, FocusStrength strength,
        int top HIGHLIGHTS_PARAMETER)
{
  __shared__ cell_t cells[THREADS];
  const int y = top + (int) blockIdx.y;
  const long long row = (long long) (y - sums.y_first) * sums.columns;
  cell_t before = {}; /* the sum of all tiles to the left */

  INIT_HIGHLIGHTS
  init_decode (THREADS);
#pragma unroll 1
  for (int tile = 0; tile < sums.columns; tile += TILE)
    {
      const int first = tile + (int) threadIdx.x * LENS_RUN;
      cell_t own[LENS_RUN], sum = {};

#pragma unroll
      for (int i = 0; i < LENS_RUN; i++)
        {
          own[i] = read (source, sums, args, strength,
                         sums.x_first + min (first + i, sums.columns - 1), y);
          add (own[i], sum);
        }

      const cell_t all = scan (cells, sum);

      add (before, sum);
      add (all, before);
#pragma unroll
      for (int i = 0; i < LENS_RUN; i++)
        {
          if (first + i < sums.columns)
            store (sums, row + first + i, sum);
          add (own[i], sum);
        }
    }
#if FLOATING
  bool marked = false;

#pragma unroll
  for (int c = 0; c < NUMBERS; c++)
    marked = marked || before.marks[c] != 0;
  if (marked && threadIdx.x == 0)
    *sums.marked = 1;
#endif
}
