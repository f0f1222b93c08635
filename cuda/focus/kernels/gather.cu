/* The result, from the pyramid. focus/cpu.c does the same on the CPU.
 *
 * Constants to define before this file, in addition to those of image.cuh, strength.cuh and
 * gather.cuh: THREADS of a block, a multiple of 128, and RUN pixels of each, one below the other. A
 * warp has 8 x 4 threads, and a row of a block 4 warps. */

#include "pixel.cuh"
#include "image.cuh"
#include "strength.cuh"
#include "gather.cuh"

#define COLUMNS 32 /* of a block */
#define PIXELS  (THREADS * RUN)

/* The threads whose pixels have different levels from which on a block is mixed. */
#define MIXED_MIN (THREADS / 4)

/* The rows and columns that a launch computes, and where it stores them. */
struct area_t {
  int left, right, top, end;
  int x_first, width;
  stored_t *result;
};

/* Stores a pixel, if its row is to be computed. One with next to no blur stays as it is stored. */
__device__ static inline void
store_result (const FxSource &source, const area_t &area, int x, int y, float sigma,
              const pixel_t &pixel)
{
  if (y < area.end)
    area.result[(long long) (y - area.top) * area.width + x - area.x_first] =
      sigma < FOCUS_SIGMA_MIN ? get_stored (source, x, y) : encode (pixel);
}

/* Computes N pixels from x, y down, which have the same level: sums of their windows, divided by
 * those of the weights. */
template <int N>
__device__ static inline void
filter (const FocusPyramidArgs &pyramid, const FocusArgs &args, int level, int x, int y,
        const float *sigmas, pixel_t *pixels)
{
  const window_t<N> window = find_window<N> (args, level, x, y, sigmas);
  sum_t sums[N];

  sum_windows (pyramid.cells[level], pyramid.weights[level], window, sums);
#pragma unroll
  for (int n = 0; n < N; n++)
    {
      if (FLOATING && ! is_finite (sums[n].pixel))
        sums[n] = sum_with_care (pyramid.cells[level], pyramid.weights[level],
                                 find_window<1> (args, level, x, y + n, sigmas + n));
#pragma unroll
      for (int c = 0; c < CHANNELS; c++)
        pixels[n].v[c] = sums[n].pixel.v[c] / sums[n].weight;
    }
}

/* Sorts the keys of a block's pixels, by Batcher's bitonic network. All threads of the block must
 * call this. */
__device__ static inline void
sort (unsigned *keys)
{
#pragma unroll 1
  for (int size = 2; size <= PIXELS; size *= 2)
#pragma unroll 1
    for (int stride = size / 2; stride > 0; stride /= 2)
      {
        __syncthreads ();
        for (int i = threadIdx.x; i < PIXELS / 2; i += THREADS)
          {
            const int low = 2 * i - (i & (stride - 1));
            const unsigned a = keys[low], b = keys[low + stride];

            keys[low] = (low & size) == 0 ? min (a, b) : max (a, b);
            keys[low + stride] = (low & size) == 0 ? max (a, b) : min (a, b);
          }
      }
  __syncthreads ();
}

/* Computes the pixels of a block where a map changes from pixel to pixel. Warps would wait for
 * their largest windows, so they take pixels of similar strength, one after the other. x, y is the
 * block's first pixel, and place that of the thread in the block. */
__device__ static inline void
filter_mixed (const FxSource &source, const FocusPyramidArgs &pyramid, const FocusArgs &args,
              const area_t &area, int x, int y, int place, const float *own)
{
  __shared__ unsigned keys[PIXELS]; /* most of the bits of a sigma, and the pixel's place */
  __shared__ float sigmas[PIXELS];

#pragma unroll
  for (int n = 0; n < RUN; n++)
    {
      const int i = place + n * COLUMNS;

      sigmas[i] = own[n];
      keys[i] = (__float_as_uint (own[n]) & ~(PIXELS - 1u)) | i;
    }
  sort (keys);
#pragma unroll 1
  for (int i = threadIdx.x; i < PIXELS; i += THREADS)
    {
      const int pixel = (int) (keys[i] & (PIXELS - 1u));
      const int pixel_x = x + pixel % COLUMNS, pixel_y = y + pixel / COLUMNS;
      const float sigma = sigmas[pixel];
      pixel_t filtered;

      if (pixel_x >= area.right || pixel_y >= area.end)
        continue;
      filter<1> (pyramid, args, find_level (sigma / args.k, args.levels), pixel_x, pixel_y, &sigma,
                 &filtered);
      store_result (source, area, pixel_x, pixel_y, sigma, filtered);
    }
}

/* Computes the pixels of a thread, whose windows share cells if they have the same level. */
__device__ static inline void
filter_run (const FxSource &source, const FocusPyramidArgs &pyramid, const FocusArgs &args,
            const area_t &area, int x, int y, const int *levels, const float *sigmas, bool same)
{
  pixel_t pixels[RUN];

  if (x >= area.right || y >= area.end)
    return;
  if (same)
    filter<RUN> (pyramid, args, levels[0], x, y, sigmas, pixels);
  else
#pragma unroll
    for (int n = 0; n < RUN; n++)
      filter<1> (pyramid, args, levels[n], x, y + n, sigmas + n, pixels + n);
#pragma unroll
  for (int n = 0; n < RUN; n++)
    store_result (source, area, x, y + n, sigmas[n], pixels[n]);
}

/* Computes result rows top to end - 1, columns left to right - 1. result is the address of row
 * top, of width pixels from column x_first on. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, FocusPyramidArgs pyramid, FocusArgs args, FocusStrength strength, int left,
        int right, int top, int end, int x_first, int width, stored_t *result)
{
  const area_t area = { left, right, top, end, x_first, width, result };
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x % 32;
  const int column = warp % 4 * 8 + lane % 8, row = (warp / 4 * 4 + lane / 8) * RUN;
  const int block_x = left + (int) blockIdx.x * COLUMNS;
  const int block_y = top + (int) blockIdx.y * (PIXELS / COLUMNS);
  const int x = block_x + column, y = block_y + row;
  float sigmas[RUN];
  int levels[RUN];
  bool same = true;

#pragma unroll
  for (int n = 0; n < RUN; n++)
    {
      sigmas[n] = args.strength * get_share (strength, min (x, right - 1), min (y + n, end - 1));
      levels[n] = find_level (sigmas[n] / args.k, args.levels);
      same = same && levels[n] == levels[0];
    }
#if MAP
  __shared__ unsigned mixed;

  if (threadIdx.x == 0)
    mixed = 0;
  __syncthreads ();
  if (! same)
    atomicAdd (&mixed, 1);
  __syncthreads ();
  if (mixed >= MIXED_MIN)
    {
      filter_mixed (source, pyramid, args, area, block_x, block_y, row * COLUMNS + column, sigmas);
      return;
    }
#endif
  filter_run (source, pyramid, args, area, x, y, levels, sigmas, same);
}
