/* Convolution with any matrix: its parameters, and plans of them.
 *
 * Result, with the matrix v of rows x columns values, its divisor d and offset o:
 *     r[y][x] = sum over j, i of v[j][i] p[y + j - (rows - 1) / 2][x + i - (columns - 1) / 2] / d +
 * o a correlation: the matrix lies on the image as it is written, neither turned nor mirrored. It
 * is taken in the light that ConvolveParams names, where o is added as well. o goes to colour, and
 * to alpha where that is asked for by name.
 *
 * Alpha. Straight: colour as it is stored, under whatever alpha. Premultiplied: each colour counts
 * by its alpha,
 *     colour = g sum (v p a) / sum (v a) + o, g = sum (v) / d, or 1 where sum (v) is 0
 * and where alpha is not to be changed, and v has values of both signs, so that the sum below could
 * be anything,
 *     colour = sum (v p a) / d / (sum (|v| a) / sum |v|) + o
 * Where there is nothing to divide by, colour is o.
 *
 * A channel that is not asked for keeps its bytes, and so do all where the matrix is one value in
 * the middle that is the divisor, and o is 0.
 *
 * Error against that sum in double precision (on GPU and CPU alike); m is sum |v / d|, at least 1:
 *     8-bit          at most 1 level, 99% of the samples equal
 *     16-bit         at most 2 levels, half of the samples equal
 *     half           1 ulp, or 1e-5 of the range times m where that is larger
 *     float, double, 32-bit   1e-5 of the range times m
 * where the range is the largest source magnitude, at least 1. Sums are in single precision: each
 * is off by 2^-22 (2 + sqrt (rows columns) / 8) of the sum of its products' magnitudes at the most,
 * and what that becomes through the division by alpha and the curve comes on top.
 *
 * Integers are clamped to their range. What an infinity reaches through values that are not 0 is
 * infinite, of its sign times the value's; NaN counts as infinities of both signs, and where both
 * meet the result is one of them: no NaN comes out. Under an alpha of 0 a premultiplied colour is
 * nothing, whatever it says. */
#ifndef CONVOLVE_H
#define CONVOLVE_H

#include "plan.h"

FX_BEGIN_API

#define CONVOLVE_SIZE_MAX 63 /* rows, columns */

/* Of ConvolveParams' channels; a grey image's one channel goes by any of the first three. */
typedef enum {
  CONVOLVE_RED = 1 << 0,
  CONVOLVE_GREEN = 1 << 1,
  CONVOLVE_BLUE = 1 << 2,
  CONVOLVE_ALPHA = 1 << 3,
  CONVOLVE_CHANNELS_ALL = 15,
} ConvolveChannels;

typedef enum {
  CONVOLVE_ALPHA_AUTOMATIC, /* premultiplied where the matrix's sum is not 0, else straight */
  CONVOLVE_ALPHA_PREMULTIPLIED,
  CONVOLVE_ALPHA_STRAIGHT,
} ConvolveAlpha;

typedef struct {
  int rows, columns;    /* odd, 1 to CONVOLVE_SIZE_MAX */
  const double *values; /* rows * columns of them, row by row; the caller's */
  double divisor;       /* 0: what convolve_params_get_divisor says */
  double offset;        /* in units of the value range: 1 is white */
  guint channels;       /* ConvolveChannels; 0: all, but alpha only where the sum is not 0 */
  ConvolveAlpha alpha;
  FxAbyss abyss;
  FxLight light;
} ConvolveParams;

/* Checks params without running anything: FALSE and FX_ERROR_ARGUMENT if one is out of range, NaN
 * or infinite, or where a value divided by the divisor, or the sum of these, is beyond single
 * precision. */
gboolean convolve_params_check (const ConvolveParams *params, GError **error);

/* The sum of the values; 0 as well where that is no more than their rounding, 1e-7 of the sum of
 * their magnitudes: 0.1 + 0.2 - 0.3 is none. */
double convolve_params_get_sum (const ConvolveParams *params);

/* What the values are divided by: the divisor, or, of 0, their sum, or, of a sum of 0, 1. */
double convolve_params_get_divisor (const ConvolveParams *params);

/* The plan for images that are stored in format; free it with fx_plan_free. NULL with
 * FX_ERROR_ARGUMENT where params do not pass the check, or format does not. */
FxPlan *convolve_plan_new (const ConvolveParams *params, const FxFormat *format, GError **error);

/* What there is to know of a matrix at a glance. */
typedef struct {
  double sum;
  int taps; /* values that are not 0 */
  int rank; /* of how many products of a column and a row it is the sum; 0: all values are 0 */
  int cpu_passes, gpu_passes; /* of such products that the device makes; 0: it goes by the taps */
} ConvolveFacts;

/* params must pass the check. */
void convolve_params_get_facts (const ConvolveParams *params, ConvolveFacts *facts);

FX_END_API

#endif
