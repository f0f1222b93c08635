/* Infinities and NaN. */
#include "check.h"
#include "compare.h"
#include "reference.h"
#include "tested.h"
#include "trcs.h"

#define REACH_MOST  9.0 /* in sigmas, along each axis: no value of these reaches further */
#define REACH_LEAST 4.0 /* so far each does, or to the end of an explicit kernel */

/* A sample to set. A finite value the reference gets too. */
typedef struct {
  int x, y;
  int channel;
  double value;
} Poke;

/* The pokes that a sample of the result has in reach. */
typedef struct {
  gboolean plus, minus; /* NaN, and an alpha for its colours, count as both */
  gboolean near;        /* one of them is so near that it must show */
} Reached;

static double
get_reach (const Case *c, double sigma, double sigmas)
{
  const double reach = sigma < 0.2 ? 0.0 : sigmas * sigma;

  return c->params.kernel_size ? MIN (reach, reference_radius (sigma, c->params.kernel_size))
                               : reach;
}

static gboolean
is_within (const Case *c, double sigmas, int dx, int dy)
{
  return abs (dx) <= get_reach (c, c->params.sigma_x, sigmas) &&
         abs (dy) <= get_reach (c, c->params.sigma_y, sigmas);
}

/* in: the reference's source. Colour does not count in its transparent pixels. */
static Reached
get_reached (const Case *c, const double *in, const Poke *pokes, guint n, int x, int y, int channel)
{
  const int channels = c->format.channels;
  const int alpha = channels % 2 == 0 ? channels - 1 : -1;
  Reached reached = { 0 };

  for (guint i = 0; i < n; i++)
    {
      const Poke *p = &pokes[i];
      const double *pixel = in + ((gsize) p->y * c->width + p->x) * channels;
      const gboolean both = isnan (p->value) || p->channel != channel;

      if (isfinite (p->value) || (p->channel != channel && p->channel != alpha) ||
          ! is_within (c, REACH_MOST, x - p->x, y - p->y) ||
          (p->channel != alpha && alpha >= 0 && pixel[alpha] == 0.0))
        continue;
      reached.plus |= both || p->value > 0.0;
      reached.minus |= both || p->value < 0.0;
      reached.near |= is_within (c, REACH_LEAST, x - p->x, y - p->y);
    }
  return reached;
}

static gboolean
is_largest (FxSample sample, double value)
{
  return fabs (value) >= (sample == FX_SAMPLE_HALF ? 65504.0 : (double) G_MAXFLOAT);
}

/* Returns what is wrong with a sample, or NULL. v compares it with the value that it would have
 * without the pokes. */
static const char *
find_fault (const Case *c, const Reached *reached, const Verdict *v, double got)
{
  if (! reached->plus && ! reached->minus)
    return v->worst > 1.0 ? "out of reach" : NULL;
  if (isnan (got))
    return "not a number";
  if (is_largest (c->format.sample, got))
    return (got > 0.0 ? reached->plus : reached->minus) ? NULL : "the wrong sign";
  if (reached->near)
    return "within reach, yet finite";
  return v->worst > 1.0 ? "neither infinite nor exact" : NULL;
}

/* Compares every sample; stops at the first that is wrong. */
static void
check_poked (const Job *job, const double *in, const Poke *pokes, guint n)
{
  const Case *c = job->c;
  const FxSample sample = c->format.sample;
  const int channels = c->format.channels;
  g_autofree double *values = reference_blur (&c->params, &c->format, c->width, c->height,
                                              &job->region, in);
  const double range = case_get_range (c, in);

  for (gsize i = 0; i < (gsize) c->width * c->height * channels; i++)
    {
      const int channel = i % channels, x = i / channels % c->width, y = i / channels / c->width;
      const gsize last = i - channel + channels - 1;
      const gboolean color = channels % 2 == 0 && i != last;
      const Reached reached = get_reached (c, in, pokes, n, x, y, channel);
      const double got = reference_decode (sample, job->result, i);
      const char *fault;
      Verdict v = { .worst = 0.0 };

      compare_sample (&v, c, i, values[i], got, color ? values[last] : 1.0,
                      color ? reference_decode (sample, job->result, last) : 1.0, range);
      fault = find_fault (c, &reached, &v, got);
      if (fault)
        {
          case_fail (c,
                     "%s: %.9g, expected %.9g, at %d,%d channel %d; the first of %u is %g at "
                     "%d,%d channel %d",
                     fault, got, values[i], x, y, channel, n, pokes[0].value, pokes[0].x,
                     pokes[0].y, pokes[0].channel);
          return;
        }
    }
}

/* The reference gets the finite ones alone. */
static void
check_pokes (const Case *c, const Poke *pokes, guint n)
{
  g_auto (Job) job = { 0 };
  g_autofree double *in = NULL;
  g_autoptr (GError) error = NULL;

  job_init (&job, c);
  for (int finite = 1; finite >= 0; finite--)
    {
      for (guint i = 0; i < n; i++)
        if ((isfinite (pokes[i].value) != 0) == finite)
          reference_encode (c->format.sample, pokes[i].value, job.source,
                            ((gsize) pokes[i].y * c->width + pokes[i].x) * c->format.channels +
                              pokes[i].channel);
      if (finite)
        in = case_decode (c, job.source);
    }
  if (job_run (&job, tested_engine (), NULL, &error))
    check_poked (&job, in, pokes, n);
  else
    case_fail (c, "error: %s", error->message);
}

/* One after the other: alone, in a corner, with its opposite, in an alpha, under an alpha of 0, on
 * an otherwise transparent image, as NaN. */
