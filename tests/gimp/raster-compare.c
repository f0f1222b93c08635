/* Whether a raster is what it should be. */
#include "raster.h"
#include "../lib/reference.h"

/* Alpha under which colour is compared premultiplied. */
#define ALPHA_FLOOR (8.0 / 255.0)

/* The largest error allowed at an expected value, in stored values. */
static double
allowed (FxSample sample, double expected, double range, double factor)
{
  return factor * reference_get_bound (sample, expected, range);
}

/* The same of a product of colour and alpha, each of which is rounded to what a half can hold. */
static double
allowed_faint (FxSample sample, double color, double alpha, double range, double factor)
{
  double product = allowed (sample, color * alpha, range, factor);
  double rounding = 0.5 * (fabs (alpha) * allowed (sample, color, range, factor) +
                           fabs (color) * allowed (sample, alpha, range, factor));

  return sample == FX_SAMPLE_HALF ? fmax (product, rounding) : product;
}

static double
get_levels (FxSample sample)
{
  return sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;
}

/* The stored value that an exact one becomes. */
static double
rounded (FxSample sample, double exact)
{
  double levels = get_levels (sample);

  if (sample != FX_SAMPLE_U8 && sample != FX_SAMPLE_U16)
    return exact;
  return floor (exact * levels + 0.5) / levels;
}

/* Next to a tie either neighbour is right: no arithmetic in single precision could tell them apart.
 */
static gboolean
is_equal (FxSample sample, double exact, double actual)
{
  double levels = get_levels (sample);

  return fabs (actual - rounded (sample, exact)) < 1e-9 ||
         fabs (actual - exact) * levels < 0.5 + (sample == FX_SAMPLE_U8 ? 1e-3 : 0.01);
}

typedef struct {
  double share; /* of what is allowed */
  double actual, expected;
  int x, y, channel;
  gsize count, bad;
  gsize direct, equal; /* those not compared premultiplied, and how many of them are equal */
} Worst;

static void
compare_sample (Worst *worst, double actual, double expected, double bound, int x, int y, int c)
{
  double error = fabs (actual - expected);
  double share = isfinite (error) ? error / bound : INFINITY;

  worst->count++;
  worst->bad += share > 1.0 + 1e-9; /* the slack is this comparison's own rounding */
  if (share <= worst->share)
    return;
  worst->share = share;
  worst->actual = actual;
  worst->expected = expected;
  worst->x = x;
  worst->y = y;
  worst->channel = c;
}

static void
compare_pixel (Worst *worst, const Raster *raster, const double *actual, const double *expected,
               int x, int y, double range, double factor)
{
  FxSample sample = raster->format.sample;
  int alpha = raster_get_colours (&raster->format);
  gboolean faint = fx_format_has_alpha (&raster->format) && expected[alpha] < ALPHA_FLOOR;

  for (int c = 0; c < raster->format.channels; c++)
    {
      double value = rounded (sample, expected[c]);
      double bound = allowed (sample, value, range, factor);

      if (faint && c < alpha)
        compare_sample (worst, actual[c] * actual[alpha], expected[c] * expected[alpha],
                        allowed_faint (sample, expected[c], expected[alpha], range, factor), x, y,
                        c);
      else
        {
          compare_sample (worst, actual[c], value, bound, x, y, c);
          worst->direct++;
          worst->equal += is_equal (sample, expected[c], actual[c]);
        }
    }
}

char *
raster_compare (const Raster *actual, const double *expected, double range, double factor)
{
  g_autofree double *values = raster_values (actual);
  /* The share of samples that must be equal; what is over the contract's bound has none to keep. */
  double share = factor > 1.0                             ? 0.0
                 : actual->format.sample == FX_SAMPLE_U8  ? 0.99
                 : actual->format.sample == FX_SAMPLE_U16 ? 0.5
                                                          : 0.0;
  Worst worst = { 0 };

  for (int y = 0; y < actual->height; y++)
    for (int x = 0; x < actual->width; x++)
      {
        gsize at = ((gsize) y * actual->width + x) * actual->format.channels;

        compare_pixel (&worst, actual, values + at, expected + at, x, y, range, factor);
      }
  if (worst.bad == 0 && worst.equal >= share * worst.direct)
    return NULL;
  return g_strdup_printf ("%" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " samples out of bounds, %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                          " equal (%g asked); worst at "
                          "%d,%d channel %d: %.9g, expected %.9g, %.3g times what is allowed",
                          worst.bad, worst.count, worst.equal, worst.direct, share, worst.x,
                          worst.y, worst.channel, worst.actual, worst.expected, worst.share);
}

char *
raster_differs (const Raster *actual, const Raster *expected)
{
  gsize count = 0, first = 0;
  g_autofree double *a = NULL, *e = NULL;

  if (raster_equal (actual, expected))
    return NULL;
  if (actual->width != expected->width || actual->height != expected->height)
    return g_strdup_printf ("%d x %d pixels, expected %d x %d", actual->width, actual->height,
                            expected->width, expected->height);
  for (gsize i = raster_bytes (actual); i-- > 0;)
    if (actual->pixels[i] != expected->pixels[i])
      {
        count++;
        first = i;
      }
  a = raster_values (actual);
  e = raster_values (expected);
  first /= fx_sample_size (actual->format.sample);
  return g_strdup_printf ("%" G_GSIZE_FORMAT " bytes differ, the first at %d,%d channel %d: %.9g, "
                          "expected %.9g",
                          count, (int) (first / actual->format.channels % actual->width),
                          (int) (first / actual->format.channels / actual->width),
                          (int) (first % actual->format.channels), a[first], e[first]);
}
