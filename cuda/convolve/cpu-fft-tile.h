/* The convolution of a tile by FFT. A tile has two layers, the real and the imaginary part of its
 * points. One complex transform convolves both, because the matrix is real. */
#pragma once

#include "matrix.h"

/* cpu-fft-lines.c: the fast Fourier transform of CONVOLVE_FFT_LINES lines at a time, one in each
 * lane of the vectors. Double precision is accurate enough for every format. */

#define CONVOLVE_FFT_LINES 16

/* The same point of all lines. */
typedef struct {
  double re[CONVOLVE_FFT_LINES], im[CONVOLVE_FFT_LINES];
} ConvolveFftPoint;

/* Fills in the twiddle factors for lines of n points, at most 2 n numbers. n is a power of two, or
 * three times one. */
void convolve_fft_fill_factors (double *factors, int n);

/* Without G_GNUC_INTERNAL, the clones of functions that their own file calls would be visible
 * outside of the library. */

/* Transforms n points in place. The frequencies are in a permuted order, the same for each
 * transform of n points. */
G_GNUC_INTERNAL void convolve_fft_transform (ConvolveFftPoint *points, int n,
                                             const double *factors);

/* Multiply the frequencies by those of spectrum, and transform them back, scaled by n. */
G_GNUC_INTERNAL void convolve_fft_multiply (ConvolveFftPoint *points,
                                            const ConvolveFftPoint *spectrum, int n);
G_GNUC_INTERNAL void convolve_fft_invert (ConvolveFftPoint *points, int n, const double *factors);

/* Transposes 16 points of 16 lines. to and from must not overlap. */
G_GNUC_INTERNAL void convolve_fft_transpose (const ConvolveFftPoint *from, ConvolveFftPoint *to);

/* cpu-fft-tile.c */

#define CONVOLVE_FFT_LAYERS 2

typedef struct {
  int columns, rows;         /* multiples of CONVOLVE_FFT_LINES that can be transformed */
  double *along_x, *along_y; /* the factors of the transforms */
} ConvolveFftTile;

/* The value that a transform reads for a sample or a weight: the number itself, or 0 if it is not
 * finite; or 1 if a condition holds and else 0. The conditions are that the sample is infinite with
 * one sign, where NaN counts as both; and that the weight is above or below 0. */
typedef enum {
  CONVOLVE_FFT_FINITE,
  CONVOLVE_FFT_POSITIVE,
  CONVOLVE_FFT_NEGATIVE,
  CONVOLVE_FFT_ABOVE,
  CONVOLVE_FFT_BELOW,
} ConvolveFftSamples;

/* The source and the result of a layer. Row y and column x of the result depend on the source from
 * row y and column x on, as far as the matrix extends. */
typedef struct {
  const float *const *source; /* the first columns of each row; all others are 0. NULL: the layer
                                 is unused */
  int columns;
  ConvolveFftSamples samples;
  float *result;
  int result_columns; /* a multiple of CONVOLVE_FFT_LINES */
  float reached;      /* if not 0, it replaces the result where the sum is above 0.5, and the
                         rest of the result is kept */
} ConvolveFftLayer;

typedef struct {
  ConvolveFftLayer layers[CONVOLVE_FFT_LAYERS];
  int rows, result_rows;
  gsize stride; /* floats from one row of the result to the next */
  float noise;  /* smaller sums are stored as 0 */
} ConvolveFftPair;

/* Returns the number of ConvolveFftPoints of a tile. Its scratch space has one for each of its
 * rows. */
gsize convolve_fft_tile_count_points (int columns, int rows);

/* Compute the spectrum of a matrix, and convolve two layers. Both overwrite points, which has the
 * size of a tile, as spectrum has. */
void convolve_fft_tile_get_spectrum (const ConvolveFftTile *tile, const ConvolveMatrix *matrix,
                                     ConvolveFftSamples samples, ConvolveFftPoint *spectrum,
                                     ConvolveFftPoint *points, ConvolveFftPoint *scratch);
void convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                 const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                 ConvolveFftPoint *scratch);
