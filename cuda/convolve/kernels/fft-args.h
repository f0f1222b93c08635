/* Declarations shared by the kernels of the fast Fourier transform and the C code that launches
 * them. */
#ifndef CONVOLVE_FFT_ARGS_H
#define CONVOLVE_FFT_ARGS_H

#define FFT_EACH    16  /* values that a thread transforms at a time */
#define FFT_THREADS 256 /* of a block of rows */

#define FFT_MEND_THREADS 128 /* of a block that recomputes results */

/* The lengths of rows and of columns are powers of two, and as chosen at least FFT_LEAST; from 128
 * on they work. */
#define FFT_LEAST      256
#define FFT_ROW_MAX    4096
#define FFT_COLUMN_MAX 2048

/* The largest magnitude in a tile's source that a transform may have. Alpha, which is at most 1,
 * shares the rounding errors of brighter colour, but sums take too long for a large matrix. */
#define FFT_PEAK_MAX(alpha, large) ((alpha) && ! (large) ? 16.0f : 1e30f)

/* A transform of 2^n values has stages of 2 to 16 values each, as few as possible and as equal as
 * possible. This is the logarithm of the first one's size. */
#define FFT_STAGES(n) (((n) + 3) / 4)
#define FFT_BITS(n)   (((n) + FFT_STAGES (n) - 1) / FFT_STAGES (n))

/* The columns of length values that a block transforms: enough for whole sectors of memory. */
#define FFT_BESIDE(length) ((length) > 1024 ? 4 : (length) > 512 ? 8 : 4096 / (length))

/* Shared memory for lines lines of length values, in floats. The gaps spread neighbouring threads
 * over the banks. */
#define FFT_ROOM(length, lines) (((length) + (length) / 16) * (lines))

#ifdef __cplusplus
struct __align__ (8) ConvolveComplex
{
  float re, im;
};
#else
typedef struct {
  float re, im;
} ConvolveComplex;
#endif

/* Results that are to be recomputed by the taps: their numbers in the area, row by row. If there
 * are more than fit, count is larger than what was stored. */
typedef struct {
  unsigned count;
  unsigned places[1];
} ConvolveList;

/* An area of the result, cut into tiles of step_x columns and step_y rows, row by row, across of
 * them side by side. Each tile's source is transformed in planes of two channels, the real and the
 * imaginary part. cells has the planes of the tiles of one launch. along_x and along_y have the
 * twiddle factors: for each stage but the first, [its size][the product of the sizes before]. Noise
 * and error are relative to the largest magnitude in a tile's source, or to its level. */
typedef struct {
  ConvolveComplex *cells;
  const ConvolveComplex *spectrum; /* of the matrix, divided by the number of values */
  const ConvolveComplex *along_x, *along_y;
  unsigned *peaks;  /* per tile of the area: the bits of that magnitude */
  unsigned *levels; /* for a large matrix, likewise: the largest root mean square of a block */
  ConvolveList *list;
  int x, y, width, height;
  int step_x, step_y, across;
  int list_size;
  float noise;   /* results up to this may be nothing but rounding errors */
  float error;   /* of a sum */
  float allowed; /* error of a stored sample */
  int padding;
} ConvolveFft;

FX_ASSERT_SIZE (ConvolveFft, 104);

#endif
