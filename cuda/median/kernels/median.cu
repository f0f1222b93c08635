/* The samples of a given rank in the windows of a picture, from its cells.
 *
 * Each thread computes a column of one channel, from the top down. It has a histogram of its own of
 * the codes' first digits, and moves it with the window: the cells at the ends of its columns enter
 * and leave. The counters of a thread lie in a bank of its own, so no thread waits for another one,
 * whatever the picture is. The thread keeps a mark, the first digit of the last result, and the
 * weight of the codes below; both change little from one row to the next.
 *
 * Codes of more than 8 bits have further digits. For each of them, the thread counts the cells of
 * the whole window that begin with the digits found so far.
 *
 * Constants to define before this file, in addition to those of pixel.cuh: THREADS, 32; FIRST and
 * FINE, the bits of the first digit and of a further one. */

#include "cells.cuh"

#define REST  ((int) sizeof (code_t) * 8 - FIRST) /* bits after the first digit */
#define BINS  (1 << FIRST)

/* What a thread reads before it counts any of it: cells of a row, and columns on each side. */
#define BATCH   8
#define COLUMNS 4

/* The window of a thread: its counters, and what is known of them. */
struct counts_t {
  unsigned *bins; /* one in THREADS is this thread's */
  unsigned mark;  /* a digit */
  unsigned below; /* the weight of the cells whose digit is smaller */
  unsigned total; /* the weight of all */
};

__device__ static inline void
count (unsigned *bins, unsigned digit, unsigned weight)
{
  atomicAdd (&bins[digit * THREADS], weight);
}

/* Counts a cell with this weight, which is negative if the cell leaves. */
__device__ static inline void
move (counts_t &counts, const cell_t &cell, unsigned weight)
{
  const unsigned digit = (unsigned) (cell.code >> REST);

  count (counts.bins, digit, weight);
  counts.total += weight;
  if (digit < counts.mark)
    counts.below += weight;
}

/* Moves the mark to the digit of the cell with this rank. */
__device__ static inline void
find_mark (counts_t &counts, unsigned rank)
{
  unsigned upper;

  while (counts.below >= rank)
    counts.below -= counts.bins[--counts.mark * THREADS];
  while ((upper = counts.below + counts.bins[counts.mark * THREADS]) < rank)
    {
      counts.below = upper;
      counts.mark++;
    }
}

/* Calls visit for the cells of the window around middle. A batch may extend beyond a row's end: up
 * to BATCH - 1 cells are read that are not visited. */
template <typename F>
__device__ static inline void
visit_window (const MedianWindow &window, const cell_t *middle, int pitch, F visit)
{
#pragma unroll 1
  for (int j = -window.radius; j <= window.radius; j++)
    {
      const int chord = window.chords[abs (j)];
      const cell_t *row = middle + (long long) j * pitch;

#pragma unroll 1
      for (int i = -chord; i <= chord; i += BATCH)
        {
          cell_t cells[BATCH];

#pragma unroll
          for (int k = 0; k < BATCH; k++)
            cells[k] = row[(i + k) * CHANNELS];
#pragma unroll
          for (int k = 0; k < BATCH; k++)
            if (i + k <= chord)
              visit (cells[k]);
        }
    }
}

/* Moves n columns on each side, of a window whose middle is in a new row: the cells at their ends
 * enter below and leave above. The first are at distance i, in that row at right and left. */
template <bool ALL>
__device__ static inline void
move_columns (const MedianWindow &window, const cell_t *right, const cell_t *left, int pitch, int i,
              int n, counts_t &counts)
{
  cell_t in[2 * COLUMNS], out[2 * COLUMNS];

#pragma unroll
  for (int k = 0; k < COLUMNS; k++)
    {
      const int end = window.chords[ALL ? i + k : min (i + k, window.radius)] * pitch;

      in[2 * k] = right[end + k * CHANNELS];
      in[2 * k + 1] = left[end - k * CHANNELS];
      out[2 * k] = (right - pitch)[k * CHANNELS - end];
      out[2 * k + 1] = (left - pitch)[-k * CHANNELS - end];
    }
#pragma unroll
  for (int k = 0; k < 2 * COLUMNS; k++)
    {
      const bool moves = ALL || k < 2 * n;

      move (counts, in[k], moves ? get_weight (in[k]) : 0);
      move (counts, out[k], moves ? 0u - get_weight (out[k]) : 0);
    }
}

