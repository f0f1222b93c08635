#include "pixel.h"
#include "reference.h"

#include <math.h>
#include <string.h>

void
pixel_decode (const Subject *s, gconstpointer samples, gsize i, gboolean linear, double *values)
{
  const int channels = s->format.channels;
  const gboolean has_alpha = channels % 2 == 0;
  const double alpha = has_alpha
                         ? reference_decode (s->format.sample, samples, i * channels + channels - 1)
                         : 1.0;

  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double value = reference_decode (s->format.sample, samples, i * channels + c);

      values[c] = alpha *
                  (linear ? reference_into_light (&s->format, FX_LIGHT_LINEAR, value) : value);
    }
  if (has_alpha)
    values[channels - 1] = alpha;
}

void
pixel_mix (const Subject *s, gconstpointer before, gconstpointer after, gsize i, double share,
           double *values)
{
  double from[4], to[4];

  pixel_decode (s, before, i, ! s->coverage, from);
  pixel_decode (s, after, i, ! s->coverage, to);
  for (int c = 0; c < s->format.channels; c++)
    values[c] = from[c] + share * (to[c] - from[c]);
}

void
pixel_keep (const Subject *s, gconstpointer before, gsize i, double *values)
{
  const int channels = s->format.channels, alpha = channels - 1;
  const gboolean has_alpha = channels % 2 == 0;
  const double gone = has_alpha ? values[alpha] : 1.0;
  double old[4];

  pixel_decode (s, before, i, TRUE, old);
  if (gone == 0.0)
    {
      memcpy (values, old, channels * sizeof *values);
      return;
    }
  if (has_alpha && s->locked >> alpha & 1)
    values[alpha] = old[alpha];
  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double sample = reference_decode (s->format.sample, before, i * channels + c);
      const double color = reference_into_light (&s->format, FX_LIGHT_LINEAR, sample);

      values[c] = (s->locked >> c & 1 ? color : values[c] / gone) *
                  (has_alpha ? values[alpha] : 1.0);
    }
}

void
pixel_keep_leeways (const Subject *s, gconstpointer before, gsize i, const double *values,
                    double *leeways)
{
  const int channels = s->format.channels, last = channels - 1;
  const gboolean has_alpha = channels % 2 == 0;
  const double gone = has_alpha ? values[last] : 1.0;
  const gboolean alpha_locked = has_alpha && s->locked >> last & 1;
  double old[4], alpha, da;

  pixel_decode (s, before, i, TRUE, old);
  alpha = alpha_locked ? old[last] : gone;
  da = has_alpha && ! alpha_locked ? leeways[last] : 0.0;
  for (int c = 0; c < channels - has_alpha; c++)
    {
      double color = has_alpha && old[last] > 0.0 ? old[c] / old[last] : old[c];

      if (gone == 0.0)
        leeways[c] = leeways[last] > 0.0 ? old[last] : 0.0;
      else
        leeways[c] = s->locked >> c & 1 ? da * color : leeways[c] / gone * alpha;
    }
  if (has_alpha)
    leeways[last] = gone == 0.0 && da > 0.0 ? MAX (da, old[last]) : da;
}

/* How far apart neighbours among stored samples are. */
static double
get_step (FxSample sample, double value)
{
  switch (sample)
    {
    case FX_SAMPLE_U8:
      return 1.0 / 255.0;
    case FX_SAMPLE_U16:
      return 1.0 / 65535.0;
    case FX_SAMPLE_HALF:
      return ldexp (MAX (fabs (value), 0x1p-14), -10);
    default:
      return PIXEL_PRECISION;
    }
}

/* By how much stored sample i may differ from device to device. uncertain: by single precision,
 * before it is rounded. exact: the samples before that, or NULL; they tell which are near a tie, of
 * 8 bits, where a step matters. */
static double
get_stored_leeway (FxSample sample, gconstpointer stored, const double *exact, gsize i,
                   double uncertain)
{
  double low, high;

  if (! exact)
    return get_step (sample, reference_decode (sample, stored, i)) + uncertain;
  low = CLAMP (exact[i] - uncertain, 0.0, 1.0);
  high = CLAMP (exact[i] + uncertain, 0.0, 1.0);
  return (floor (high * 255.0 + 0.5) - floor (low * 255.0 + 0.5)) / 255.0;
}

double
pixel_spread (const FxTrc *trc, double value, double leeway)
{
  double light;

  if (! trc || leeway == 0.0)
    return leeway;
  light = reference_trc_to_linear (trc, value);
  return MAX (reference_trc_to_linear (trc, value + leeway) - light,
              light - reference_trc_to_linear (trc, value - leeway));
}

void
pixel_get_leeways (const Subject *s, gconstpointer after, const double *exact, gsize i,
                   double *leeways)
{
  const FxSample sample = s->format.sample;
  const int channels = s->format.channels, last = channels - 1;
  const gboolean has_alpha = channels % 2 == 0;
  const FxTrc *trc = s->format.gamma && ! s->coverage ? &s->format.trc : NULL;
  const double alpha = has_alpha ? reference_decode (sample, after, i * channels + last) : 1.0;
  const double da = has_alpha ? get_stored_leeway (sample, after, exact, i * channels + last,
                                                   PIXEL_PRECISION)
                              : 0.0;
  const double uncertain = PIXEL_SLOPE_MAX * PIXEL_PRECISION / MAX (alpha, PIXEL_PRECISION);

  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double value = reference_decode (sample, after, i * channels + c);
      const double dc = get_stored_leeway (sample, after, exact, i * channels + c, uncertain);

      leeways[c] = (alpha + da) * MIN (1.0, pixel_spread (trc, value, dc));
      if (da > 0.0)
        leeways[c] += da * (trc ? reference_trc_to_linear (trc, value) : value);
    }
  if (has_alpha)
    leeways[last] = da;
}

void
pixel_mix_leeways (const Subject *s, double share, const double *values, double *leeways)
{
  const int channels = s->format.channels, last = channels - 1;
  const gboolean has_alpha = channels % 2 == 0;
  const FxTrc *trc = s->format.gamma && ! s->coverage ? &s->format.trc : NULL;
  const double alpha = has_alpha ? values[last] : 1.0;
  const double da = has_alpha ? get_step (s->format.sample, alpha) / 2.0 : 0.0;

  for (int c = 0; c < channels - has_alpha; c++)
    {
      const double light = alpha > 1e-9 ? values[c] / alpha : 0.0;
      const double value = trc ? reference_trc_to_gamma (trc, light) : light;
      const double half = get_step (s->format.sample, value) / 2.0;

      leeways[c] = share * leeways[c] + (alpha + da) * pixel_spread (trc, value, half) + da * light;
    }
  if (has_alpha)
    leeways[last] = share * leeways[last] + da;
}
