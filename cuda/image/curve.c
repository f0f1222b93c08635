#include "curve.h"

#include "bits.h"
#include "power.h"
#include "trc-table.h"
#include "vector.h"

#include <float.h>
#include <math.h>

#define GAMMA_MAX 8e15f /* nearly 2^127 in linear light */

/* x^p for positive, normal x and a normal result. */
static inline float
power (float x, float p)
{
  return get_exp2 (p * get_log2 (x));
}

/* sRGB's curve (IEC 61966-2-1). */

/* Returns whether x is finite and over threshold, which must be positive. Compares bits, which have
 * the order of the floats. */
static inline int
is_over (float x, float threshold)
{
  gint32 bits = (gint32) bits_from_float (x);

  return (bits > (gint32) bits_from_float (threshold)) & (bits < 0x7f800000);
}

FX_VECTORISED static void
linear_from_gamma (float *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      float base = MIN (MAX (x[i], 0.04045f), GAMMA_MAX);

      x[i] = curve_choose (is_over (x[i], 0.04045f),
                           power ((base + 0.055f) * (1.0f / 1.055f), 2.4f), x[i] * (1.0f / 12.92f));
    }
}

FX_VECTORISED static void
gamma_from_linear (float *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      float base = MIN (MAX (x[i], 0.0031308f), FLT_MAX);

      x[i] = curve_choose (is_over (x[i], 0.0031308f), 1.055f * power (base, 1.0f / 2.4f) - 0.055f,
                           x[i] * 12.92f);
    }
}

/* Other curves. */

/* A curve in either direction of an FxTrc:
 *     max (gain (scale x + shift)^exponent + lift, least)   if x >= start
 *     slope x + offset                                      otherwise */
typedef struct {
  float start;
  float scale, shift, exponent, gain, lift, least;
  float slope, offset;
} Segments;

static Segments
get_segments (const FxTrc *trc)
{
  return (Segments) {
    .start = trc->d,
    .scale = trc->a,
    .shift = trc->b,
    .exponent = trc->g,
    .gain = 1.0f,
    .lift = trc->e,
    .least = -FLT_MAX,
    .slope = trc->c,
    .offset = trc->f,
  };
}

static Segments
get_inverse (const FxTrc *trc)
{
  gboolean flat = trc->c == 0.0f;

  return (Segments) {
    .start = trc->c * trc->d + trc->f,
    .scale = 1.0f,
    .shift = -trc->e,
    .exponent = 1.0f / trc->g,
    .gain = 1.0f / trc->a,
    .lift = -trc->b / trc->a,
    .least = trc->d,
    .slope = flat ? 0.0f : 1.0f / trc->c,
    .offset = flat ? MIN (trc->d, 0.0f) : -trc->f / trc->c,
  };
}

/* x^p, limited to finite results; 0 if x is not positive or is nearly 0. */
static inline float
raise_base (float x, float p)
{
  float base = MIN (MAX (x, FLT_MIN), FLT_MAX);
  float y = MIN (MAX (p * get_log2 (base), -126.0f), 127.0f);

  return curve_choose (is_over (x, FLT_MIN), get_exp2 (y), 0.0f);
}

/* The bits of a float as an integer. The integers have the order of the floats, including negative
 * ones. */
static inline gint32
get_order (float x)
{
  gint32 bits = (gint32) bits_from_float (x + 0.0f); /* turns -0 into 0 */

  return bits ^ ((bits >> 31) & 0x7fffffff);
}

static inline int
is_finite (float x)
{
  return (bits_from_float (x) & 0x7fffffffu) < 0x7f800000u;
}

FX_VECTORISED static void
apply_segments (const Segments *segments, float *x, int n)
{
  Segments s = *segments;
  gint32 start = get_order (s.start);

  for (int i = 0; i < n; i++)
    {
      float raised = s.gain * raise_base (s.scale * x[i] + s.shift, s.exponent) + s.lift;
      float value = curve_choose (get_order (x[i]) >= start, MAX (raised, s.least),
                                  s.slope * x[i] + s.offset);

      x[i] = curve_choose (is_finite (x[i]), value, x[i]);
    }
}

/* Tables. */

#define LAST (FX_TRC_ENTRIES - 1)

static inline float
limit (float x)
{
  return MIN (MAX (x, -FLT_MAX), FLT_MAX);
}

FX_VECTORISED static void
apply_table (const float *entries, float *x, int n)
{
  for (int i = 0; i < n; i++)
    {
      double place = x[i] * (double) LAST; /* exact, because little may remain of it */
      int k = (int) MIN (MAX (place, 0.0), LAST - 1.0);
      float light = entries[k] + limit ((float) (place - k)) * (entries[k + 1] - entries[k]);

      x[i] = is_finite (x[i]) ? limit (light) : x[i];
    }
}

#define BLOCK 64 /* samples whose segments are searched for at the same time */

