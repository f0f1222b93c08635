/* The error of a transform, which is relative to the largest sample of its tile and not, as that of
 * a sum over the taps, to the products of each sum. */
#include "cpu-fft.h"

#include <float.h>
#include <math.h>

/* The largest error, relative to the largest sample times the sum of the weights' magnitudes. The
 * error is like noise, of a standard deviation of 4e-8 to 6e-8 in tiles of 128x128 to 2048x2048
 * with random samples from 0 to 1. */
#define NOISE 4e-7

/* The same in double precision, times 10,000: colour is divided by alpha, which may be above 1, and
 * is to have an error of 1e-5 at most. */
#define PRECISE_NOISE 1e-11

/* Beyond this magnitude, times that of white, samples of floats go by double precision if it is
 * there: the noise in their tile would use up the bound. */
#define BRIGHT 16.0

/* Beyond these sums of magnitudes, single precision does not hold all of the spectrum. */
#define MAGNITUDE_MIN 1e-20
#define MAGNITUDE_MAX 1e20

/* The part of the contract's bounds that the noise may take up. The bound of 16-bit is 2 levels,
 * half of one being for rounding. That of 8-bit is 1, but then few samples may differ at all. With
 * highlights, which are expanded, the bounds are wider, but that of 8-bit; there the noise is only
 * as large beside a lamp. */
static double
get_tolerance (const ConvolvePlan *plan)
{
  double range = fx_codec_get_range (&plan->base.codec);

  switch (plan->base.codec.format.sample)
    {
    case FX_SAMPLE_U8:
      return (fx_codec_has_highlights (&plan->base.codec) ? 0.8 : 0.2) / 255.0;
    case FX_SAMPLE_U16:
      return 1.4 * range / 65535.0;
    default:
      return 0.8e-5 * range * MAX (plan->matrix.magnitude, 1.0);
    }
}

/* Returns the largest error of a sum of weights of this magnitude. */
static double
get_noise (const ConvolvePlan *plan, double magnitude)
{
  return NOISE * magnitude * fx_codec_get_range (&plan->base.codec);
}

/* If colour is divided by the sum of alpha, its error grows by as much. */
float
convolve_fft_get_least_alpha (const ConvolvePlan *plan)
{
  const ConvolveMatrix *alpha = plan->weights ? plan->weights : &plan->matrix;
  double noise = get_noise (plan, plan->matrix.magnitude + alpha->magnitude);

  if (! plan->weighs)
    return 0.0f;
  return (float) (fabsf (plan->gain) * noise * fx_codec_get_magnification (&plan->base.codec) /
                  get_tolerance (plan));
}

/* The sum of alpha is the gain where all pixels are opaque: such pictures should be spared the
 * taps. */
gboolean
convolve_fft_is_single_exact (const ConvolvePlan *plan)
{
  double magnitude = plan->matrix.magnitude;
  double noise = get_noise (plan, magnitude) * fx_codec_get_magnification (&plan->base.codec);

  if (magnitude < MAGNITUDE_MIN || magnitude > MAGNITUDE_MAX || ! (noise <= get_tolerance (plan)))
    return FALSE;
  return convolve_fft_get_least_alpha (plan) <= 0.5 * fabs (plan->weights ? 1.0 : plan->gain);
}

float
convolve_fft_get_precise_least_alpha (const ConvolvePlan *plan)
{
  const ConvolveMatrix *alpha = plan->weights ? plan->weights : &plan->matrix;

  return plan->weighs ? (float) (PRECISE_NOISE * alpha->magnitude) : 0.0f;
}

gboolean
convolve_fft_has_small (const float *alpha, int n, float least)
{
  gboolean small = FALSE;
  int i;

  for (i = 0; i < n; i++)
    small |= fabsf (alpha[i]) < least && alpha[i] != 0.0f;
  return small;
}

/* In single precision, infinity, NaN and what would overflow go another way. So does an alpha above
 * 1 that colour is divided by, because the least alpha is reckoned for less. */
float
convolve_fft_get_limit (const ConvolvePlan *plan, int channel, const ConvolveFftSize *size,
                        gboolean precise)
{
  double range = fx_codec_get_range (&plan->base.codec);
  double most = FLT_MAX / (4.0 * size->columns * size->rows) / MAX (plan->matrix.magnitude, 1.0);

  if (precise)
    return FLT_MAX;
  if (plan->weighs && channel == plan->base.codec.format.channels - 1)
    return 1.001f;
  return (float) (plan->strategy.cpu.finds_infinities ? MIN (most, BRIGHT * range) : most);
}
