/* The result, from the pyramid. focus/cpu.c does the same on the CPU.
 *
 * Constants to define before this file, in addition to those of image.cuh, strength.cuh and
 * gather.cuh: THREADS of a block, a multiple of 128, and RUN pixels of each, one below the other. A
 * warp has 8 x 4 threads, and a row of a block 4 warps. */

#include "pixel.cuh"
#include "image.cuh"
#include "strength.cuh"
#include "gather.cuh"

/* Sums the windows of N pixels from x, y down, which have the same level, and divides the sums by
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

/* Computes result rows top to end - 1, columns left to right - 1. result is the address of row
 * top, of width pixels from column x_first on. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (FxSource source, FocusPyramidArgs pyramid, FocusArgs args, FocusStrength strength, int left,
        int right, int top, int end, int x_first, int width, stored_t *result)
{
  const int warp = (int) threadIdx.x / 32, lane = (int) threadIdx.x % 32;
  const int x = left + (int) blockIdx.x * 32 + warp % 4 * 8 + lane % 8;
  const int y = top + ((int) blockIdx.y * (THREADS / 32) + warp / 4 * 4 + lane / 8) * RUN;
  float sigmas[RUN];
  int levels[RUN];
  pixel_t pixels[RUN];
  bool same = true;

  if (x >= right || y >= end)
    return;
#pragma unroll
  for (int n = 0; n < RUN; n++)
    {
      sigmas[n] = args.strength * get_share (strength, x, min (y + n, end - 1));
      levels[n] = find_level (sigmas[n] / args.k, args.levels);
      same = same && levels[n] == levels[0];
    }
  if (same)
    filter<RUN> (pyramid, args, levels[0], x, y, sigmas, pixels);
  else
#pragma unroll
    for (int n = 0; n < RUN; n++)
      filter<1> (pyramid, args, levels[n], x, min (y + n, end - 1), sigmas + n, pixels + n);
#pragma unroll
  for (int n = 0; n < RUN; n++)
    if (y + n < end)
      result[(long long) (y + n - top) * width + x - x_first] =
        sigmas[n] < FOCUS_SIGMA_MIN ? fetch (source, x, y + n) : encode (pixels[n]);
}
