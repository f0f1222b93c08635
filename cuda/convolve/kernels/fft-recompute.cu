/* Recomputes results that fft-result.cu has listed, by the sum over the taps. each threads compute
 * one pixel at a time. They take BESIDE columns of the matrix and each / BESIDE rows at a time, so
 * that both the pixels and the weights, which are stored column by column, come from few lines of
 * the cache.
 *
 * Constants to define before this file: those of result.cuh. */

#include "pixel.cuh"
#include "image.cuh"
#include "convolve-args.h"
#include "fft-args.h"
#include "result.cuh"

#define BESIDE 8

__shared__ pixel_t sums[FFT_RECOMPUTE_THREADS];

__device__ static inline void
add_to (pixel_t &sum, const pixel_t &pixel, float weight)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    sum.v[c] += weight * pixel.v[c];
}

/* Returns this thread's part of the sum for the pixel at x, y. */
__device__ static inline pixel_t
sum_part (const FxSource &source, const ConvolveTaps &taps, int x, int y, int each)
{
  const int part = threadIdx.x % each;
  pixel_t sum = pixel_t ();

  for (int i = part % BESIDE; i < taps.columns; i += BESIDE)
    {
#pragma unroll 4
      for (int j = part / BESIDE; j < taps.rows; j += each / BESIDE)
        {
          const int from_x = x + taps.left + i, from_y = y + taps.top + j;
          const pixel_t pixel = finish (source, fetch (source, from_x, from_y), from_x, from_y);

          add_to (sum, clear_transparent (pixel), taps.weights[i * taps.rows + j]);
        }
    }
  return sum;
}

/* Recomputes entries first to end - 1 of the list, by blocks blocks. each is a power of two. */
extern "C" __global__ void __launch_bounds__ (FFT_RECOMPUTE_THREADS)
kernel (FxSource source, ConvolveTaps taps, ConvolveFft fft, ConvolveAfter after, int first,
        int end, int blocks, int each, stored_t *result HIGHLIGHTS_PARAMETER)
{
  const int part = threadIdx.x % each, mine = threadIdx.x / each;
  const int pixels = FFT_RECOMPUTE_THREADS / each; /* of a block, at a time */

  INIT_HIGHLIGHTS
  init_decode (FFT_RECOMPUTE_THREADS);
  for (int i = first + (int) blockIdx.x * pixels; i < end; i += blocks * pixels)
    {
      const unsigned place = fft.list->places[min (i + mine, end - 1)];
      const int x = fft.x + place % fft.width, y = fft.y + place / fft.width;

      sums[threadIdx.x] = sum_part (source, taps, x, y, each);
      __syncthreads ();
      for (int n = each / 2; n > 0; n /= 2)
        {
          if (part < n)
            add_to (sums[threadIdx.x], sums[threadIdx.x + n], 1.0f);
          __syncthreads ();
        }
      if (part == 0 && i + mine < end)
        store_result (source, sums[threadIdx.x], after, x, y, result + place);
      __syncthreads ();
    }
}
