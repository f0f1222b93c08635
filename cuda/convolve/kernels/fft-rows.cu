/* The first step of a convolution by Fourier transforms: decodes the rows of tiles, and transforms
 * them.
 *
 * A block transforms LINES rows of one plane of a tile, which is two channels: the real part and
 * the imaginary part. As the matrix is real, they stay apart.
 *
 * Constants to define before this file, in addition to those of image.cuh: LENGTH, PEAKS (whether
 * the tiles' peaks are needed), LARGE (whether the matrix is large). FFT_REAL may be defined. */

#include "pixel.cuh"
#include "image.cuh"
#include "convolve-args.h"
#include "fft-args.h"
#include "fft.cuh"
#include "fft-tile.cuh"

#define PLANES  ((CHANNELS + 1) / 2)
#define LINES   FFT_LINES (LENGTH)
#define THREADS FFT_ROW_THREADS (LENGTH)

/* Blocks on a multiprocessor, by the registers that they need. */
#define TOGETHER ((sizeof (FFT_REAL) > sizeof (float) ? 512 : 768) / THREADS)

__shared__ FFT_REAL memory[FFT_MEMORY (LENGTH, LINES)];

/* Returns one channel; 0 if there is none of that number. */
__device__ static inline float
get_channel (const pixel_t &pixel, int channel)
{
  float value = 0.0f;

#pragma unroll
  for (int c = 0; c < CHANNELS; c++)
    if (c == channel)
      value = pixel.v[c];
  return value;
}

/* Raises *peak to the largest of the threads' magnitudes, which are not negative. The bits of such
 * floats have the same order, with NaN above infinity. */
__device__ static inline void
raise_peak (unsigned *peak, float magnitude)
{
  unsigned *slots = (unsigned *) memory;
  unsigned most = 0;

  slots[threadIdx.x] = __float_as_uint (magnitude);
  __syncthreads ();
  if (threadIdx.x < 16)
    for (int i = 0; i < THREADS / 16; i++)
      most = max (most, slots[i * 16 + threadIdx.x]);
  __syncthreads ();
  if (threadIdx.x < 16)
    slots[threadIdx.x] = most;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      for (int i = 0; i < 16; i++)
        most = max (most, slots[i]);
      atomicMax (peak, most);
    }
  __syncthreads ();
}

/* Small enough that squares of what a transform can do are in range. */
#define LEVEL_SCALE 1e-13f

/* Raises *level to the root mean square of the block's values; squares is the sum of the thread's,
 * which are scaled. The errors of a transform grow with that, not with the peak. */
__device__ static inline void
raise_level (unsigned *level, float squares)
{
  memory[threadIdx.x] = squares;
  __syncthreads ();
  for (int n = THREADS; n > 1; n = (n + 1) / 2)
    {
      if ((int) threadIdx.x < n / 2)
        memory[threadIdx.x] += memory[threadIdx.x + (n + 1) / 2];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    atomicMax (level, __float_as_uint (sqrtf (memory[0] / (THREADS * FFT_EACH)) / LEVEL_SCALE));
  __syncthreads ();
}

/* Keeps NaN, unlike fmaxf. */
__device__ static inline float
get_larger (float a, float b)
{
  return a > b || a != a ? a : b;
}

/* blockIdx.x is a plane of a group of LINES rows, blockIdx.y a tile, the first of which is tile
 * number first of the area. lines is the rows of a tile in memory. Leaves out groups of rows that
 * are 0, which the columns do not read. */
extern "C" __global__ void __launch_bounds__ (THREADS, TOGETHER)
kernel (FxSource source, ConvolveTaps taps, ConvolveFft fft, int first,
        int lines HIGHLIGHTS_PARAMETER)
{
  const int tile = first + (int) blockIdx.y, plane = blockIdx.x % PLANES;
  const int first_row = blockIdx.x / PLANES * LINES, row = first_row + threadIdx.x / T_LINE;
  const int t = threadIdx.x % T_LINE;
  const int rows = min (get_tile_rows (fft, tile) + taps.rows - 1, lines);
  const int x = get_tile_x (fft, tile) + taps.left + t;
  const int top = get_tile_y (fft, tile) + taps.top, y = top + min (row, rows - 1);
  const Line line = { memory + threadIdx.x / T_LINE * FFT_MEMORY (LENGTH, 1), 1, t };
  ConvolveComplex v[FFT_EACH];
  const stored_t *from = find_row (source, y);

  if (top + first_row >= fft.bottom || top + first_row + LINES <= fft.top)
    return;
  INIT_HIGHLIGHTS
  init_decode (THREADS);
#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    {
      const int at = x + m * T_LINE;
      const pixel_t pixel = clear_transparent (finish (source, fetch (source, from, at), at, y));

      v[m] = { get_channel (pixel, 2 * plane), get_channel (pixel, 2 * plane + 1) };
    }
  if (PEAKS)
    {
      float peak = 0.0f;

#pragma unroll
      for (int m = 0; m < FFT_EACH; m++)
        {
          const float re = static_cast<float> (v[m].re), im = static_cast<float> (v[m].im);

          peak = get_larger (get_larger (peak, fabsf (re)), fabsf (im));
        }
      raise_peak (fft.peaks + tile, peak);
    }
  if (PEAKS && LARGE)
    {
      float squares = 0.0f;

#pragma unroll
      for (int m = 0; m < FFT_EACH; m++)
        {
          const float re = static_cast<float> (v[m].re) * LEVEL_SCALE;
          const float im = static_cast<float> (v[m].im) * LEVEL_SCALE;

          squares += re * re + im * im;
        }
      raise_level (fft.levels + tile, squares);
    }
  transform<LENGTH> (line, fft.along_x, v);
  if (row >= rows)
    return;

  ConvolveComplex *to = fft.cells +
                        ((long long) (blockIdx.y * PLANES + plane) * lines + row) * LENGTH + t;

#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    to[m * T_LINE] = v[m];
}
