/* The error of transforms. It is relative to the largest sample of a tile, whereas that of a sum
 * over the taps is relative to the terms of each sum. */
#include "gpu-fft.h"

#include <float.h>
#include <math.h>

/* The error resembles noise, so its bounds are statistical. (Each result also has a relative error,
 * but that is as small as the rounding of the result.) Its standard deviation has two parts. Each
 * is the product of the unit roundoff, the square root of the number of radix-2 stages (independent
 * errors add so), the largest magnitude in the tile, and
 * - for the inverse transform: RESULT, and the sum of the weights' magnitudes, which bounds the
 *   result;
 * - for the transform of the tile: SOURCE, and the root of the sum of the weights' squares, because
 *   the matrix averages these errors.
 * With samples of the largest magnitude and either sign, 0.55 was measured under matrices that
 * average, and 1.18 if one weight prevails, in tiles of 256x256 to 2048x256
 * (tests/convolve/test_convolve_fft.py). */
#define RESULT 0.65
#define SOURCE 1.2

/* The largest expected error, in standard deviations: of a sum of zeros (one in 10^11 is larger);
 * of a sample of any picture (one in 10^5); and of a result that can be recomputed, where a higher
 * limit would recompute too many. */
#define NOISE 7.0
#define EXACT 4.5
#define ERROR 3.0

/* The permitted error of a sample that is only displayed, in levels of 8 bits. */
#define SHOWN 0.25

/* Returns the standard deviation of a sum, relative to the largest magnitude in its tile. */
static double
get_deviation (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  double stages = log2 ((double) tile->columns * tile->rows);

  return (tile->precise ? DBL_EPSILON : FLT_EPSILON) / 2.0 * sqrt (stages) *
         hypot (RESULT * matrix->magnitude, SOURCE * sqrt (matrix->squares));
}

/* Returns the permitted error of a sample, without the rounding to the format. The noise is
 * relative to highlights, so they extend the permitted error with the range. In 8 bits, where most
 * samples must be equal, they only double it. */
static double
get_allowed (const ConvolvePlan *plan)
{
  double range = fx_codec_get_range (&plan->base.codec);

  switch (plan->base.codec.format.sample)
    {
    case FX_SAMPLE_U8:
      return (fx_codec_has_highlights (&plan->base.codec) ? 0.2 : 0.1) / 255.0;
    case FX_SAMPLE_U16:
      return range / 65535.0;
    default:
      return 1e-5 * range * MAX (plan->matrix.magnitude, 1.0);
    }
}

/* Returns the permitted error of a sample that is only displayed. Linear samples are displayed
 * through the format's curve, at its steepest slope. */
static double
get_allowed_shown (const FxFormat *format)
{
  const FxFormat view = { FX_SAMPLE_U8, 4, TRUE, format->trc };
  const FxCodec codec = fx_codec_new (&view, FX_LIGHT_LINEAR);

  return SHOWN / 255.0 / fx_codec_get_magnification (&codec);
}

/* Returns the steepest slope from sums to samples. */
static double
get_slope (const FxCodec *codec)
{
  gboolean parametric = codec->curve == FX_CURVE_TO_PERCEPTUAL && ! codec->format.trc.table;

  return parametric ? 2.3 : fx_codec_get_magnification (codec);
}

/* Returns whether sums of colour that are below the noise can be cleared within the permitted
 * error. */
static gboolean
can_clear (const FxCodec *codec, double deviation, double allowed)
{
  return (NOISE + EXACT) * deviation * fx_codec_get_range (codec) * get_slope (codec) <= allowed;
}

void
convolve_gpu_fft_set_errors (const ConvolvePlan *plan, const ConvolveGpuFftTile *tile,
                             gboolean shown, ConvolveFft *fft)
{
  double deviation = get_deviation (plan, tile);
  double peak = plan->strategy.gpu.finds_peaks ? 1.0 : fx_codec_get_range (&plan->base.codec);
  double noise = NOISE * deviation * peak, allowed = get_allowed (plan);

  if (shown)
    allowed = MAX (allowed, get_allowed_shown (&plan->base.codec.format));
  fft->noise = (float) noise;
  fft->cleared = can_clear (&plan->base.codec, deviation, allowed) ? (float) noise : 0.0f;
  fft->error = (float) (ERROR * deviation);
  fft->allowed = (float) allowed;
  fft->least = tile->precise ? plan->strategy.least_alpha : 0.0f;
}

gboolean
convolve_gpu_fft_is_exact_enough (const ConvolvePlan *plan)
{
  static const ConvolveGpuFftTile largest = { .columns = FFT_ROW_MAX, .rows = FFT_COLUMN_MAX };
  const FxCodec *codec = &plan->base.codec;
  const ConvolveGpuFftTile *tile = plan->strategy.large ? &largest : &plan->strategy.gpu.tile;

  return EXACT * get_deviation (plan, tile) * fx_codec_get_range (codec) * get_slope (codec) <=
         get_allowed (plan);
}

/* In 8 bits, colour is right wherever alpha is not nearly 0. */
gboolean
convolve_gpu_fft_may_recompute (const ConvolvePlan *plan)
{
  gboolean divides = plan->divides_by_alpha && plan->base.codec.format.sample != FX_SAMPLE_U8;

  return divides || (plan->strategy.large && ! convolve_gpu_fft_is_exact_enough (plan));
}
