/* The mean along a pixel's path. motion/cpu-path.c does the same on the CPU.
 *
 * Constants to define before this file, in addition to those of image.cuh: THREADS of a block;
 * SPIN: the paths turn around the centre, else they lead to it.
 *
 * All pixels of a block cut their paths into the same number of parts, which begin and end at the
 * same angles, or the same shares of the way, so that the pixels that a warp reads stay together,
 * however long the paths are. The middle of a part is a complex number, the same for the whole
 * block, times the pixel's distance from the centre. */

#include "pixel.cuh"
#include "image.cuh"
#include "sums.cuh"
#include "motion-args.h"

#define MARGIN (MOTION_PART + 2) /* pixels beside the middle of a part that its samples read */
#define DEGREE (SPIN ? 4 : 1)    /* of the polynomial that is a part of a path */
#define BATCH  4                 /* samples whose pixels are read together */

/* Radians from one sample to the next. Beyond that, the polynomial is too inexact for the samples
 * of a batch that a part does not have, which are read, too. */
#define TURN_MAX (1.0f / 32)

/* 1.5 * 2^23, and its bits. The lowest bits of its sum with a small number are the integer nearest
 * to that. */
#define LARGE      12582912.0f
#define LARGE_BITS 0x4b400000

/* The sum of two floats: double precision costs a GeForce 32 times as much. */
struct number_t {
  float high, low;
};

__device__ static inline number_t
split (double x)
{
  const float high = (float) x;

  return number_t { high, (float) (x - high) };
}

__device__ static inline number_t
multiply (const number_t &a, const number_t &b)
{
  const float high = __fmul_rn (a.high, b.high);

  return number_t { high, fmaf (a.high, b.high, -high) + (a.high * b.low + a.low * b.high) };
}

__device__ static inline number_t
add (const number_t &a, const number_t &b)
{
  const float high = a.high + b.high, back = high - a.high;

  return number_t { high, (a.high - (high - back)) + (b.high - back) + (a.low + b.low) };
}

/* The middle of a part for the pixel at 1, 0 from the centre: its place, from that pixel. That of
 * any other pixel is this, as a complex number, times the pixel's place from the centre. */
struct turn_t {
  number_t x, y;
};

/* t: from 0 at the paths' start to 1 at their end. */
__device__ static inline turn_t
find_turn (const MotionPath &path, double t)
{
#if SPIN
  double sine, cosine;

  sincos ((0.5 * t - 0.25) * path.spin, &sine, &cosine);
  return turn_t { split (-2.0 * sine * sine), split (2.0 * sine * cosine) };
#else
  return turn_t { split (-t * path.factor), split (0.0) };
#endif
}

/* A pixel's path. */
struct walk_t {
  int x, y;
  number_t from_x, from_y; /* the pixel, from the centre */
  int n;                   /* samples */
  float turn;              /* from one sample to the next; of a zoom, the share of the way */
};

/* The same expression as in C. */
__device__ static inline walk_t
begin_walk (const MotionPath &path, int x, int y)
{
  const double from_x = x + 0.5 - path.center_x, from_y = y + 0.5 - path.center_y;
  const double length = path.length * sqrt (from_x * from_x + from_y * from_y);
  const double n = ceil (floor (256.0 * length + 0.5) / 256.0);
  const int samples = (int) fmin (fmax (n, 1.0), (double) MOTION_SAMPLES_MAX);

  return walk_t { x, y, split (from_x), split (from_y), samples,
                  (float) (SPIN ? path.spin : -path.factor) / (float) samples };
}

/* A part of a path. A sample is e samples after the part's middle, and its place, less half a
 * pixel, is a polynomial of e, from the pixel column, row. */
struct part_t {
  int column, row;
  float x[DEGREE + 1], y[DEGREE + 1];
};

__device__ static inline part_t
find_part (const walk_t &walk, const turn_t &turn)
{
#if SPIN
  const number_t across = multiply (turn.y, walk.from_y);
  const number_t x = add (multiply (turn.x, walk.from_x), number_t { -across.high, -across.low });
  const number_t y = add (multiply (turn.x, walk.from_y), multiply (turn.y, walk.from_x));
  const float at_x = walk.from_x.high + x.high, at_y = walk.from_y.high + y.high;
#else
  const number_t x = multiply (turn.x, walk.from_x), y = multiply (turn.x, walk.from_y);
#endif
  const float whole_x = rintf (x.high), whole_y = rintf (y.high);
  part_t part;

  part.column = walk.x + (int) whole_x;
  part.row = walk.y + (int) whole_y;
  part.x[0] = (x.high - whole_x) + x.low - 0.5f;
  part.y[0] = (y.high - whole_y) + y.low - 0.5f;
#if SPIN
  const float square = walk.turn * walk.turn;

  part.x[1] = -walk.turn * at_y;
  part.y[1] = walk.turn * at_x;
  part.x[2] = -0.5f * square * at_x;
  part.y[2] = -0.5f * square * at_y;
  part.x[3] = -1.0f / 6.0f * square * part.x[1];
  part.y[3] = -1.0f / 6.0f * square * part.y[1];
  part.x[4] = -1.0f / 12.0f * square * part.x[2];
  part.y[4] = -1.0f / 12.0f * square * part.y[2];
#else
  part.x[1] = walk.turn * walk.from_x.high;
  part.y[1] = walk.turn * walk.from_y.high;
#endif
  return part;
}

