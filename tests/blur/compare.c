#include "compare.h"
#include "reference.h"

#include <math.h>

/* The bound for colour times alpha. The rounding of halves counts in both factors. */
static double
get_product_bound (FxSample sample, double color, double alpha, double range)
{
  const double rounding = fabs (color) * reference_get_half_ulp (alpha) +
                          fabs (alpha) * reference_get_half_ulp (color);

  if (sample == FX_SAMPLE_HALF)
    return MAX (rounding, 1e-5 * range);
  return reference_get_bound (sample, 0.0, range);
}

static void
judge (Verdict *v, gsize place, double expected, double got, double bound)
{
  double ratio = fabs (got - expected) / (bound * (1.0 + 1e-9)); /* 1 level is 1 level */

  if (isnan (ratio))
    ratio = INFINITY;
  if (ratio > v->worst || v->compared == 0)
    {
      v->worst = MAX (v->worst, ratio);
      v->place = place;
      v->expected = expected;
      v->got = got;
    }
}

static double
round_to (FxSample sample, double value)
{
  guint64 rounded;

  if (sample == FX_SAMPLE_FLOAT || sample == FX_SAMPLE_DOUBLE)
    return value;
  reference_encode (sample, value, &rounded, 0);
  return reference_decode (sample, &rounded, 0);
}

/* The permitted error of a sample's light through a table. */
static double
get_table_bound (const Case *c, double light, double alpha, double range)
{
  const double all = reference_into_light (&c->format, c->params.light, range);

  if (! c->format.gamma == (c->params.light == FX_LIGHT_LINEAR))
    return 0.0; /* it is not applied */
  return COMPARE_LIGHT * all / alpha + COMPARE_TABLE * fabs (light);
}

/* The permitted error of a sample's light, if the curve is not sRGB's. It does not show in 8 bits,
 * except through a table. */
static double
get_light_bound (const Case *c, double light, double alpha, double range)
{
  const FxFormat *format = &c->format;

  if (fx_trc_is_srgb (&format->trc) || alpha == 0.0)
    return 0.0;
  if (format->trc.table)
    return get_table_bound (c, light, alpha, range);
  if (! format->gamma || c->params.light != FX_LIGHT_LINEAR || format->sample == FX_SAMPLE_U8)
    return 0.0;
  return COMPARE_LIGHT * reference_trc_to_linear (&format->trc, range) / alpha;
}

/* Returns the stored value nearest to got among those whose light is within the bound of
 * value's. */
static double
excuse (const Case *c, double value, double got, double alpha, double range)
{
  const FxLight kind = c->params.light;
  const double light = reference_into_light (&c->format, kind, value);
  const double bound = get_light_bound (c, light, alpha, range);

  if (bound == 0.0)
    return value;
  return CLAMP (got, MIN (value, reference_out_of_light (&c->format, kind, light - bound)),
                MAX (value, reference_out_of_light (&c->format, kind, light + bound)));
}

/* value: unrounded. Next to a tie either neighbour is right: no arithmetic in single precision
 * could tell them apart. */
static gboolean
is_equal (FxSample sample, double value, double expected, double got)
{
  const double levels = sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;
  const double v = CLAMP (value, 0.0, 1.0) * levels;
  const double tie = sample == FX_SAMPLE_U8 ? 1e-3 : 0.004; /* 65535 * 2^-24 */

  return got == expected ||
         (fabs (v - floor (v) - 0.5) < tie && fabs (got * levels - v) < 0.5 + 2.0 * tie);
}

double
case_get_range (const Case *c, const double *source)
{
  double range = 1.0;

  for (gsize i = 0; i < (gsize) c->width * c->height * c->format.channels; i++)
    range = MAX (range, fabs (source[i]));
  return range;
}

double *
case_decode (const Case *c, gconstpointer samples)
{
  return reference_decode_all (c->format.sample, samples,
                               (gsize) c->width * c->height * c->format.channels);
}

void
compare_sample (Verdict *v, const Case *c, gsize i, double value, double got, double alpha,
                double got_alpha, double range)
{
  const FxSample sample = c->format.sample;
  const double expected = round_to (sample, value);
  double excused;

  if (case_is_integer (sample))
    value = CLAMP (value, 0.0, 1.0);
  if (alpha < COMPARE_ALPHA_MIN)
    {
      excused = excuse (c, value, alpha > 0.0 ? got * got_alpha / alpha : got, alpha, range);
      judge (v, i, excused * alpha, got * got_alpha,
             get_product_bound (sample, value, alpha, range));
      return;
    }
  excused = excuse (c, value, got, alpha, range);
  judge (v, i, excused == value ? expected : round_to (sample, excused), got,
         reference_get_bound (sample, expected, range));
  v->compared++;
  v->equal += is_equal (sample, value, expected, got) || round_to (sample, excused) == got;
}

Verdict
compare_values (const Case *c, const double *expected, gconstpointer result, double range)
{
  const FxRect region = case_get_region (c);
  const int channels = c->format.channels;
  Verdict v = { .worst = 0.0 };

  for (gsize i = 0; i < (gsize) region.width * region.height * channels; i++)
    {
      const gsize last = i - i % channels + channels - 1;
      const gboolean color = channels % 2 == 0 && i != last;

      compare_sample (&v, c, i, expected[i], reference_decode (c->format.sample, result, i),
                      color ? expected[last] : 1.0,
                      color ? reference_decode (c->format.sample, result, last) : 1.0, range);
    }
  return v;
}

Verdict
compare (const Case *c, gconstpointer source, gconstpointer result)
{
  const FxRect region = case_get_region (c);
  g_autofree double *in = case_decode (c, source);
  g_autofree double *expected = reference_blur (&c->params, &c->format, c->width, c->height,
                                                &region, in);

  return compare_values (c, expected, result, case_get_range (c, in));
}
