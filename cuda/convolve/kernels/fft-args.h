/* Declarations shared by the kernels of the fast Fourier transform and the C code that launches
 * them. */
#ifndef CONVOLVE_FFT_ARGS_H
#define CONVOLVE_FFT_ARGS_H

#define FFT_EACH 16 /* values of a line that a thread holds */

#define FFT_RECOMPUTE_THREADS 128 /* of a block that recomputes results */

/* The lengths of rows and of columns are 256 times 1 to 20, or 128, and at most these. */
#define FFT_ROW_MAX    5120
#define FFT_COLUMN_MAX 4096

/* The largest magnitude in a tile's source that a transform may have. range is that of white.
 * Alpha, which is at most 1, shares the rounding errors of brighter colour, but sums take too long
 * for a large matrix. */
#define FFT_PEAK_MAX(alpha, large, range) ((alpha) && ! (large) ? 16.0f * (range) : 1e30f)

/* A transform has two or three stages: of 16 values, of 2 to 20, and of 16 again. (Those of 512
 * values are of 8, 4 and 16, for less noise.) This is the size of the stage before which the
 * product of the sizes left is rest. */
#define FFT_SIZE(rest) \
  ((rest) <= 16 ? (rest) : (rest) == 512 ? 8 : (rest) <= 320 ? (rest) / 16 : 16)

/* The rows of length values that a block transforms, and its threads. */
#define FFT_LINES(length) \
  ((length) > 2048 ? 1 : (length) > 1024 ? 2 : (length) > 512 ? 4 : 4096 / (length))
#define FFT_ROW_THREADS(length) (FFT_LINES (length) * (length) / FFT_EACH)

/* The columns that a block transforms, of length values with numbers of some bytes: enough for
 * whole sectors of memory, or for half a sector if they would leave no room for a second block. */
#define FFT_BESIDE(length, bytes) \
  (((length) > 2048 ? 2 : (length) > 1024 ? 4 : (length) > 512 ? 8 : 4096 / (length)) * 4 / (bytes))
#define FFT_COLUMN_THREADS(length, bytes) (FFT_BESIDE (length, bytes) * (length) / FFT_EACH)

/* Shared memory for lines lines of length values. The gaps spread neighbouring threads over the
 * banks. */
#define FFT_MEMORY(length, lines) (((length) + (length) / 16) * (lines))

#ifdef __cplusplus
#ifndef FFT_REAL
#define FFT_REAL float
#endif
struct __align__ (2 * sizeof (FFT_REAL)) ConvolveComplex
{
  FFT_REAL re, im;
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
 * and error are relative to the largest magnitude in a tile's source, or to its level.
 *
 * Results that are not exact enough are listed, or flagged: flags has a number, 1 instead of 0, for
 * each tile of flag_step_x columns and flag_step_y rows, flags_across of them side by side. */
typedef struct {
  ConvolveComplex *cells;
  const ConvolveComplex *spectrum; /* of the matrix, divided by the number of values */
  const ConvolveComplex *along_x, *along_y;
  unsigned *peaks;  /* per tile of the area: the bits of that magnitude */
  unsigned *levels; /* for a large matrix, likewise: the largest root mean square of a block */
  unsigned *flags;
  ConvolveList *list;
  int x, y, width, height;
  int step_x, step_y, across;
  int flag_step_x, flag_step_y, flags_across;
  int list_size;
  int top, bottom; /* rows top to bottom - 1 are transformed: those outside are 0 */
  float noise;     /* sums of alpha up to this count as 0, for they may be rounding errors */
  float cleared;   /* of colour, likewise */
  float error;     /* of a sum */
  float allowed;   /* error of a stored sample */
  float least;     /* sum of alpha that colour is divided by */
} ConvolveFft;

FX_ASSERT_SIZE (ConvolveFft, 136);

#endif
