#include "highlights.h"

#include "power.h"
#include "vector.h"

#include <math.h>

/* sRGB's curve (IEC 61966-2-1). */
static double
get_linear (double x)
{
  return x <= 0.04045 ? x / 12.92 : pow ((x + 0.055) / 1.055, 2.4);
}

/* The slope at 1 decides the rate: e^(rate (1 - threshold)) = 2^stops. At a threshold of 1 no
 * sample needs the rate. */
void
fx_codec_set_highlights (FxCodec *codec, FxLight light, double stops, double threshold)
{
  FxHighlights *highlights = &codec->highlights;
  double from = light == FX_LIGHT_LINEAR ? get_linear (threshold) : threshold;
  double width;

  *highlights = (FxHighlights) { .threshold = (float) from };
  width = 1.0 - highlights->threshold;
  if ((float) exp2 (stops) <= 1.0f)
    return;
  highlights->rate = width > 0.0 ? (float) (stops * G_LN2 / width) : 1.0f;
  highlights->top = highlights->threshold +
                    (float) (expm1 (highlights->rate * width) / highlights->rate);
  highlights->slope = (float) exp2 (stops);
}

/* e^x - 1 for x from 0 to 87, and log (1 + x) for x from 0, both with a small relative error, even
 * if x is nearly 0. The former is 2^n (2^f - 1) + (2^n - 1); 2^f - 1 is its Taylor series. The
 * latter makes up for the rounding of 1 + x (Goldberg, What Every Computer Scientist Should Know
 * About Floating-Point Arithmetic, theorem 4). */

static inline float
get_expm1 (float x)
{
  float y = x * 1.44269504f;
  float whole = (y + 12582912.0f) - 12582912.0f; /* adding 1.5 * 2^23 rounds to an integer */
  float f = y - whole;
  float part = f *
               (0.693147181f +
                f * (0.240226507f + f * (0.0555041087f +
                                         f * (0.00961812911f +
                                              f * (0.00133335581f + f * (0.000154035304f +
                                                                         f * 0.0000152527338f))))));
  float power = float_from_bits ((guint32) ((gint32) whole + 127) << 23);

  return power * part + (power - 1.0f);
}

static inline float
get_log1p (float x)
{
  float y = 1.0f + x, rounded = y - 1.0f;
  float log1p = 0.693147181f * get_log2 (y) * (x / MAX (rounded, 1e-7f));

  return curve_choose (rounded > 0.0f, log1p, x);
}

FX_VECTORISED void
fx_highlights_expand (const FxHighlights *highlights, float *x, int n)
{
  FxHighlights h = *highlights;
  int i;

  for (i = 0; i < n; i++)
    {
      float above = MIN (MAX (x[i] - h.threshold, 0.0f), 1.0f - h.threshold);
      float middle = h.threshold + get_expm1 (h.rate * above) / h.rate;
      float end = h.top + h.slope * (x[i] - 1.0f);

      x[i] = curve_choose (x[i] <= h.threshold, x[i], curve_choose (x[i] <= 1.0f, middle, end));
    }
}

FX_VECTORISED void
fx_highlights_compress (const FxHighlights *highlights, float *x, int n)
{
  FxHighlights h = *highlights;
  int i;

  for (i = 0; i < n; i++)
    {
      float above = MIN (MAX (x[i] - h.threshold, 0.0f), h.top - h.threshold);
      float middle = h.threshold + get_log1p (h.rate * above) / h.rate;
      float end = 1.0f + (x[i] - h.top) / h.slope;

      x[i] = curve_choose (x[i] <= h.threshold, x[i], curve_choose (x[i] <= h.top, middle, end));
    }
}
