/* The Gaussian blur: its parameters and its plans.
 *
 * The result is the image convolved with the sampled, normalised Gaussian
 *     w[k] = exp(-k^2 / (2 sigma^2)) / sum_j exp(-j^2 / (2 sigma^2))
 * along x and along y, with premultiplied alpha, in the light given by BlurParams. Its error
 * against that convolution in double precision, out to 6 sigma, has these bounds on the GPU and on
 * the CPU:
 *     8-bit          at most 1 level, 99% of the samples equal
 *     16-bit         at most 2 levels, half of the samples equal
 *     half           1 ulp, or 1e-5 of the range if that is larger
 *     float, double, 32-bit   1e-5 of the range
 * The range is the largest source magnitude, at least 1. The bounds apply to colour if alpha is at
 * least 8/255, otherwise to colour times alpha. Arithmetic is in single precision: finite samples
 * give finite ones if their magnitudes in the filter's light, also times alpha, are at most 1e37.
 * Larger ones may overflow to infinity.
 *
 * An infinity in the image reaches no further than 9 sigma along each axis, and makes each sample
 * that it reaches an infinity of its sign. NaN counts as infinities of both signs. If both signs
 * meet, the result is one of them, so NaN is never written. Colour under an alpha of 0 is ignored,
 * whatever its value. sRGB's curve continues as a straight line below 0. If the curve or the
 * division by alpha magnifies the contribution of a 16 times overexposed pixel 6 sigma away, the
 * bound is that of the reference's own cut-off.
 *
 * A curve other than sRGB's may be steeper from light to samples; the slope of a pure gamma has no
 * bound at black. That slope magnifies the error of the light in the stored sample. 8-bit samples
 * keep the bounds above all the same. Other samples may exceed them by as much as a stored sample
 * changes if its light is off by 2^-24 of the light's range, divided by alpha: next to white, black
 * may be off by up to 34 levels of 16 bits through a gamma of 2.2. This also allows light between
 * two segments of a curve that do not meet to be stored by either.
 *
 * A table may be steep anywhere. Through it, 8-bit samples, too, may exceed the bounds in this way,
 * and the light may also be off by 2^-20 of itself. So light of equal entries may be stored by any
 * of their samples. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define BLUR_SIGMA_MAX       5000.0 /* pixels */
#define BLUR_KERNEL_SIZE_MAX 9999   /* taps */

typedef struct {
  /* Standard deviations in pixels, 0 to BLUR_SIGMA_MAX. An axis with a value below 0.2 is not
   * blurred. */
  double sigma_x, sigma_y;
  int kernel_size; /* taps on each blurred axis, odd, 1 to BLUR_KERNEL_SIZE_MAX: the Gaussian is cut
                      to that size and normalised again; 0: as large as sigma needs */
  FxAbyss abyss;
  FxLight light;
} BlurParams;

/* Checks params; returns FALSE with FX_ERROR_ARGUMENT if a member is out of range, NaN or
 * infinite. */
gboolean blur_params_check (const BlurParams *params, GError **error);

/* Sets x and y to the pixels by which a layer grows on each side if it is to contain the blur:
 * (kernel_size - 1) / 2, or ceil(4 sigma); 0 for an axis that is not blurred. params must be
 * valid. */
void blur_params_get_growth (const BlurParams *params, int *x, int *y);

/* Creates a plan for images stored in format; free it with fx_plan_free. Returns NULL with
 * FX_ERROR_ARGUMENT if params or format is invalid. */
FxPlan *blur_plan_new (const BlurParams *params, const FxFormat *format, GError **error);

FX_END_API