/* Sets k to the first entries of the segments on which n samples of light lie: the last entry below
 * each sample, or the first entry if there is none. All samples take the same number of steps, so
 * that the loop over them is vectorised. */
static FX_INLINE void
find_segments (const float *restrict entries, const float *restrict light, int n, int *restrict k)
{
  for (int i = 0; i < n; i++)
    k[i] = 0;
  for (int step = FX_TRC_ENTRIES / 2; step > 0; step /= 2)
    for (int i = 0; i < n; i++)
      k[i] += step & -(int) (entries[k[i] + step] < light[i]);
  for (int i = 0; i < n; i++)
    k[i] = light[i] < entries[LAST] ? k[i] : LAST - 1;
}

/* Only the first and the last segment may be flat here. */
FX_VECTORISED static void
invert_table (const float *entries, float *x, int n)
{
  int k[BLOCK];

  for (int first = 0; first < n; first += BLOCK)
    {
      int count = MIN (BLOCK, n - first);
      float *light = x + first;

      find_segments (entries, light, count, k);
      for (int i = 0; i < count; i++)
        {
          float low = entries[k[i]], rise = entries[k[i] + 1] - low;
          float part = rise > 0.0f ? (light[i] - low) / rise : (float) (k[i] > 0);

          light[i] = is_finite (light[i]) ? limit (((float) k[i] + part) / LAST) : light[i];
        }
    }
}

/* All curves. */

/* Maps samples to light, or back. */
static void
map (const FxTrc *trc, gboolean to_light, float *x, int n)
{
  if (fx_trc_is_srgb (trc))
    (to_light ? linear_from_gamma : gamma_from_linear) (x, n);
  else if (trc->table)
    (to_light ? apply_table : invert_table) (trc->table->entries, x, n);
  else
    {
      Segments segments = to_light ? get_segments (trc) : get_inverse (trc);

      apply_segments (&segments, x, n);
    }
}

void
fx_curve_apply (FxCurve curve, const FxTrc *trc, float *x, int n)
{
  if (curve != FX_CURVE_NONE)
    map (trc, curve == FX_CURVE_TO_LINEAR, x, n);
}

void
fx_curve_invert (FxCurve curve, const FxTrc *trc, float *x, int n)
{
  if (curve != FX_CURVE_NONE)
    map (trc, curve == FX_CURVE_TO_PERCEPTUAL, x, n);
}

/* Double precision. */

/* Returns the table's light. */
static double
look_up (const float *entries, double x)
{
  int k = (int) CLAMP (x * LAST, 0.0, LAST - 1.0);

  return entries[k] + (x * LAST - k) * ((double) entries[k + 1] - entries[k]);
}

double
fx_trc_get_light (const FxTrc *trc, double sample)
{
  if (trc->table)
    return look_up (trc->table->entries, sample);
  if (fx_trc_is_srgb (trc))
    return sample <= 0.04045 ? sample / 12.92 : pow ((sample + 0.055) / 1.055, 2.4);
  if (sample < trc->d)
    return trc->c * sample + trc->f;
  return pow (MAX (trc->a * sample + trc->b, 0.0), trc->g) + trc->e;
}

/* Slopes. */

static double
get_slope (const FxTrc *trc, double x)
{
  if (x < trc->d)
    return trc->c;
  return trc->g * trc->a * pow (MAX (trc->a * x + trc->b, 0.0), trc->g - 1.0);
}

/* Sets least and most to the minimum and maximum slope of the table, over steps not smaller than
 * the table's. */
static void
get_slopes (const float *entries, double step, double *least, double *most)
{
  int n = step > 1.0 / LAST ? (int) (1.0 / step + 0.5) : LAST;

  *least = INFINITY;
  *most = 0.0;
  for (int i = 0; i < n; i++)
    {
      double slope = n * (look_up (entries, (i + 1.0) / n) - look_up (entries, (double) i / n));

      *least = MIN (*least, slope);
      *most = MAX (*most, slope);
    }
}

/* The slope of a power has its minimum at one of its ends. */
static double
get_least_slope (const FxTrc *trc, double step)
{
  double least = MIN (get_slope (trc, MAX (trc->d, step)), get_slope (trc, 1.0));

  return MIN (least, step > 0.0
                       ? (fx_trc_get_light (trc, step) - fx_trc_get_light (trc, 0.0)) / step
                       : get_slope (trc, 0.0));
}

double
fx_trc_get_steepest (const FxTrc *trc, double step)
{
  double least, most;

  if (fx_trc_is_srgb (trc))
    return 12.92;
  if (trc->table)
    get_slopes (trc->table->entries, step, &least, &most);
  else
    least = get_least_slope (trc, step);
  return least > 0.0 ? 1.0 / least : INFINITY;
}

double
fx_trc_get_steepest_light (const FxTrc *trc)
{
  double least, most;

  if (! trc->table)
    return 12.92;
  get_slopes (trc->table->entries, 0.0, &least, &most);
  return most;
}