/* A sample: the pixel at its upper left, from the part's; and the weight of the pixels to its right
 * and below. */
struct place_t {
  int column, row;
  float right, down;
};

__device__ static inline float
get_value (const float *polynomial, float e)
{
  float x = polynomial[DEGREE];

#pragma unroll
  for (int i = DEGREE - 1; i >= 0; i--)
    x = x * e + polynomial[i];
  return x;
}

__device__ static inline place_t
find_place (const part_t &part, float e)
{
  const float x = get_value (part.x, e), y = get_value (part.y, e);
  const float near_x = x + LARGE, near_y = y + LARGE;

  return place_t { (int) __float_as_uint (near_x) - LARGE_BITS,
                   (int) __float_as_uint (near_y) - LARGE_BITS, 0.5f + (x - (near_x - LARGE)),
                   0.5f + (y - (near_y - LARGE)) };
}

/* Adds a sample inside the grid. middle is the part's pixel. */
__device__ static inline void
add_sample (const pixel_t *middle, int columns, const place_t &place, float weight, pixel_t &sum)
{
  const pixel_t *upper = middle + (place.row * columns + place.column), *lower = upper + columns;
  const float down = weight * place.down, up = weight - down;
  const float upper_right = up * place.right, lower_right = down * place.right;

  add (load (upper), up - upper_right, sum);
  add (load (upper + 1), upper_right, sum);
  add (load (lower), down - lower_right, sum);
  add (load (lower + 1), lower_right, sum);
}

/* Adds a sample anywhere, times scale. An infinity that has hardly any weight does not count. */
__device__ static inline void
add_with_care (const FxSource &source, const FxGrid &grid, const part_t &part, const place_t &place,
               float weight, float scale, pixel_t &sum)
{
#pragma unroll 1
  for (int i = 0; i < 4; i++)
    {
      const int x = part.column + place.column + i % 2, y = part.row + place.row + i / 2;
      const float share = weight * (i % 2 ? place.right : 1.0f - place.right) *
                          (i / 2 ? place.down : 1.0f - place.down);
      const pixel_t pixel = is_beyond (source, x, y) ? get_beyond () : fetch (grid, x, y);

#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        if (! FLOATING || share > MOTION_NOTHING || is_finite (pixel.v[c]))
          sum.v[c] += share * (FLOATING ? scale * pixel.v[c] : pixel.v[c]);
    }
}

/* Sums the count samples of a part, the first of which is e after its middle. Their weights rise by
 * rise from one to the next, and that of the middle is weight. careful: all of them with care,
 * times scale, which is 1 otherwise. */
__device__ static inline pixel_t
sum_part (const FxSource &source, const FxGrid &grid, const part_t &part, int count, float e,
          float weight, float rise, bool careful, float scale)
{
  const int column = part.column - grid.x_first, row = part.row - grid.y_first;
  const pixel_t *middle = grid.cells + (long long) row * grid.columns + column;
  pixel_t sum = {};

  if (careful || column < MARGIN || column >= grid.columns - MARGIN || row < MARGIN ||
      row >= grid.rows - MARGIN)
#pragma unroll 1
    for (int i = 0; i < count; i++)
      add_with_care (source, grid, part, find_place (part, e + i), weight + rise * (e + i), scale,
                     sum);
  else
#pragma unroll 1
    for (int first = 0; first < count; first += BATCH)
#pragma unroll
      for (int i = first; i < first + BATCH; i++)
        add_sample (middle, grid.columns, find_place (part, e + i),
                    i < count ? SPIN ? 1.0f : weight + rise * (e + i) : 0.0f, sum);
  return sum;
}

/* Sums every slices-th of a path's parts, from part slice on; part k begins with sample (k n +
 * parts / 2) / parts. All threads of a block must call this. The parts' sums are added with the
 * rounding errors of their sum, which would otherwise show after some thousand of them. careful:
 * all samples with care, times MOTION_SCALE. */
