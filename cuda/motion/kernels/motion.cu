/* The mean along a pixel's path. motion/cpu-path.c does the same on the CPU.
 *
 * Constants to define before this file, in addition to those of image.cuh: COLUMNS and ROWS of a
 * block; SPIN: the paths turn around the centre, else they lead to it. */

#include "pixel.cuh"
#include "image.cuh"
#include "motion-args.h"

#define MARGIN (MOTION_PART / 2 + 2) /* pixels beside the middle of a part that its samples read */
#define MIDDLE ((MOTION_PART - 1) / 2.0f)

/* A walk along a path. */
struct walk_t {
  double from_x, from_y; /* the pixel, from the centre */
  double at_x, at_y;     /* the part's middle: of a spin from the centre, else from the pixel */
  double next_x, next_y; /* its next place is this complex number times as far, or farther */
  float along[MOTION_PART / 2], across[MOTION_PART / 2]; /* samples after the part's middle */
  int n;
};

/* The same expression as in C. */
__device__ static inline int
count_samples (const MotionPath &path, double x, double y)
{
  const double length = path.length * sqrt (x * x + y * y);
  const double n = ceil (floor (256.0 * length + 0.5) / 256.0);

  return (int) fmin (fmax (n, 1.0), (double) MOTION_SAMPLES_MAX);
}

__device__ static inline walk_t
begin_walk (const MotionPath &path, int x, int y)
{
  walk_t walk;

  walk.from_x = x + 0.5 - path.center_x;
  walk.from_y = y + 0.5 - path.center_y;
  walk.n = count_samples (path, walk.from_x, walk.from_y);
#if SPIN
  const double turn = path.spin / walk.n, first = MOTION_PART / 2.0 * turn - path.spin / 2.0;
  const double first_x = cos (first), first_y = sin (first);

  walk.at_x = first_x * walk.from_x - first_y * walk.from_y;
  walk.at_y = first_x * walk.from_y + first_y * walk.from_x;
  walk.next_x = cos (MOTION_PART * turn);
  walk.next_y = sin (MOTION_PART * turn);
#pragma unroll
  for (int i = 0; i < MOTION_PART / 2; i++)
    {
      const float angle = (i + 0.5f) * (float) turn, half = sinf (0.5f * angle);

      walk.along[i] = -2.0f * half * half;
      walk.across[i] = sinf (angle);
    }
#else
  const double part = path.factor / walk.n;

  walk.next_x = -MOTION_PART * part * walk.from_x;
  walk.next_y = -MOTION_PART * part * walk.from_y;
  walk.at_x = 0.5 * walk.next_x;
  walk.at_y = 0.5 * walk.next_y;
#pragma unroll
  for (int i = 0; i < MOTION_PART / 2; i++)
    walk.along[i] = -(i + 0.5f) * (float) part;
#endif
  return walk;
}

__device__ static inline void
step (walk_t &walk)
{
#if SPIN
  const double x = walk.at_x, y = walk.at_y;

  walk.at_x = walk.next_x * x - walk.next_y * y;
  walk.at_y = walk.next_x * y + walk.next_y * x;
#else
  walk.at_x += walk.next_x;
  walk.at_y += walk.next_y;
#endif
}

/* The place of a part's middle: a pixel, and the offset from it; and its distance from the
 * centre. */
struct middle_t {
  int column, row;
  float right, down;
  float x, y;
};

__device__ static inline middle_t
find_middle (const walk_t &walk, int x, int y)
{
  const double offset_x = SPIN ? walk.at_x - walk.from_x : walk.at_x;
  const double offset_y = SPIN ? walk.at_y - walk.from_y : walk.at_y;
  const double whole_x = floor (offset_x), whole_y = floor (offset_y);

  return middle_t { x + (int) whole_x, y + (int) whole_y, (float) (offset_x - whole_x),
                    (float) (offset_y - whole_y), (float) (SPIN ? walk.at_x : walk.from_x),
                    (float) (SPIN ? walk.at_y : walk.from_y) };
}

/* A sample: the pixel at its upper left, and the weight of the pixels to its right and below. */
struct place_t {
  int column, row;
  float right, down;
};

__device__ static inline place_t
find_place (const walk_t &walk, const middle_t &middle, int i)
{
  const int n = i < MOTION_PART / 2 ? MOTION_PART / 2 - 1 - i : i - MOTION_PART / 2;
  const float sign = i < MOTION_PART / 2 ? -1.0f : 1.0f;
#if SPIN
  const float along = walk.along[n], across = sign * walk.across[n];
  const float x = middle.right + (middle.x * along - middle.y * across);
  const float y = middle.down + (middle.y * along + middle.x * across);
#else
  const float along = sign * walk.along[n];
  const float x = middle.right + middle.x * along, y = middle.down + middle.y * along;
#endif
  const float whole_x = floorf (x), whole_y = floorf (y);

  return place_t { middle.column + (int) whole_x, middle.row + (int) whole_y, x - whole_x,
                   y - whole_y };
}

