#include "highlights.h"

#include "power.h"
#include "samples.h"
#include "vector.h"

#include <float.h>
#include <math.h>

/* The largest threshold: of 8-bit samples, only white is above it. */
#define THRESHOLD_MAX (254.0 / 255.0)

void
fx_codec_set_highlights (FxCodec *codec, FxLight light, double stops, double threshold)
{
  static const FxTrc srgb;
  double gain = exp2 (stops), value = MIN (threshold, THRESHOLD_MAX);
  float from = (float) (light == FX_LIGHT_LINEAR ? fx_trc_get_light (&srgb, value) : value);

  codec->highlights = (FxHighlights) { .threshold = from };
  if ((float) gain <= 1.0f)
    return;
  codec->highlights.bend = (float) ((gain - 1.0) / pow (1.0 - from, 2.0));
  codec->highlights.gain = (float) gain;
}

/* Sets most to the brightest channel of each pixel, at least 0. A NaN does not count. */
FX_VECTORISED static void
find_brightest (float *const *planes, int colors, int n, float *most)
{
  for (int i = 0; i < n; i++)
    most[i] = 0.0f;
  for (int c = 0; c < colors; c++)
    {
      const float *plane = planes[c];

      for (int i = 0; i < n; i++)
        most[i] = plane[i] > most[i] ? plane[i] : most[i];
    }
}

FX_VECTORISED static void
scale (float *const *planes, int colors, int n, const float *factors)
{
  for (int c = 0; c < colors; c++)
    {
      float *plane = planes[c];

      for (int i = 0; i < n; i++)
        plane[i] *= factors[i];
    }
}

/* Replaces each m by f (m) / m, which is 1 + bend above^2 / m up to white. */
FX_VECTORISED static void
get_expansion (const FxHighlights *highlights, float *m, int n)
{
  FxHighlights h = *highlights;

  for (int i = 0; i < n; i++)
    {
      float above = MAX (m[i] - h.threshold, 0.0f);
      float factor = 1.0f + h.bend * above * above / MAX (m[i], FLT_MIN);

      m[i] = curve_choose (m[i] < 1.0f, factor, h.gain);
    }
}

/* Replaces each f (m) by m / f (m). Above the threshold, m is the root of a quadratic equation,
 * written so that it loses no digits if bend is small. */
FX_VECTORISED static void
get_compression (const FxHighlights *highlights, float *f, int n)
{
  FxHighlights h = *highlights;

  for (int i = 0; i < n; i++)
    {
      float above = MAX (f[i] - h.threshold, 0.0f);
      float root = 2.0f * above / (1.0f + sqrtf (1.0f + 4.0f * h.bend * above));
      float factor = curve_choose (above > 0.0f, (h.threshold + root) / f[i], 1.0f);

      f[i] = curve_choose (f[i] < h.gain, factor, 1.0f / h.gain);
    }
}

void
fx_highlights_expand (const FxHighlights *highlights, float *const *planes, int colors, int n)
{
  float factors[FX_PIECE];

  find_brightest (planes, colors, n, factors);
  get_expansion (highlights, factors, n);
  scale (planes, colors, n, factors);
}

void
fx_highlights_compress (const FxHighlights *highlights, float *const *planes, int colors, int n)
{
  float factors[FX_PIECE];

  find_brightest (planes, colors, n, factors);
  get_compression (highlights, factors, n);
  scale (planes, colors, n, factors);
}
