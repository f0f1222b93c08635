/* Transforms the rows of the matrix, as fft-rows.cu does those of a tile. Its weights are mirrored,
 * so that the product of the spectra is a correlation, and divided by the number of values.
 *
 * Constant to define before this file: LENGTH. FFT_REAL may be defined. */

#include "args.h"
#include "convolve-args.h"
#include "fft-args.h"
#include "fft.cuh"
#include "fft-tile.cuh"

#define LINES   FFT_LINES (LENGTH)
#define THREADS FFT_ROW_THREADS (LENGTH)

__shared__ FFT_REAL memory[FFT_MEMORY (LENGTH, LINES)];

/* blockIdx.x is a group of LINES of the lines rows. */
extern "C" __global__ void __launch_bounds__ (THREADS)
kernel (ConvolveTaps taps, ConvolveFft fft, int lines)
{
  const int row = blockIdx.x * LINES + threadIdx.x / T_LINE, t = threadIdx.x % T_LINE;
  const int j = row > 0 ? lines - row : 0;
  const Line line = { memory + threadIdx.x / T_LINE * FFT_MEMORY (LENGTH, 1), 1, t };
  const FFT_REAL scale = static_cast<FFT_REAL> (1) / (static_cast<FFT_REAL> (lines) * LENGTH);
  ConvolveComplex v[FFT_EACH];

#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    {
      const int at = t + m * T_LINE, i = at > 0 ? LENGTH - at : 0;
      const bool inside = j < taps.rows && i < taps.columns;

      v[m] = { inside ? taps.weights[i * taps.rows + j] * scale : 0, 0 };
    }
  transform<LENGTH> (line, fft.along_x, v);

  ConvolveComplex *to = fft.cells + (long long) row * LENGTH + t;

#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    to[m * T_LINE] = v[m];
}
