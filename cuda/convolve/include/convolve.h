/* Convolution with any matrix: its parameters and its plans.
 *
 * The result, for the matrix v of rows x columns values, its divisor d and its offset o, is
 *     r[y][x] = o + sum over j, i of
 *         v[j][i] / d * p[y + j - (rows - 1) / 2][x + i - (columns - 1) / 2]
 * This is a correlation: the matrix is applied as it is written, neither rotated nor mirrored. It
 * is computed in the light given by ConvolveParams, and o is added in that light. o is added to
 * colour, and to alpha only if alpha is selected explicitly.
 *
 * Straight alpha: colour is used as it is stored, whatever its alpha. Premultiplied alpha: each
 * colour is weighted by its alpha,
 *     colour = g sum (v p a) / sum (v a) + o, g = sum (v) / d, or 1 if sum (v) is 0
 * If alpha is not to be changed and v has values of both signs, the divisor above could have any
 * value, so
 *     colour = sum (v p a) / d / (sum (|v| a) / sum |v|) + o
 * If there is nothing to divide by, colour is o.
 *
 * A channel that is not selected keeps its bytes. All channels do if the matrix is a single value
 * in the centre that equals the divisor, and o is 0.
 *
 * The error against that sum in double precision has these bounds on the GPU and on the CPU; m is
 * sum |v / d|, at least 1:
 *     8-bit          at most 1 level, 99% of the samples equal
 *     16-bit         at most 2 levels, half of the samples equal
 *     half           1 ulp, or 1e-5 of the range times m if that is larger
 *     float, double, 32-bit   1e-5 of the range times m
 * The range is the largest source magnitude, at least 1. Sums are in single precision: the error of
 * each is at most 2^-22 (2 + sqrt (rows columns) / 8) of the sum of its products' magnitudes. The
 * division by alpha and the curve may magnify that error, which then adds to the bounds above.
 * The CPU's Fourier transforms are in double precision, whose error adds nothing to that of the
 * samples and the weights, except for faint colour, as follows.
 *
 * A GPU computes a dense matrix by Fourier transforms if their error allows it. That is noise, with
 * a standard deviation of at most 4e-7 times sum |v / d| times the largest magnitude within 4864
 * pixels, so bounds for it are statistical. Results that the division by alpha or the curve would
 * spoil are recomputed. A sum of zeros is 0.
 *
 * On a GPU, a matrix of which the box of values other than 0 has more than 63 rows or columns is
 * too large for sums. Transforms in double precision take their place, so that the bounds above
 * hold. A GPU refuses such a matrix if colour is divided by an alpha that is not written, or if the
 * picture has infinities or values above 1e30: the automatic device is then the CPU.
 *
 * By transforms in double precision, a sum is 0 if it is below 1e-14 sum |v / d| times the largest
 * magnitude within 4864 pixels, and so are colour and alpha if the sum of alpha is below
 * 6e-9 of the sum of its weights' magnitudes, where the division would magnify rounding errors; by
 * others, if it may be nothing but their noise: below some 3e-6 m of the root mean square near it.
 *
 * On 8-bit data, whole numbers have results that no path rounds another way, and halves between two
 * levels round up, if
 * - all v, d and 510 d o are whole, so that results are multiples of 1 / (2 d) of a level;
 * - sum |v| and |d| are at most 500, and |o| is at most 1.
 * That holds for alpha, and for colour in the light that it is stored in. Where colour is divided
 * by alpha, it holds if all pixels under the matrix are opaque, no v is negative, sum v is at most
 * 4 d, and both are at most 250. Under other alphas, colour less than 1/256 of a level below a half
 * may round up, too. By transforms, that is as statistical as their noise: up to 7 deviations.
 *
 * Integers are clamped to their range. A result that an infinity reaches through a value other than
 * 0 is infinite, with the infinity's sign times the value's. NaN counts as infinities of both
 * signs. If both signs meet, the result is one of them, so NaN is never written. Premultiplied
 * colour under an alpha of 0 is ignored, whatever its value. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define CONVOLVE_SIZE_MAX 1023 /* the most rows, and the most columns */

