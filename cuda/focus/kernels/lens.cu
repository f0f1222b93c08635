/* Each pixel's own aperture, as a sum over the pieces of its outline (outline.h). Constants to
 * define before this file, in addition to those of image.cuh, strength.cuh and lens.cuh: THREADS of
 * a block; MIRRORED, if the outline is. */

#include "pixel.cuh"
#include "image.cuh"
#include "strength.cuh"
#include "lens.cuh"

#define COLUMNS 32 /* of a block */

struct total_t {
  float v[NUMBERS];
};

/* The difference of two sums. */
__device__ static inline float
subtract (const numbers_t &high, const numbers_t &low, const numbers_t &from_high,
          const numbers_t &from_low, int c)
{
  if (INTEGERS)
    return (float) (int) (high.v[c] - from_high.v[c]);
  return (__uint_as_float (high.v[c]) - __uint_as_float (from_high.v[c])) +
         (__uint_as_float (low.v[c]) - __uint_as_float (from_low.v[c]));
}

/* Adds a segment, whose pixel is column of the row, to the sum; from: the row's place at the
 * middle. */
__device__ static inline void
add (const FocusSums &sums, long long from, int column, float height, float area, total_t &total)
{
  const numbers_t *high = (const numbers_t *) sums.sums + from;
  const numbers_t *low = (const numbers_t *) sums.rest + from;
  const numbers_t middle = load (high), left = load (high + column);
  const numbers_t right = load (high + column + 1);
  numbers_t rest[3] = {};

  if (! INTEGERS)
    {
      rest[0] = load (low);
      rest[1] = load (low + column);
      rest[2] = load (low + column + 1);
    }
#pragma unroll
  for (int c = 0; c < NUMBERS; c++)
    total.v[c] += height * subtract (left, rest[1], middle, rest[0], c) +
                  area * subtract (right, rest[2], left, rest[1], c);
}

/* The same for what is not finite: how much of the aperture +infinity and -infinity fill. */
__device__ static inline void
add_marks (const FocusSums &sums, long long from, int column, float height, float area,
           total_t &plus, total_t &minus)
{
  const numbers_t *place = (const numbers_t *) sums.marks + from;

#pragma unroll
  for (int c = 0; c < NUMBERS; c++)
    {
      const unsigned middle = place[0].v[c], left = place[column].v[c];
      const unsigned whole = column < 0 ? middle - left : left - middle;
      const unsigned own = place[column + 1].v[c] - left;
      const float sign = column < 0 ? -height : height;

      plus.v[c] += sign * (float) (whole & 0xffffu) + area * (float) (own & 0xffffu);
      minus.v[c] += sign * (float) (whole >> 16) + area * (float) (own >> 16);
    }
}

/* Calls each (row, column, height, area) for all segments of an outline. A symmetric one is walked
 * along in its lower right quarter only; the mirror image of an area is what the left end leaves of
 * the pixel. */
template <typename F>
__device__ static inline void
trace (const FocusOutline &outline, float radius, F each)
{
#pragma unroll 1
  for (int left = 0; left <= ! MIRRORED; left++)
    {
      FocusWalk walk = focus_walk_begin (&outline, radius, left);
      const float sign = left ? -1.0f : 1.0f;
      FocusSegment s;

#pragma unroll 1
      while (focus_walk_next (&walk, &s))
        {
          each (s.row, s.column, sign * s.height, sign * s.area);
          if (MIRRORED)
            {
              each (s.row, -s.column, -s.height, s.area - s.height);
              each (-s.row, s.column, s.height, s.area);
              each (-s.row, -s.column, -s.height, s.area - s.height);
            }
        }
    }
}

/* Sets what infinities reach. */
__device__ static inline void
mark (const FocusSums &sums, const FocusOutline &outline, float radius, long long place,
      pixel_t &pixel)
{
  total_t plus = {}, minus = {};

  trace (outline, radius, [&] (int row, int column, float height, float area) {
    add_marks (sums, place + (long long) row * sums.columns, column, height, area, plus, minus);
  });
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] = plus.v[c] > FOCUS_SEEN    ? INFINITE
                 : minus.v[c] > FOCUS_SEEN ? -INFINITE
                                          : pixel.v[c];
}

/* Compresses highlights, of a pixel that is still multiplied by alpha. */
__device__ static inline pixel_t
compress (pixel_t pixel)
{
  const float scale = PREMULTIPLIED ? get_scale (pixel.v[CHANNELS - 1]) : 1.0f;
  pixel_t straight = pixel;
  float factor;

#pragma unroll
  for (int c = 0; c < COLORS; c++)
    straight.v[c] = unmultiply (pixel.v[c], scale);
  factor = get_compression (straight);
#pragma unroll
  for (int c = 0; c < COLORS; c++)
    pixel.v[c] *= factor;
  return pixel;
}

__device__ static inline pixel_t
filter (const FocusSums &sums, const FocusOutline &outline, float radius, int x, int y)
{
  const long long place = (long long) (y - sums.y_first) * sums.columns + (x - sums.x_first);
  total_t total = {};
  pixel_t pixel;

  trace (outline, radius, [&] (int row, int column, float height, float area) {
    add (sums, place + (long long) row * sums.columns, column, height, area, total);
  });

  const float whole = KEEP ? total.v[NUMBERS - 1] : radius * radius * outline.area * sums.scale;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    pixel.v[c] = total.v[c] / whole;
  if (FLOATING && *sums.marked)
    mark (sums, outline, radius, place, pixel);
  return pixel;
}

/* Computes result rows top to end - 1, columns left to right - 1. result is the address of row
 * top, of width pixels from column x_first on. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, FocusSums sums, FocusArgs args, FocusStrength strength,
        FocusOutline shape, int left, int right, int top, int end, int x_first, int width,
        stored_t *result HIGHLIGHTS_PARAMETER)
{
  __shared__ FocusOutline outline;
  const int x = left + (int) blockIdx.x * COLUMNS + (int) threadIdx.x % COLUMNS;
  const int y = top + (int) blockIdx.y * (THREADS / COLUMNS) + (int) threadIdx.x / COLUMNS;

  INIT_HIGHLIGHTS
  if (threadIdx.x == 0)
    outline = shape;
  __syncthreads ();
  if (x >= right || y >= end)
    return;

  const float radius = args.strength * get_share (strength, x, y);

  result[(long long) (y - top) * width + x - x_first] =
    radius <= FOCUS_LENS_MIN ? get_stored (source, x, y)
                             : encode (compress (filter (sums, outline, radius, x, y)));
}