/* Moves the window down to middle. */
__device__ static inline void
move_down (const MedianWindow &window, const cell_t *middle, int pitch, counts_t &counts)
{
  const int end = window.radius * pitch;
  const cell_t in = middle[end], out = (middle - pitch)[-end];
  const cell_t *right = middle + CHANNELS, *left = middle - CHANNELS;
  int i = 1;

#pragma unroll 1
  for (; i + COLUMNS - 1 <= window.radius; i += COLUMNS)
    {
      move_columns<true> (window, right, left, pitch, i, COLUMNS, counts);
      right += COLUMNS * CHANNELS;
      left -= COLUMNS * CHANNELS;
    }
  if (i <= window.radius)
    move_columns<false> (window, right, left, pitch, i, window.radius + 1 - i, counts);
  move (counts, in, get_weight (in));
  move (counts, out, 0u - get_weight (out));
}

/* Returns the code of the cell with this rank, whose first digit is the mark. The bins of the other
 * digits are 0 before and after. */
__device__ static inline code_t
find_code (const MedianWindow &window, const cell_t *middle, int pitch, const counts_t &counts,
           unsigned rank)
{
  unsigned *fine = counts.bins + BINS * THREADS;
  unsigned rest = rank - counts.below;
  code_t code = (code_t) counts.mark;

#pragma unroll
  for (int high = REST; high > 0; high -= FINE)
    {
      const int low = max (high - FINE, 0), digits = 1 << (high - low);
      unsigned sum = 0, below = 0, digit = 0;

      visit_window (window, middle, pitch, [&] (const cell_t &cell) {
        if (cell.code >> high == code)
          count (fine, (unsigned) (cell.code >> low) & (digits - 1), get_weight (cell));
      });
#pragma unroll 8
      for (int i = 0; i < digits; i++)
        {
          sum += fine[i * THREADS];
          fine[i * THREADS] = 0;
          if (sum < rest)
            {
              digit = i + 1;
              below = sum;
            }
        }
      rest -= below;
      code = (code_t) (code << (high - low) | digit);
    }
  return code;
}

/* Returns the sample of the cell with the window's rank. */
__device__ static inline sample_t
find_sample (const MedianWindow &window, const cell_t *middle, int pitch, bool is_alpha,
             counts_t &counts)
{
  unsigned rank = is_alpha ? window.alpha_rank : window.color_rank;

  if (ALPHA && ! is_alpha)
    {
      if (counts.total == 0)
        return 0;
      rank = median_get_rank (window.percentile, counts.total);
    }
  find_mark (counts, rank);
  return get_sample (find_code (window, middle, pitch, counts, rank));
}

/* Computes rows rows of a part of the result that has width samples a row; rows is what a block
 * computes. result and cells are the addresses of the part's first sample and of its cell; stride
 * samples, or pitch cells, are a row. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (MedianWindow window, const cell_t *__restrict__ cells, int pitch, int width, int height,
        int rows, int stride, sample_t *result)
{
  extern __shared__ float4 shared[];
  const int x = (int) blockIdx.x * THREADS + (int) threadIdx.x, y = (int) blockIdx.y * rows;
  const int end = min (y + rows, height);
  const bool is_alpha = ALPHA && x % CHANNELS == CHANNELS - 1;
  counts_t counts = { (unsigned *) shared + threadIdx.x, BINS / 2, 0, 0 };

  if (x >= width || y >= end)
    return;
#pragma unroll 8
  for (int i = 0; i < BINS + (REST > 0 ? 1 << FINE : 0); i++)
    counts.bins[i * THREADS] = 0;

  const cell_t *middle = cells + (long long) y * pitch + x;
  sample_t *place = result + (long long) y * stride + x;

  visit_window (window, middle, pitch,
                [&] (const cell_t &cell) { move (counts, cell, get_weight (cell)); });
  *place = find_sample (window, middle, pitch, is_alpha, counts);
#pragma unroll 1
  for (int row = y + 1; row < end; row++)
    {
      middle += pitch;
      place += stride;
      move_down (window, middle, pitch, counts);
      *place = find_sample (window, middle, pitch, is_alpha, counts);
    }
}
