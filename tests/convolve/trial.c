#include "trial.h"
#include "fingerprint.h"
#include "memory.h"
#include "reference.h"
#include "tested.h"

#include <stdarg.h>

#define SHOWN    10
#define HALF_END 65504.0

/* The picture. */

static double
get_color (const Trial *trial, int x, int y, double u)
{
  const gboolean bright = 2 * x >= trial->width && 2 * y >= trial->height;

  switch (trial->picture)
    {
    case PICTURE_EDGE:
      return bright ? 1.0 : 0.01 * u;
    case PICTURE_FLAT:
      return 0.4;
    case PICTURE_HDR:
      return u < 0.2 ? -10.0 * u : 16.0 * u * u * u;
    default:
      return u;
    }
}

static double
get_alpha (const Trial *trial, int x, int y, double u)
{
  if (trial->picture == PICTURE_HOLES)
    return (x / 5 + y / 3) % 2;
  return trial->picture == PICTURE_NOISE || trial->picture == PICTURE_HDR ? u : 1.0;
}

gpointer
trial_make_picture (const Trial *trial)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (trial->seed);
  const int channels = trial->format.channels;
  const gsize n = (gsize) trial->width * trial->height * channels;
  gpointer samples = g_malloc (n * fx_sample_size (trial->format.sample));

  for (gsize i = 0; i < n; i++)
    {
      const double u = g_rand_double (rand);
      const int x = i / channels % trial->width, y = i / channels / trial->width;
      const gboolean alpha = channels % 2 == 0 && i % channels == (gsize) channels - 1;

      reference_encode (trial->format.sample,
                        alpha ? get_alpha (trial, x, y, u) : get_color (trial, x, y, u), samples,
                        i);
    }
  return samples;
}

FxRect
trial_get_region (const Trial *trial)
{
  return trial->region.width ? trial->region : (FxRect) { 0, 0, trial->width, trial->height };
}

Correlation *
trial_expect (const Trial *trial, gconstpointer source)
{
  const FxRect region = trial_get_region (trial);
  const gsize n = (gsize) trial->width * trial->height * trial->format.channels;
  g_autofree double *values = reference_decode_all (trial->format.sample, source, n);

  return correlation_new (&trial->params, &trial->format, trial->width, trial->height, &region,
                          values);
}

/* The contract. */

void
trial_fail (const Trial *trial, const char *format, ...)
{
  static int shown;
  const FxRect r = trial_get_region (trial);
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (shown++ < SHOWN)
    g_test_message ("MISMATCH: %s\n  seed %u, picture %d, sample %d, %d channels, gamma %d, %dx%d, "
                    "region %dx%d at %d,%d, matrix %dx%d, divisor %g, offset %g, channels %u, "
                    "alpha %d, abyss %d, light %d",
                    what, trial->seed, trial->picture, trial->format.sample, trial->format.channels,
                    trial->format.gamma, trial->width, trial->height, r.width, r.height, r.x, r.y,
                    trial->params.rows, trial->params.columns, trial->params.divisor,
                    trial->params.offset, trial->params.channels, trial->params.alpha,
                    trial->params.abyss, trial->params.light);
  g_test_fail ();
}

double
trial_get_range (const Trial *trial, gconstpointer source)
{
  const gsize n = (gsize) trial->width * trial->height * trial->format.channels;
  double range = 1.0;

  for (gsize i = 0; i < n; i++)
    range = MAX (range, fabs (reference_decode (trial->format.sample, source, i)));
  return range * correlation_get_gain (&trial->params);
}

/* Returns whether a sample is among those of which most must be rounded right: those that
 * arithmetic in single precision can tell. */
static gboolean
is_counted (const Trial *trial, const Correlation *e)
{
  const double levels = trial->format.sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;

  return trial->format.sample <= FX_SAMPLE_U16 && (e->high - e->low) * levels < 0.02;
}

static gboolean
is_equal (const Trial *trial, const Correlation *e, double got)
{
  const double levels = trial->format.sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;
  const double v = CLAMP (e->value, 0.0, 1.0) * levels;

  return fabs (got * levels - v) <= 0.5 + 0.02;
}

/* Returns the value as far as the format can hold it: integers end at 0 and 1, and halves at 65504,
 * above which they are infinite. */
