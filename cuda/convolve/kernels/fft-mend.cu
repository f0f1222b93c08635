/* Recomputes results that fft-result.cu has listed, by the sum over the taps. A block computes one
 * pixel at a time.
 *
 * Constants to define before this file: those of result.cuh. */

#include "pixel.cuh"
#include "image.cuh"
#include "convolve-args.h"
#include "fft-args.h"
#include "result.cuh"

__shared__ pixel_t sums[FFT_MEND_THREADS];

__device__ static inline void
add_to (pixel_t &sum, const pixel_t &pixel, float weight)
{
#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    sum.v[c] += weight * pixel.v[c];
}

/* Returns this thread's part of the sum for the pixel at x, y. */
__device__ static inline pixel_t
sum_part (const FxSource &source, const ConvolveTaps &taps, int x, int y)
{
  pixel_t sum = pixel_t ();

  for (int n = threadIdx.x; n < taps.rows * taps.columns; n += FFT_MEND_THREADS)
    {
      const int from_x = x + taps.left + n / taps.rows, from_y = y + taps.top + n % taps.rows;

      const pixel_t pixel = finish (source, fetch (source, from_x, from_y), from_x, from_y);

      add_to (sum, settle (pixel), taps.weights[n]);
    }
  return sum;
}

/* Recomputes entries first to end - 1 of the list, by blocks blocks. */
extern "C" __global__ void __launch_bounds__ (FFT_MEND_THREADS)
kernel (FxSource source, ConvolveTaps taps, ConvolveFft fft, ConvolveAfter after, int first,
        int end, int blocks, stored_t *result HIGHLIGHTS_PARAMETER)
{
  INIT_HIGHLIGHTS
  init_decode (FFT_MEND_THREADS);
  for (int i = first + (int) blockIdx.x; i < end; i += blocks)
    {
      const unsigned place = fft.list->places[i];
      const int x = fft.x + place % fft.width, y = fft.y + place / fft.width;

      sums[threadIdx.x] = sum_part (source, taps, x, y);
      __syncthreads ();
      for (int n = FFT_MEND_THREADS / 2; n > 0; n /= 2)
        {
          if ((int) threadIdx.x < n)
            add_to (sums[threadIdx.x], sums[threadIdx.x + n], 1.0f);
          __syncthreads ();
        }
      if (threadIdx.x == 0)
        store_result (source, sums[0], after, x, y, result + place);
      __syncthreads ();
    }
}