__device__ static inline pixel_t
sum_path (const FxSource &source, const FxGrid &grid, const MotionPath &path, const walk_t &walk,
          int parts, int slice, int slices, bool careful)
{
  __shared__ turn_t turns[THREADS];
  const int whole = walk.n / parts, rest = walk.n % parts, half = parts / 2;
  const int step = (int) ((long long) rest * slices % parts);
  const float fade = (float) path.fade, rise = 2.0f * fade / (float) walk.n;
  const bool with_care = careful || (SPIN && walk.turn > TURN_MAX);
  const float start = 0.5f + ((float) half - 0.5f * (float) walk.n) / (float) parts;
  int before = (int) (((long long) rest * slice + half) % parts);
  pixel_t total = {}, lost = {};

#pragma unroll 1
  for (int first = 0; first < parts; first += THREADS)
    {
      const int end = min (parts - first, THREADS);

      __syncthreads ();
      if ((int) threadIdx.x < end)
        turns[threadIdx.x] = find_turn (path, (first + (int) threadIdx.x + 0.5) / parts);
      __syncthreads ();
#pragma unroll 1
      for (int k = slice; k < end; k += slices)
        {
          const float middle = 2.0f * ((float) (first + k) + 0.5f) / (float) parts - 1.0f;
          const pixel_t sum = sum_part (source, grid, find_part (walk, turns[k]),
                                        whole + (before + rest >= parts),
                                        start - (float) before / (float) parts,
                                        1.0f + fade * middle, rise, with_care,
                                        careful ? MOTION_SCALE : 1.0f);

          before += step;
          before -= before >= parts ? parts : 0;
#pragma unroll
          for (int c = 0; c < CHANNELS; c++)
            {
              const float added = sum.v[c] - lost.v[c], more = total.v[c] + added;

              lost.v[c] = FLOATING && careful && ! is_finite (more)
                            ? 0.0f /* that of infinity would be NaN */
                            : (more - total.v[c]) - added;
              total.v[c] = more;
            }
        }
    }
  return total;
}

/* The number of parts for the pixels of columns left to right and rows top to bottom: none has more
 * than MOTION_PART samples, or turns so far that its polynomial is not exact enough. */
__device__ static inline int
count_parts (const MotionPath &path, int left, int right, int top, int bottom)
{
  const float x = (float) fmax (fabs (left + 0.5 - path.center_x),
                                fabs (right + 0.5 - path.center_x));
  const float y = (float) fmax (fabs (top + 0.5 - path.center_y),
                                fabs (bottom + 0.5 - path.center_y));
  const float samples = (float) path.length * sqrtf (x * x + y * y) * 1.00001f + 2.0f;
  const int parts = (int) fminf (samples, (float) MOTION_SAMPLES_MAX) / MOTION_PART + 1;

  return max (parts, (int) ((float) path.spin / MOTION_TURN) + 1);
}

/* Whether the sum of so many slices like this one is finite. */
__device__ static inline bool
is_sum_finite (pixel_t slice, int slices)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    slice.v[c] *= (float) slices;
  return is_finite (slice);
}

/* Computes result rows top to end - 1, columns left to right - 1. result is the address of row
 * top, of width pixels from column x_first on. A warp has 8 x 4 pixels, and slices warps have the
 * same ones. */
extern "C" __global__ void __launch_bounds__ (THREADS, 3)
kernel (FxSource source, FxGrid grid, MotionPath path, int left, int right, int top, int end,
        int x_first, int width, int slices, stored_t *result)
{
  __shared__ pixel_t sums[THREADS];
  __shared__ int infinite;
  const int warps = THREADS / 32 / slices, across = min (warps, 4); /* of the block's pixels */
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x % 32;
  const int slice = warp / warps, place = warp % warps;
  const int columns = 8 * across, rows = 4 * (warps / across);
  const int block_x = left + (int) blockIdx.x * columns, block_y = top + (int) blockIdx.y * rows;
  const int x = block_x + place % across * 8 + lane % 8;
  const int y = block_y + place / across * 4 + lane / 8;
  const int parts = count_parts (path, block_x, block_x + columns - 1, block_y, block_y + rows - 1);
  const walk_t walk = begin_walk (path, min (x, right - 1), min (y, end - 1));
  bool careful = false;
  pixel_t mean;

#pragma unroll 1
  for (;; careful = true)
    {
      if (threadIdx.x == 0)
        infinite = 0;
      mean = sum_path (source, grid, path, walk, parts, slice, slices, careful);
      sums[threadIdx.x] = mean;
      if (FLOATING && ! is_sum_finite (mean, slices))
        infinite = 1;
      __syncthreads ();
      if (! FLOATING || careful || ! infinite)
        break;
      __syncthreads ();
    }
  if (slice > 0 || x >= right || y >= end)
    return;
#pragma unroll 1
  for (int i = 1; i < slices; i++)
    add (sums[threadIdx.x + i * 32 * warps], 1.0f, mean);
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    mean.v[c] /= (careful ? MOTION_SCALE : 1.0f) * (float) walk.n;
  result[(long long) (y - top) * width + x - x_first] = encode (mean);
}