static Correlation
limit (const Trial *trial, const Correlation *e)
{
  Correlation limited = *e;

  if (trial->format.sample <= FX_SAMPLE_U32)
    {
      limited.low = CLAMP (e->low, 0.0, 1.0);
      limited.high = CLAMP (e->high, 0.0, 1.0);
    }
  else if (trial->format.sample == FX_SAMPLE_HALF)
    {
      limited.low = e->low <= -HALF_END ? -INFINITY : MIN (e->low, HALF_END);
      limited.high = e->high >= HALF_END ? INFINITY : MAX (e->high, -HALF_END);
    }
  return limited;
}

gboolean
trial_is_right (const Trial *trial, const Correlation *e, double got, double range)
{
  const Correlation limited = limit (trial, e);
  const double bound = reference_get_bound (trial->format.sample, e->value, range) * (1.0 + 1e-9);

  return got >= limited.low - bound && got <= limited.high + bound; /* not NaN */
}

static void
check_pixels (const Trial *trial, gconstpointer source, gconstpointer result)
{
  const FxRect r = trial_get_region (trial);
  g_autofree Correlation *all = trial_expect (trial, source);
  const double range = trial_get_range (trial, source);
  const int channels = trial->format.channels;
  const gsize n = (gsize) r.width * r.height * channels;
  gsize counted = 0, equal = 0;

  for (gsize i = 0; i < n; i++)
    {
      const double got = reference_decode (trial->format.sample, result, i);

      if (! trial_is_right (trial, &all[i], got, range))
        {
          trial_fail (trial, "%.9g at %d,%d channel %d, expected %.9g (%.9g to %.9g)", got,
                      (int) (r.x + i / channels % r.width), (int) (r.y + i / channels / r.width),
                      (int) (i % channels), all[i].value, all[i].low, all[i].high);
          return;
        }
      if (! is_counted (trial, &all[i]))
        continue;
      counted++;
      equal += is_equal (trial, &all[i], got);
    }
  if (counted >= 1000 && equal < (trial->format.sample == FX_SAMPLE_U8 ? 0.99 : 0.5) * counted)
    trial_fail (trial, "only %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT " samples equal", equal,
                counted);
}

/* Bytes of channels that are not written. */
static void
check_rest (const Trial *trial, const guint8 *source, const guint8 *result)
{
  const FxRect r = trial_get_region (trial);
  const gsize sample = fx_sample_size (trial->format.sample);
  const gsize pixel = fx_format_size (&trial->format);

  for (int y = 0; y < r.height; y++)
    for (int x = 0; x < r.width; x++)
      for (int c = 0; c < trial->format.channels; c++)
        {
          const gsize from = ((gsize) (r.y + y) * trial->width + r.x + x) * pixel + c * sample;
          const gsize to = ((gsize) y * r.width + x) * pixel + c * sample;

          if (! correlation_writes (&trial->params, &trial->format, c) &&
              memcmp (source + from, result + to, sample) != 0)
            {
              trial_fail (trial, "channel %d at %d,%d is not as it was", c, r.x + x, r.y + y);
              return;
            }
        }
}

gboolean
trial_run (const Trial *trial, gconstpointer source, gpointer result)
{
  const FxRect r = trial_get_region (trial);
  const gsize pixel = fx_format_size (&trial->format);
  g_autofree guint8 *all = g_malloc0 ((gsize) trial->width * trial->height * pixel);
  const Memory memory = { source, all, trial->width, trial->height, trial->format };
  FxImage image = memory_get_image (&memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = convolve_plan_new (&trial->params, &trial->format, &error);

  image.region = r;
  image.band_rows = trial->band_rows;
  if (plan)
    ((ConvolvePlan *) plan)->choice = trial->choice;
  if (! plan || ! fx_engine_run (tested_engine (), plan, trial->device, &image, NULL, &error))
    {
      trial_fail (trial, "error: %s", error->message);
      return FALSE;
    }
  for (int y = 0; y < r.height; y++)
    memcpy ((guint8 *) result + (gsize) y * r.width * pixel,
            all + ((gsize) (r.y + y) * trial->width + r.x) * pixel, r.width * pixel);
  return TRUE;
}

void
trial_check (const Trial *trial)
{
  const FxRect r = trial_get_region (trial);
  const gsize size = (gsize) r.width * r.height * fx_format_size (&trial->format);
  g_autofree guint8 *source = trial_make_picture (trial);
  g_autofree guint8 *result = g_malloc (size);

  if (! trial_run (trial, source, result))
    return;
  fingerprint_add (result, size);
  check_pixels (trial, source, result);
  check_rest (trial, source, result);
}
