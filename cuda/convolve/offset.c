/* The offset, which is added to results last, and the rounding of results halfway between two 8-bit
 * levels. Weights and samples are not exact in floating point, so the rounding of such a result
 * would depend on the path.
 *
 * A bias of 1 / (2 d) of a level moves these results away from the half, as far as the nearest
 * other results are from it. Errors must be smaller than the bias. Relative to sum |v| / d,
 * - those of weights and samples are at most 1.5e-7 (2^-24 + 1.5 2^-24);
 * - the noise of a GPU's transform is at most 2.7e-6 (gpu-fft-error.c: 7 standard deviations of
 *   2^-24 sqrt (22) sqrt (0.65^2 + 1.2^2), if one weight prevails in a tile of 2048x2048);
 * - the errors of sums over taps, and the noise of the CPU's transforms, are smaller.
 * So 255 x 2.9e-6 sum |v| / d < 1 / (2 d) if sum |v| < 676. The limit of 500 leaves room for the
 * rounding of the result to single precision, up to 3e-5 levels. The division by an opaque alpha
 * adds the relative error of alpha's sum, which is as large if no v is negative: 255 x 2.9e-6 (sum
 * v / d + 1) must be below both 1 / (2 d) and the bias, which is limited there. */
#include "convolve-plan.h"

#include "vector.h"

#include <math.h>

/* The largest deviation of an offset from a whole number that is attributed to rounding, because
 * the offset may have been in single precision. */
#define ROUNDING 1e-4

FX_VECTORISED static gboolean
has_whole_values (const ConvolveParams *params)
{
  int n = params->rows * params->columns, other = 0, i;

  for (i = 0; i < n; i++)
    other |= params->values[i] != rint (params->values[i]);
  return ! other;
}

/* The results are k / divisor + levels, for all whole k. A half, h + 1/2, is among them if
 * divisor (h + 1/2 - levels) is whole: if divisor - 2 divisor levels is even. */
static gboolean
has_halves (double divisor, double levels)
{
  double twice = 2.0 * divisor * levels, whole = rint (twice);

  return divisor == rint (divisor) && fabs (twice - whole) <= ROUNDING &&
         fmod (divisor - whole, 2.0) == 0.0;
}

/* The largest bias, in levels, where colour is divided by alpha. Under soft alpha, such colour can
 * have any value, and the bias also moves a few values past a half: as few as the contract
 * allows. */
#define MOST_UNDER_ALPHA (1.0 / 256.0)

/* Returns the bias for results with this offset, at most so many levels, or 0. If the values and
 * the divisor are whole, the results times the divisor are whole, but for the part of the offset.
 * If halves are among them, half the distance between two results moves a half as far as possible
 * from the rounding threshold, and moves no other result across it. */
static double
get_bias (const ConvolvePlan *plan, double divisor, double offset, double most)
{
  if (plan->base.codec.format.sample != FX_SAMPLE_U8 || ! has_halves (divisor, 255.0 * offset) ||
      ! has_whole_values (&plan->params))
    return 0.0;
  return MIN (0.5 / fabs (divisor), most) / 255.0;
}

/* After a curve, sums of levels are no levels. */
static double
get_color_bias (const ConvolvePlan *plan, double divisor)
{
  const FxCodec *codec = &plan->base.codec;

  if (codec->curve != FX_CURVE_NONE || fx_codec_has_highlights (codec))
    return 0.0;
  return get_bias (plan, divisor, plan->params.offset,
                   plan->divides_by_alpha ? MOST_UNDER_ALPHA : 1.0);
}

/* The offset applies to alpha only if alpha was selected explicitly. */
void
convolve_plan_init_offset (ConvolvePlan *plan, double divisor)
{
  const FxFormat *format = &plan->base.codec.format;
  double offset = plan->params.offset;
  float color = (float) (offset + get_color_bias (plan, divisor));
  int alpha = format->channels - 1, c;

  for (c = 0; c < format->channels; c++)
    plan->offset[c] = color;
  if (! fx_format_has_alpha (format))
    return;
  if (! (plan->params.channels & CONVOLVE_ALPHA))
    offset = 0.0;
  plan->offset[alpha] = (float) (offset + get_bias (plan, divisor, offset, 1.0));
}
