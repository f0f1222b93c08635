/* The convolution of a tile by FFT. A tile has two layers, which one complex transform convolves
 * together, because the matrix is real: one is the real part, the other the imaginary part. */
#pragma once

#include "matrix.h"

/* cpu-fft-lines.c: the fast Fourier transform of lines side by side, so that each operation is on a
 * whole vector. In double precision, which is exact enough for every format. */

#define CONVOLVE_FFT_LINES 16

/* The same point of all lines. */
typedef struct {
  double re[CONVOLVE_FFT_LINES], im[CONVOLVE_FFT_LINES];
} ConvolveFftPoint;

/* Fills the factors, of which there are at most 2 n, for lines of n points, a power of two, which
 * may be three times as large. */
void convolve_fft_fill_factors (double *factors, int n);

/* Clones that a file calls itself are seen from outside unless that is said. */

/* Transforms n points in place. The frequencies are in the order that suits the inverse, the same
 * for each n. */
G_GNUC_INTERNAL void convolve_fft_transform (ConvolveFftPoint *points, int n,
                                             const double *factors);

/* Multiplies the frequencies by those of spectrum and transforms them back, n times too large. */
G_GNUC_INTERNAL void convolve_fft_multiply (ConvolveFftPoint *points,
                                            const ConvolveFftPoint *spectrum, int n);
G_GNUC_INTERNAL void convolve_fft_invert (ConvolveFftPoint *points, int n, const double *factors);

/* Turns 16 points of 16 lines into 16 lines of 16 points. to is not from. */
G_GNUC_INTERNAL void convolve_fft_transpose (const ConvolveFftPoint *from, ConvolveFftPoint *to);

/* cpu-fft-tile.c */

#define CONVOLVE_FFT_LAYERS 2

typedef struct {
  int columns, rows;         /* multiples of CONVOLVE_FFT_LINES that can be transformed */
  double *along_x, *along_y; /* the factors of the transforms */
} ConvolveFftTile;

/* What a transform reads in place of a sample or a weight: its value, or 0 if that is not finite;
 * or whether it is infinite with one sign, as 1 or 0, where NaN counts for both signs; or whether
 * it is above 0, or below 0, as 1 or 0. */
typedef enum {
  CONVOLVE_FFT_FINITE,
  CONVOLVE_FFT_POSITIVE,
  CONVOLVE_FFT_NEGATIVE,
  CONVOLVE_FFT_ABOVE,
  CONVOLVE_FFT_BELOW,
} ConvolveFftSamples;

/* The source and the result of a layer. The matrix reaches from a pixel of the result to the right
 * and down, so it gives the columns and rows that lie as far as that from the tile's last ones. */
typedef struct {
  const float *const *source; /* the first columns of each row, all others being 0; NULL: nothing
                                 is taken or given */
  int columns;
  ConvolveFftSamples samples;
  float *result;
  int result_columns; /* a multiple of CONVOLVE_FFT_LINES */
  float reached;      /* stored for sums of at least 1, others leaving the result as it is; 0: all
                         sums are stored */
} ConvolveFftLayer;

typedef struct {
  ConvolveFftLayer layers[CONVOLVE_FFT_LAYERS];
  int rows, result_rows;
  gsize stride; /* floats from one row of the result to the next */
  float noise;  /* sums of smaller magnitude are stored as 0 */
} ConvolveFftPair;

/* Returns the number of a tile's points. Its scratch space has as many as the tile has rows. */
gsize convolve_fft_tile_count_points (int columns, int rows);

/* Fill spectrum with that of a matrix, and convolve two layers. Both overwrite points, which has
 * room for a tile, as spectrum has. */
void convolve_fft_tile_get_spectrum (const ConvolveFftTile *tile, const ConvolveMatrix *matrix,
                                     ConvolveFftSamples samples, ConvolveFftPoint *spectrum,
                                     ConvolveFftPoint *points, ConvolveFftPoint *scratch);
void convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                 const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                 ConvolveFftPoint *scratch);
