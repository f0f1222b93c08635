/* The Gaussian blur: its parameters, and plans of them.
 *
 * Result: the image convolved with the sampled, normalised Gaussian
 *     w[k] = exp(-k^2 / (2 sigma^2)) / sum_j exp(-j^2 / (2 sigma^2))
 * along x and along y, in premultiplied alpha, in the light that BlurParams names. Error against
 * that convolution in double precision, out to 6 sigma (on GPU and CPU alike):
 *     8-bit          at most 1 level, 99% of the samples equal
 *     16-bit         at most 2 levels, half of the samples equal
 *     half           1 ulp, or 1e-5 of the range where that is larger
 *     float, double, 32-bit   1e-5 of the range
 * where the range is the largest source magnitude, at least 1. Colour is held to it where alpha is
 * at least 8/255; below that, colour times alpha is. Arithmetic is single precision: magnitudes
 * over 3.4e38 overflow to infinity. An infinity in the image reaches no further than 9 sigma along
 * each axis, and what it reaches is infinite, of its sign; NaN counts as infinities of both signs,
 * and where both meet the result is one of them: no NaN comes out. Under an alpha of 0 colour is
 * nothing, whatever it says. sRGB's curve goes on in a straight line below 0. Where it or the
 * alpha magnifies what a 16 times overexposed pixel sheds 6 sigma away, the bound is that of the
 * reference's own cut.
 *
 * A curve that is not sRGB's may be steeper on the way out: a pure gamma's slope has no bound at
 * black. Nothing that is stored is nearer to the truth than its light, times that slope. 8-bit is
 * held to the above all the same. All others may be as far beyond it as what is stored of light
 * that is off by 2^-24 of the light's range, divided by alpha: next to white, black itself by up to
 * 34 levels of 16 bits through a gamma of 2.2. This also lets light between two parts of a curve
 * that do not meet go with either. */
#ifndef BLUR_H
#define BLUR_H

#include "plan.h"

FX_BEGIN_API

#define BLUR_SIGMA_MAX       5000.0 /* pixels */
#define BLUR_KERNEL_SIZE_MAX 9999   /* taps */

typedef struct {
  /* Standard deviations in pixels, 0 to BLUR_SIGMA_MAX. Below 0.2 an axis is left alone. */
  double sigma_x, sigma_y;
  int kernel_size; /* taps on each blurred axis, odd, 1 to BLUR_KERNEL_SIZE_MAX: the Gaussian cut to
                      that size and normalised again; 0: as large as sigma needs */
  FxAbyss abyss;
  FxLight light;
} BlurParams;

/* Checks params without running anything: FALSE and FX_ERROR_ARGUMENT if one is out of range, NaN
 * or infinite. */
gboolean blur_params_check (const BlurParams *params, GError **error);

/* How many pixels the blur reaches on each side, per axis, for a layer that is to grow with it:
 * (kernel_size - 1) / 2, or ceil(4 sigma); 0 for an axis left alone. params must pass the check. */
void blur_params_get_growth (const BlurParams *params, int *x, int *y);

/* The plan of a blur of images that are stored in format; free it with fx_plan_free. NULL with
 * FX_ERROR_ARGUMENT where params do not pass the check, or format does not. */
FxPlan *blur_plan_new (const BlurParams *params, const FxFormat *format, GError **error);

FX_END_API

#endif