static void
check_nonfinite (guint n, FxFormat format, FxLight light, const BlurParams *params, int width,
                 int height)
{
  const int x = width / 2, y = height / 2, last = format.channels - 1;
  const gboolean has_alpha = format.channels % 2 == 0;
  const struct {
    ImageKind kind;
    guint n;
    Poke pokes[3];
  } sets[] = {
    { IMAGE_RANDOM, 1, { { x, y, 0, INFINITY } } },
    { IMAGE_HDR, 1, { { width - 1, 0, 0, -INFINITY } } },
    { IMAGE_RANDOM,
      3,
      { { x, y, 0, INFINITY }, { x / 2, y / 2, 0, -INFINITY }, { 0, 0, 0, INFINITY } } },
    { IMAGE_HOLES, 2, { { x, y, 0, INFINITY }, { 0, y, 0, -INFINITY } } },
    { IMAGE_RANDOM, 1, { { x, y, 0, NAN } } },
    { IMAGE_DARK_EDGE, 1, { { x, y, last, INFINITY } } },
    { IMAGE_RANDOM, 2, { { x, y, last, 0.0 }, { x, y, 0, INFINITY } } },
    { IMAGE_ZERO, 2, { { x, y, last, 1.0 }, { x, y, 0, -INFINITY } } },
    { IMAGE_RANDOM, 1, { { x, y, last, NAN } } },
  };
  Case c = {
    .seed = g_test_rand_int (),
    .format = format,
    .width = width,
    .height = height,
    .params = *params,
  };

  n %= has_alpha ? G_N_ELEMENTS (sets) : 5;
  c.kind = sets[n].kind;
  c.params.abyss = n % 4;
  c.params.light = light;
  c.device = tested_device ();
  check_pokes (&c, sets[n].pokes, sets[n].n);
}

/* Every path of the blur: one FIR, two, an explicit kernel; stages along one axis and both, one to
 * three of them, with the fewest cells to a sigma, whose reach is the longest. */
TEST (test_nonfinite, "/blur/nonfinite/ways")
{
  static const struct {
    double sigma_x, sigma_y;
    int kernel_size, width, height;
  } shapes[] = {
    { 0.2, 0.2, 0, 23, 17 },   { 0.6, 2.0, 0, 41, 47 },    { 3.0, 0.0, 0, 67, 5 },
    { 2.0, 2.0, 7, 23, 29 },   { 1.0, 0.7, 255, 41, 31 },  { 4.0, 0.0, 9999, 91, 3 },
    { 20.0, 1.0, 61, 90, 31 }, { 5.3, 5.3, 0, 119, 131 },  { 8.0, 2.0, 0, 165, 41 },
    { 1.0, 12.0, 0, 31, 241 }, { 0.0, 42.4, 0, 3, 801 },   { 42.4, 0.0, 0, 801, 3 },
    { 64.0, 0.0, 0, 1201, 2 }, { 339.2, 0.0, 0, 6301, 1 }, { 5000.0, 5000.0, 0, 40, 30 },
  };
  static const struct {
    FxFormat format;
    FxLight light;
  } formats[] = {
    { { FX_SAMPLE_FLOAT, 4, TRUE }, FX_LIGHT_LINEAR },
    { { FX_SAMPLE_FLOAT, 1, FALSE }, FX_LIGHT_LINEAR },
    { { FX_SAMPLE_HALF, 4, FALSE }, FX_LIGHT_PERCEPTUAL },
    { { FX_SAMPLE_DOUBLE, 2, FALSE }, FX_LIGHT_LINEAR },
    { { FX_SAMPLE_FLOAT, 3, TRUE }, FX_LIGHT_PERCEPTUAL },
  };
  guint n = 0;

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      for (guint set = 0; set < 3; set++, n++)
        {
          const BlurParams params = { .sigma_x = shapes[s].sigma_x,
                                      .sigma_y = shapes[s].sigma_y,
                                      .kernel_size = shapes[s].kernel_size };

          check_nonfinite (n / 3 / G_N_ELEMENTS (formats) + f + 3 * set, formats[f].format,
                           formats[f].light, &params, shapes[s].width, shapes[s].height);
        }
}

/* Through curves that are not straight below 0, or not 0 there. */
TEST (test_curves, "/blur/curves/nonfinite")
{
  static const double sigmas[] = { 0.6, 2.0, 8.0 };
  guint n = 0;

  for (TrcName t = TRC_GAMMA_22; t < TRCS; t += 2)
    for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
      for (guint set = 0; set < 9; set++, n++)
        {
          const BlurParams params = { .sigma_x = sigmas[s], .sigma_y = 0.5 * sigmas[s] };
          const gboolean perceptual = n % 4 == 3;
          const FxFormat format = { n % 2 ? FX_SAMPLE_HALF : FX_SAMPLE_FLOAT, 1 + n % 4,
                                    ! perceptual, trcs[t] };

          check_nonfinite (set, format, perceptual ? FX_LIGHT_PERCEPTUAL : FX_LIGHT_LINEAR, &params,
                           165, 91);
        }
}

/* A burnt-out sun: one infinity, which takes a part of the picture and leaves the rest. */
TEST (test_sun, "/blur/nonfinite/sun")
{
  const Case c = {
    .seed = g_test_rand_int (),
    .kind = IMAGE_RANDOM,
    .format = { FX_SAMPLE_FLOAT, 1, FALSE },
    .width = 600,
    .height = 600,
    .params = { .sigma_x = 60.0, .sigma_y = 60.0 },
    .device = tested_device (),
  };
  const Poke poke = { 20, 30, 0, INFINITY };

  check_pokes (&c, &poke, 1);
}
