/* The samples of a given rank in the windows of a picture, from its cells.
 *
 * Each thread computes a column of one channel, from the top down. It has a histogram of its own of
 * the codes' first digits, and moves it with the window: the cells at the ends of its columns enter
 * and leave. The counters of a thread lie in a bank of its own, so no thread waits for another one,
 * whatever the picture is. The thread keeps a mark, near the first digit of the last result, and
 * the weight of the codes below; both change little from one row to the next.
 *
 * Codes of more than 8 bits have further digits. For each of them, the thread counts the cells of
 * the whole window that begin with the digits found so far, in fine counters.
 *
 * Constants to define before this file, in addition to those of pixel.cuh: THREADS, 32; FIRST and
 * FINE, the bits of the first digit and of a further one; NARROW, if the weight of a window fits
 * into 16 bits: a word has two counters then. */

#include "cells.cuh"

#define REST   ((int) sizeof (code_t) * 8 - FIRST) /* bits after the first digit */
#define PASSES ((REST + FINE - 1) / FINE)          /* further digits */
#define BINS   (1 << FIRST)
#define FINES  (REST > 0 ? 1 << FINE : 0)

/* A thread's words: its counters, and from where on the fine ones are. */
#define COARSE (BINS >> NARROW)
#define WORDS  (COARSE + FINES)

/* What a thread reads before it uses any of it: cells of a row, and columns on each side of a
 * window. Three columns are all of the usual radius. */
#define BATCH   8
#define COLUMNS (NARROW ? 3 : 4)

/* The window of a thread: its counters, and what is known of them. */
struct counts_t {
  unsigned *words; /* one in THREADS is this thread's */
  unsigned mark;  /* an even digit, near the result's */
  unsigned below; /* the weight of the cells whose digit is smaller */
  unsigned total; /* the weight of all */
  unsigned rank, ranked; /* the rank of the result, and the total that it is for */
  unsigned rest;         /* the rank among the cells that begin with code */
  code_t code;           /* the digits of the result that are found */
};

__device__ static inline void
count (unsigned *words, unsigned digit, unsigned weight)
{
  if (NARROW)
    atomicAdd (&words[digit / 2 * THREADS], weight << digit % 2 * 16);
  else
    atomicAdd (&words[digit * THREADS], weight);
}

/* The counters of the digit that is the mark, and of the next one. */
struct pair_t { unsigned low, high; };

__device__ static inline pair_t
get_pair (const counts_t &counts)
{
  if (NARROW)
    {
      const unsigned both = counts.words[counts.mark / 2 * THREADS];

      return { both & 0xffff, both >> 16 };
    }
  return { counts.words[counts.mark * THREADS], counts.words[(counts.mark + 1) * THREADS] };
}

/* Counts a cell with this weight, which is negative if the cell leaves. */
__device__ static inline void
move (counts_t &counts, const cell_t &cell, unsigned weight)
{
  const unsigned digit = (unsigned) (cell.code >> REST);

  count (counts.words, digit, weight);
  counts.total += weight;
  if (digit < counts.mark)
    counts.below += weight;
}

/* Calls visit for the cells of the window's row j, whose middle is given. A batch may extend beyond
 * the row's end: up to BATCH - 1 cells are read that are not visited. */
