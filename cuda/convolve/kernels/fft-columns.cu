/* The second step of a convolution by Fourier transforms: transforms the columns of tiles,
 * multiplies them by the spectrum of the matrix, and transforms them back, in place. Real and
 * imaginary parts are swapped in the result, and still are when the rows are transformed back.
 *
 * A block transforms BESIDE columns of one plane.
 *
 * Constants to define before this file: LENGTH; PLANES, of a tile. FFT_REAL may be defined. */

#include "args.h"
#include "convolve-args.h"
#include "fft-args.h"
#include "fft.cuh"
#include "fft-tile.cuh"

#define BESIDE  FFT_BESIDE (LENGTH, sizeof (FFT_REAL))
#define THREADS FFT_COLUMN_THREADS (LENGTH, sizeof (FFT_REAL))
#define DOUBLE  (sizeof (FFT_REAL) > sizeof (float))

/* Blocks on a multiprocessor, by the registers that they need. */
#define TOGETHER (DOUBLE || THREADS > 256 ? 1 : 512 / THREADS)

/* Whether the spectrum is read before it is needed, for which short columns have too few registers:
 * on an H100, that saves 13% with columns of 1024 values, and costs 9% with 512. */
#define EARLY (LENGTH >= 1024 && ! DOUBLE)

__shared__ FFT_REAL memory[FFT_MEMORY (LENGTH, BESIDE)];

/* blockIdx.x is a group of columns, blockIdx.y a plane of a tile, the first of which is tile number
 * first of the area. pitch is the columns of a tile. matrix is whether these are the columns of the
 * matrix itself, whose spectrum this completes. Of a tile, only rows from to end - 1 were
 * transformed: the others are 0. */
extern "C" __global__ void __launch_bounds__ (THREADS, TOGETHER)
kernel (ConvolveTaps taps, ConvolveFft fft, int first, int pitch, int matrix)
{
  const int t = threadIdx.x / BESIDE, column = threadIdx.x % BESIDE;
  const int x = blockIdx.x * BESIDE + column;
  const int rows = matrix ? LENGTH : get_tile_rows (fft, first + blockIdx.y / PLANES);
  const int top = matrix ? 0 : get_tile_y (fft, first + blockIdx.y / PLANES) + taps.top;
  const int from = matrix ? 0 : max (fft.top - top, 0);
  const int end = matrix ? LENGTH : min (min (rows + taps.rows - 1, LENGTH), fft.bottom - top);
  const Line line = { memory + column, BESIDE, t };
  ConvolveComplex *cells = fft.cells + ((long long) blockIdx.y * LENGTH + t) * pitch + x;
  const ConvolveComplex *spectrum = fft.spectrum + (long long) t * pitch + x;
  ConvolveComplex v[FFT_EACH], factors[FFT_EACH];

#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    v[m] = t + m * T_LINE >= from && t + m * T_LINE < end ? cells[(long long) m * T_LINE * pitch]
                                                          : ConvolveComplex ();
#pragma unroll
  for (int m = 0; m < FFT_EACH && EARLY; m++)
    factors[m] = matrix ? ConvolveComplex () : spectrum[(long long) m * T_LINE * pitch];
  transform<LENGTH> (line, fft.along_y, v);
  if (! matrix)
    {
#pragma unroll
      for (int m = 0; m < FFT_EACH; m++)
        v[m] = swap (v[m] * (EARLY ? factors[m] : spectrum[(long long) m * T_LINE * pitch]));
      transform<LENGTH> (line, fft.along_y, v);
    }
#pragma unroll
  for (int m = 0; m < FFT_EACH; m++)
    if (t + m * T_LINE < rows)
      cells[(long long) m * T_LINE * pitch] = v[m];
}