__device__ static inline void
add (const pixel_t &pixel, float weight, pixel_t &sum)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    sum.v[c] += weight * pixel.v[c];
}

/* Adds a sample inside the grid. */
__device__ static inline void
add_sample (const FxGrid &grid, const place_t &place, float weight, pixel_t &sum)
{
  const pixel_t *upper = grid.cells + (long long) (place.row - grid.y_first) * grid.columns +
                         (place.column - grid.x_first);
  const pixel_t *lower = upper + grid.columns;
  const float right = weight * place.right, left = weight - right;

  add (upper[0], left * (1.0f - place.down), sum);
  add (upper[1], right * (1.0f - place.down), sum);
  add (lower[0], left * place.down, sum);
  add (lower[1], right * place.down, sum);
}

/* Adds a sample anywhere. A pixel that has hardly any weight does not count. */
__device__ static inline void
add_with_care (const FxSource &source, const FxGrid &grid, const place_t &place, float weight,
               pixel_t &sum)
{
#pragma unroll 1
  for (int i = 0; i < 4; i++)
    {
      const int x = place.column + i % 2, y = place.row + i / 2;
      const float part = weight * (i % 2 ? place.right : 1.0f - place.right) *
                         (i / 2 ? place.down : 1.0f - place.down);

      if (part > MOTION_NOTHING)
        add (is_beyond (source, x, y) ? get_beyond () : fetch (grid, x, y), part, sum);
    }
}

__device__ static inline bool
is_inside (const FxGrid &grid, const middle_t &middle)
{
  const int x = middle.column - grid.x_first, y = middle.row - grid.y_first;

  return x >= MARGIN && x < grid.columns - MARGIN && y >= MARGIN && y < grid.rows - MARGIN;
}

/* The weight of a path's sample, counted in halves. */
__device__ static inline float
get_weight (float fade, float rise, int halves)
{
  return SPIN ? 1.0f : 1.0f - fade + rise * (float) halves;
}

/* careful: all samples are added with care. The parts' sums are added with the rounding errors of
 * their sum, which would otherwise show after some thousand of them. */
__device__ static inline pixel_t
sum_path (const FxSource &source, const FxGrid &grid, const MotionPath &path, int x, int y,
          bool careful)
{
  walk_t walk = begin_walk (path, x, y);
  const float fade = (float) path.fade, rise = fade / (float) walk.n;
  pixel_t total = {}, lost = {};

#pragma unroll 1
  for (int first = 0; first < walk.n; first += MOTION_PART)
    {
      const middle_t middle = find_middle (walk, x, y);
      const bool inside = ! careful && is_inside (grid, middle);
      pixel_t sum = {};

      if (inside && first + MOTION_PART <= walk.n)
#pragma unroll
        for (int i = 0; i < MOTION_PART; i++)
          add_sample (grid, find_place (walk, middle, i),
                      get_weight (fade, rise, 2 * (first + i) + 1), sum);
      else
#pragma unroll
        for (int i = 0; i < MOTION_PART; i++)
          {
            const float weight = get_weight (fade, rise, 2 * (first + i) + 1);

            if (first + i >= walk.n)
              continue;
            if (inside)
              add_sample (grid, find_place (walk, middle, i), weight, sum);
            else
              add_with_care (source, grid, find_place (walk, middle, i), weight, sum);
          }
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        {
          const float added = sum.v[c] - lost.v[c], more = total.v[c] + added;

          lost.v[c] = (more - total.v[c]) - added;
          total.v[c] = more;
        }
      step (walk);
    }
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    total.v[c] /= (float) walk.n;
  return total;
}

/* Computes result rows top to end - 1, columns left to right - 1. result is the address of row
 * top, of width pixels from column x_first on. A warp has 8 x 4 pixels. */
extern "C" __global__ void __launch_bounds__ (COLUMNS * ROWS)
kernel (FxSource source, FxGrid grid, MotionPath path, int left, int right, int top, int end,
        int x_first, int width, stored_t *result)
{
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x % 32;
  const int x = left + (int) blockIdx.x * COLUMNS + warp % (COLUMNS / 8) * 8 + lane % 8;
  const int y = top + (int) blockIdx.y * ROWS + warp / (COLUMNS / 8) * 4 + lane / 8;

  if (x >= right || y >= end)
    return;

  pixel_t mean = sum_path (source, grid, path, x, y, false);

  if (FLOATING && ! is_finite (mean))
    mean = sum_path (source, grid, path, x, y, true);
  result[(long long) (y - top) * width + x - x_first] = encode (mean);
}