template <typename F>
__device__ static inline void
visit_row (const MedianWindow &window, const cell_t *middle, int j, F visit)
{
  const int chord = window.chords[abs (j)];

#pragma unroll 1
  for (int i = -chord; i <= chord; i += BATCH)
    {
      cell_t cells[BATCH];

#pragma unroll
      for (int k = 0; k < BATCH; k++)
        cells[k] = middle[(i + k) * CHANNELS];
#pragma unroll
      for (int k = 0; k < BATCH; k++)
        if (i + k <= chord)
          visit (cells[k]);
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

/* Moves the mark to the pair of digits of which one is the result's first. */
__device__ static inline void
find_mark (counts_t &counts)
{
  pair_t pair = get_pair (counts);
  bool odd;

  while (counts.below >= counts.rank)
    {
      counts.mark -= 2;
      pair = get_pair (counts);
      counts.below -= pair.low + pair.high;
    }
  while (counts.below + pair.low + pair.high < counts.rank)
    {
      counts.below += pair.low + pair.high;
      counts.mark += 2;
      pair = get_pair (counts);
    }
  odd = counts.below + pair.low < counts.rank;
  counts.rest = counts.rank - counts.below - (odd ? pair.low : 0);
  counts.code = (code_t) (counts.mark + odd);
}

/* Finds the first digit of the result. */
__device__ static inline void
find_first (const MedianWindow &window, bool is_alpha, counts_t &counts)
{
  if (ALPHA && ! is_alpha && counts.total == 0)
    return;
  if (ALPHA && ! is_alpha && counts.total != counts.ranked)
    {
      counts.rank = median_get_rank (window.percentile, counts.total);
      counts.ranked = counts.total;
    }
  find_mark (counts);
}

/* The bits of a code below digit n, of which the first is 0. */
__device__ static inline int
get_low (int n)
{
  return max (REST - n * FINE, 0);
}

/* Counts those cells of the window's row j that begin with the n digits found. */
__device__ static inline void
count_row (const MedianWindow &window, const cell_t *middle, int j, int n, const counts_t &counts)
{
  unsigned *fine = counts.words + COARSE * THREADS;
  const int high = get_low (n - 1), low = get_low (n);

  visit_row (window, middle, j, [&] (const cell_t &cell) {
    if (cell.code >> high == counts.code)
      atomicAdd (&fine[((unsigned) (cell.code >> low) & ((1 << (high - low)) - 1)) * THREADS],
                 get_weight (cell));
  });
}

/* Finds digit n, and clears the fine counters. */
__device__ static inline void
find_digit (int n, counts_t &counts)
{
  unsigned *fine = counts.words + COARSE * THREADS, sum = 0, below = 0, digit = 0;

#pragma unroll 8
  for (int i = 0; i < FINES; i++)
    {
      sum += fine[i * THREADS];
      fine[i * THREADS] = 0;
      if (sum < counts.rest)
        {
          digit = i + 1;
          below = sum;
        }
    }
  counts.rest -= below;
  counts.code = (code_t) (counts.code << (get_low (n - 1) - get_low (n)) | digit);
}

/* Moves what a thread knows of its window to or from where it is kept between two launches. */
__device__ static inline void
move_kept (unsigned *kept, long long block, bool leave, counts_t &counts)
{
  unsigned low = (unsigned) counts.code, high = (unsigned) ((unsigned long long) counts.code >> 32);
  unsigned *const more[] = { &counts.mark, &counts.below, &counts.total, &counts.rest,
                             &low,         &high };

  kept += block * (WORDS + MEDIAN_KEPT) * THREADS + threadIdx.x;
#pragma unroll 8
  for (int i = 0; i < WORDS; i++)
    if (leave)
      kept[i * THREADS] = counts.words[i * THREADS];
    else
      counts.words[i * THREADS] = kept[i * THREADS];
#pragma unroll
  for (int i = 0; i < MEDIAN_KEPT; i++)
    if (leave)
      kept[(WORDS + i) * THREADS] = *more[i];
    else
      *more[i] = kept[(WORDS + i) * THREADS];
  counts.code = (code_t) ((unsigned long long) high << 32 | low);
}

/* Where a block is: at digit n of a row of the result and, for a further digit, at row j of the
 * window. */
struct place_t { int row, n, j; };

/* The place of a step, counted from the first row of the result. */
__device__ static inline place_t
find_place (const MedianWindow &window, int step)
{
  const int side = 2 * window.radius + 1, a_row = 1 + PASSES * side, rest = step % a_row - 1;
  place_t place = { step / a_row, 0, -window.radius };

  if (rest >= 0)
    {
      place.n = 1 + rest / side;
      place.j += rest % side;
    }
  return place;
}

__device__ static inline void
advance (const MedianWindow &window, place_t &place)
{
  if (place.n > 0 && place.j < window.radius)
    {
      place.j++;
      return;
    }
  place.j = -window.radius;
  if (place.n < PASSES)
    {
      place.n++;
      return;
    }
  place.n = 0;
  place.row++;
}

/* Does the step at place. */
__device__ static inline void
make_step (const MedianWindow &window, const cell_t *middle, int pitch, bool is_alpha,
           const place_t &place, counts_t &counts)
{
  if (place.n == 0)
    {
      if (place.row > 0)
        move_down (window, middle, pitch, counts);
      find_first (window, is_alpha, counts);
    }
  else
    {
      count_row (window, middle + (long long) place.j * pitch, place.j, place.n, counts);
      if (place.j == window.radius)
        find_digit (place.n, counts);
    }
}

/* Goes through steps first to last - 1 of each block. In each of the first 2 radius + 1, a row of
 * the window of the block's first row enters. Then, for each row of the result, the window moves
 * and the first digit is found in one step, and for each further digit a row of the window is
 * counted in each of 2 radius + 1. What the next launch needs is left in kept.
 *
 * The part of the result has width samples and height rows, of which a block has rows. result and
 * cells are the addresses of its first sample and of that one's cell; stride samples, or pitch
 * cells, are a row. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (MedianWindow window, const cell_t *__restrict__ cells, int pitch, int width, int height,
        int rows, int first, int last, unsigned *kept, int stride, sample_t *result)
{
  extern __shared__ float4 shared[];
  const int x = (int) blockIdx.x * THREADS + (int) threadIdx.x, y = (int) blockIdx.y * rows;
  const int filled = 2 * window.radius + 1, end = min (rows, height - y);
  const long long block = (long long) blockIdx.y * ((width + THREADS - 1) / THREADS) + blockIdx.x;
  const bool is_alpha = ALPHA && x % CHANNELS == CHANNELS - 1;
  const unsigned rank = is_alpha ? window.alpha_rank : window.color_rank;
  counts_t counts = { (unsigned *) shared + threadIdx.x, BINS / 2, 0, 0, rank, 0, 0, 0 };
  place_t place = find_place (window, max (first - filled, 0));

  if (x >= width)
    return;
#pragma unroll 8
  for (int i = 0; i < WORDS; i++)
    counts.words[i * THREADS] = 0;
  if (first > 0)
    move_kept (kept, block, false, counts);
  cells += (long long) y * pitch + x;
  result += (long long) y * stride + x;
#pragma unroll 1
  for (int step = first; step < min (last, filled); step++)
    {
      const int j = step - window.radius;

      visit_row (window, cells + (long long) j * pitch, j,
                 [&] (const cell_t &cell) { move (counts, cell, get_weight (cell)); });
    }
#pragma unroll 1
  for (int step = max (first, filled); step < last && place.row < end; step++)
    {
      make_step (window, cells + (long long) place.row * pitch, pitch, is_alpha, place, counts);
      if (place.n == PASSES && (PASSES == 0 || place.j == window.radius))
        result[(long long) place.row * stride] = ! ALPHA || counts.total > 0
                                                   ? get_sample (counts.code)
                                                   : 0;
      advance (window, place);
    }
  if (last < filled + rows * (1 + PASSES * filled))
    move_kept (kept, block, true, counts);
}
