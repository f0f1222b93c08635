/* The FIR along y, for kernels that are too long for fir.cu, from a ring of rows to result rows.
 *
 * Like rows.cu, except that a thread computes one channel of a column. */

#include "pixel.cuh"
#include "image.cuh"
#include "blur-args.h"

#define COLUMN_THREADS (COLUMNS * CHANNELS)
#define COLUMN_SLAB    32

/* Returns a pixel of the ring; outside of its rows, a pixel given by the abyss policy. */
__device__ static inline pixel_t
load_ring (const FxGrid &ring, int column, int y)
{
  const int last = ring.y_first + ring.rows - 1;

  if ((y < ring.y_first && ring.beyond_low) || (y > last && ring.beyond_high))
    return get_beyond ();
  return get_row (ring, clamp (y, ring.y_first, last))[min (column, ring.columns - 1)];
}

/* Computes result rows first to end - 1, columns first_column to right - 1, counted from the ring's
 * first column. result is the address of row first. weights has radius + 1 weights from the centre
 * outwards. */
extern "C" __global__ void __launch_bounds__ (COLUMN_THREADS)
kernel (FxGrid ring, const float *weights, int radius, int first_column, int right, int first,
        int end, stored_t *result)
{
  __shared__ pixel_t tile[COLUMN_SLAB + RUN][COLUMNS];
  const int i = threadIdx.x;
  const int left = first_column + (int) blockIdx.x * COLUMNS;
  const int row = first + (int) blockIdx.y * RUN;
  const int taps = 2 * radius + 1;
  const float *samples = tile[0][0].v + i; /* this thread's column; rows are COLUMN_THREADS floats
                                              apart */
  float total[RUN] = {};

  for (int slab = 0; slab < taps; slab += COLUMN_SLAB)
    {
      float window[RUN], sum[RUN] = {};

      __syncthreads ();
#pragma unroll 1
      for (int k = i; k < (COLUMN_SLAB + RUN) * COLUMNS; k += COLUMN_THREADS)
        tile[k / COLUMNS][k % COLUMNS] =
          load_ring (ring, left + k % COLUMNS, /* no result depends on rows after end - 1 +
                                                  radius */
                     min (row - radius + slab + k / COLUMNS, end - 1 + radius));
      __syncthreads ();

#pragma unroll
      for (int k = 0; k < RUN; k++)
        window[k] = samples[k * COLUMN_THREADS];
#pragma unroll 1
      for (int t = 0; t < COLUMN_SLAB; t += RUN)
#pragma unroll
        for (int k = 0; k < RUN; k++)
          {
            if (slab + t + k < taps) /* a weight of 0 would turn infinity into NaN */
#pragma unroll
              for (int p = 0; p < RUN; p++)
                sum[p] += weights[abs (slab + t + k - radius)] * window[(k + p) % RUN];
            window[k] = samples[(t + k + RUN) * COLUMN_THREADS];
          }
#pragma unroll
      for (int p = 0; p < RUN; p++)
        total[p] += sum[p];
    }
  __syncthreads ();
#pragma unroll
  for (int p = 0; p < RUN; p++)
    tile[p][i / CHANNELS].v[i % CHANNELS] = total[p];
  __syncthreads ();
#pragma unroll 1
  for (int k = i; k < RUN * COLUMNS; k += COLUMN_THREADS)
    if (row + k / COLUMNS < end && left + k % COLUMNS < right)
      result[(long long) (row + k / COLUMNS - first) * ring.columns + left + k % COLUMNS] =
        encode (tile[k / COLUMNS][k % COLUMNS]);
}