/* Channels to write. The single colour channel of a grey image is selected by any of the first
 * three. */
typedef enum {
  CONVOLVE_RED = 1 << 0,
  CONVOLVE_GREEN = 1 << 1,
  CONVOLVE_BLUE = 1 << 2,
  CONVOLVE_ALPHA = 1 << 3,
  CONVOLVE_CHANNELS_ALL = 15,
} ConvolveChannels;

typedef enum {
  CONVOLVE_ALPHA_AUTOMATIC, /* premultiplied if the matrix's sum is not 0, otherwise straight */
  CONVOLVE_ALPHA_PREMULTIPLIED,
  CONVOLVE_ALPHA_STRAIGHT,
} ConvolveAlpha;

typedef struct {
  int rows, columns;    /* odd, 1 to CONVOLVE_SIZE_MAX */
  const double *values; /* rows * columns values, row by row; the caller's */
  double divisor;       /* 0: see convolve_params_get_divisor */
  double offset;        /* in units of the value range: 1 is white */
  guint channels;       /* ConvolveChannels; 0: all, but alpha only if the sum is not 0 */
  ConvolveAlpha alpha;
  FxAbyss abyss;
  FxLight light;
} ConvolveParams;

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range, NaN or infinite,
 * or if the values' magnitudes divided by the divisor sum to more than single precision can
 * represent. */
gboolean convolve_params_check (const ConvolveParams *params, GError **error);

/* Returns the sum of the values. Returns 0 if the sum is only rounding error, at most 1e-7 of the
 * sum of their magnitudes, as for 0.1 + 0.2 - 0.3. */
double convolve_params_get_sum (const ConvolveParams *params);

/* Returns the number that the values are divided by: the divisor; if that is 0, the sum of the
 * values; if that is 0 too, 1. */
double convolve_params_get_divisor (const ConvolveParams *params);

/* Creates a plan for images stored in format; free it with fx_plan_free. params->values is copied.
 * Takes some 10 ms for 1023x1023 values, 0.4 for 201x201. Returns NULL with FX_ERROR_ARGUMENT if
 * params or format is invalid, with FX_ERROR_MEMORY if memory runs out. */
FxPlan *convolve_plan_new (const ConvolveParams *params, const FxFormat *format, GError **error);

/* Properties of a matrix. */
typedef struct {
  double sum;
  int taps;                   /* values other than 0 */
  int cpu_passes, gpu_passes; /* products computed; 0: a sum of taps */
  gboolean cpu_fft, gpu_fft;  /* that sum is computed by Fourier transform */
} ConvolveFacts;

/* Fills facts of params, and of the plan that convolve_plan_new has made of them. NULL: there was
 * no memory for a plan, and all but the sum is 0. */
void convolve_params_get_facts (const ConvolveParams *params, const FxPlan *plan,
                                ConvolveFacts *facts);

FX_END_API

/* Another room's filter whose plans are convolutions. They have its name and its drafts, and expand
 * highlights (fx_codec_set_highlights; 0 stops: they do not). No program is compiled for a single
 * one of its matrices. */
typedef struct {
  const char *name;
  double stops, threshold;

  /* Implements FxFilter's get_draft. params is the plan's copy of those below. */
  FxPlan *(*get_draft) (gconstpointer params, const FxFormat *format, int level);
  gconstpointer params; /* the filter's own, of size bytes; they must not own memory */
  gsize size;
} ConvolveOwner;

/* Like convolve_plan_new, for a filter of another room; NULL: the convolution itself. name and
 * get_draft must outlive the plan. */
FxPlan *convolve_plan_new_for (const ConvolveOwner *owner, const ConvolveParams *params,
                               const FxFormat *format, GError **error);
