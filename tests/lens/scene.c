#include "scene.h"
#include "aperture.h"
#include "correlation.h"
#include "fingerprint.h"
#include "memory.h"
#include "reference.h"
#include "tested.h"

#include <stdarg.h>

#define WORK_MAX 2e7 /* products of the definition */
#define SHOWN    10

/* The picture. */

static double
get_alpha (const Scene *scene, gsize pixel, double u)
{
  static const double faint[] = { 0.0, 0.0, 0.0, 0.004, 0.02 };
  const int x = pixel % scene->width;

  if (! scene->faint)
    return 0.1 + 0.9 * u;
  return 2 * x > scene->width ? 1.0 : faint[(int) (4.999 * u)];
}

/* Some pixels are white, most are dark. */
static double
get_color (const Scene *scene, double u)
{
  if (scene->hdr)
    return u < 0.1 ? -20.0 * u : u > 0.97 ? 8.0 : u;
  return u > 0.97 ? 1.0 : u * u;
}

gpointer
scene_make_picture (const Scene *scene)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (scene->seed);
  const int channels = scene->format.channels;
  const gsize n = (gsize) scene->width * scene->height * channels;
  gpointer samples = g_malloc (n * fx_sample_size (scene->format.sample));

  for (gsize i = 0; i < n; i++)
    {
      const double u = g_rand_double (rand);
      const gboolean alpha = channels % 2 == 0 && i % channels == (gsize) channels - 1;

      reference_encode (scene->format.sample,
                        alpha ? get_alpha (scene, i / channels, u) : get_color (scene, u), samples,
                        i);
    }
  return samples;
}

/* The definition: the sum of a convolution whose matrix is the aperture upside down and
 * mirrored. */

typedef struct {
  const Scene *scene;
  CorrelationHighlights highlights;
  ConvolveParams matrix;
  double *values; /* of that */
  CorrelationSums *sums;
  double top, range; /* f (1); the largest magnitude in the expanded source, at least f (1) */
  double steep;      /* what the bounds are multiplied by, as f magnifies errors below white */
} Definition;

static void
make_matrix (const LensParams *params, Definition *d)
{
  int x, y, n;

  lens_aperture_get_reach (params, params->radius, &x, &y);
  n = (2 * x + 1) * (2 * y + 1);
  d->values = g_new (double, n);
  lens_aperture_fill (params, params->radius, d->values);
  for (int i = 0; i < n / 2; i++)
    {
      const double value = d->values[i];

      d->values[i] = d->values[n - 1 - i];
      d->values[n - 1 - i] = value;
    }
  d->matrix = (ConvolveParams) { .rows = 2 * y + 1,
                                 .columns = 2 * x + 1,
                                 .values = d->values,
                                 .divisor = 1.0,
                                 .channels = CONVOLVE_CHANNELS_ALL,
                                 .alpha = CONVOLVE_ALPHA_PREMULTIPLIED,
                                 .abyss = params->abyss,
                                 .light = params->light };
}

static void
definition_init (Definition *d, const Scene *scene, gconstpointer source)
{
  const LensParams *params = &scene->params;
  const int channels = scene->format.channels, colors = channels - (channels % 2 == 0);
  const gsize n = (gsize) scene->width * scene->height * channels;
  g_autofree double *samples = reference_decode_all (scene->format.sample, source, n);

  *d = (Definition) { .scene = scene, .highlights.stops = params->highlights };
  d->highlights.threshold = MIN (params->threshold, 254.0 / 255.0);
  if (params->light == FX_LIGHT_LINEAR)
    d->highlights.threshold = reference_to_linear (d->highlights.threshold);
  d->steep = 1.0;
  d->top = d->range = correlation_expand (&d->highlights, 1.0);
  if (params->highlights > 0.0)
    d->steep = MAX (1.0,
                    0.03 * (1.0 + 2.0 * (d->top - 1.0) / (1.0 - d->highlights.threshold)) / d->top);
  make_matrix (params, d);
  d->sums = correlation_sums_new (&d->matrix, &scene->format, scene->width, scene->height,
                                  &d->highlights, samples);
  for (gsize i = 0; i < n; i += channels)
    {
      for (int c = 0; c < colors; c++)
        samples[i + c] = reference_into_light (&scene->format, params->light, samples[i + c]);
      correlation_expand_pixel (&d->highlights, samples + i, colors);
      for (int c = 0; c < colors; c++)
        d->range = MAX (d->range, fabs (samples[i + c]));
    }
}

static void
definition_clear (Definition *d)
{
  correlation_sums_free (d->sums);
  g_free (d->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Definition, definition_clear)

/* The contract. */

void
scene_fail (const Scene *scene, const char *format, ...)
{
  static int shown;
  const LensParams *p = &scene->params;
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  if (shown++ < SHOWN)
    g_test_message ("MISMATCH: %s\n  seed %u, hdr %d, faint %d, sample %d, %d channels, gamma %d, "
                    "%dx%d, radius %g, %d blades, rotation %g, roundness %g, ring %g, squeeze %g, "
                    "highlights %g, threshold %g, abyss %d, light %d",
                    what, scene->seed, scene->hdr, scene->faint, scene->format.sample,
                    scene->format.channels, scene->format.gamma, scene->width, scene->height,
                    p->radius, p->blades, p->rotation, p->roundness, p->ring, p->squeeze,
                    p->highlights, p->threshold, p->abyss, p->light);
  g_test_fail ();
}

static double
get_bound (const Definition *d, double value)
{
  const FxSample sample = d->scene->format.sample;
  const double bound = reference_get_bound (sample, value, d->range) * (1.0 + 1e-9);

  if (sample == FX_SAMPLE_U8)
    return bound;
  return d->steep * (sample == FX_SAMPLE_U16 ? bound * d->top : bound);
}

/* weight is what the values are multiplied by: 1, or a small alpha. */
static gboolean
is_right (const Definition *d, const Correlation *e, double got, double weight)
{
  const gboolean integer = d->scene->format.sample <= FX_SAMPLE_U32;
  const double low = integer ? CLAMP (e->low, 0.0, 1.0) : e->low;
  const double high = integer ? CLAMP (e->high, 0.0, 1.0) : e->high;
  const double bound = get_bound (d, e->value) / weight;

  return got >= low - bound && got <= high + bound; /* not NaN */
}

/* How many samples of integers were counted, and were rounded right. */
typedef struct {
  int counted, equal;
} Count;

static void
count_sample (const Definition *d, const Correlation *e, double got, Count *count)
{
  const FxSample sample = d->scene->format.sample;
  const double levels = sample == FX_SAMPLE_U8 ? 255.0 : 65535.0;

  if (sample > FX_SAMPLE_U16 || (e->high - e->low) * levels > 0.1)
    return;
  count->counted++;
  count->equal += fabs (got - CLAMP (e->value, 0.0, 1.0)) * levels <= 0.5 + 0.05;
}

static gboolean
check_pixel (const Definition *d, gconstpointer result, gsize pixel, Count *count)
{
  const Scene *scene = d->scene;
  const int channels = scene->format.channels;
  const gboolean has_alpha = channels % 2 == 0;
  Correlation expected[FX_CHANNELS_MAX];

  correlation_sums_get (d->sums, (int) (pixel % scene->width), (int) (pixel / scene->width),
                        expected);
  for (int c = 0; c < channels; c++)
    {
      const double alpha = has_alpha && c < channels - 1 ? expected[channels - 1].value : 1.0;
      const double got = reference_decode (scene->format.sample, result, pixel * channels + c);

      if (alpha > 0.0 && ! is_right (d, &expected[c], got, alpha < 8.0 / 255.0 ? alpha : 1.0))
        {
          scene_fail (scene,
                      "%.9g at pixel %" G_GSIZE_FORMAT ", channel %d, expected %.9g (%.9g "
                      "to %.9g), alpha %g",
                      got, pixel, c, expected[c].value, expected[c].low, expected[c].high, alpha);
          return FALSE;
        }
      if (alpha >= 8.0 / 255.0)
        count_sample (d, &expected[c], got, count);
    }
  return TRUE;
}

static void
check_count (const Scene *scene, const Count *count)
{
  const double share = scene->format.sample == FX_SAMPLE_U8 ? 0.99
                       : scene->params.highlights > 0.0     ? 0.0
                                                            : 0.5;

  if (count->counted >= 300 && count->equal < share * count->counted)
    scene_fail (scene, "only %d of %d samples equal", count->equal, count->counted);
}

static void
check_identity (const Scene *scene, gconstpointer source, gconstpointer result)
{
  const gsize size = (gsize) scene->width * scene->height * fx_format_size (&scene->format);

  if (memcmp (source, result, size) != 0)
    scene_fail (scene, "not as it was");
}

gpointer
scene_run (const Scene *scene, gconstpointer source)
{
  const gsize size = (gsize) scene->width * scene->height * fx_format_size (&scene->format);
  g_autofree guint8 *result = g_malloc0 (size);
  const Memory memory = { source, result, scene->width, scene->height, scene->format };
  const FxImage image = memory_get_image (&memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = lens_plan_new (&scene->params, &scene->format, &error);

  if (! plan || ! fx_engine_run (tested_engine (), plan, scene->device, &image, NULL, &error))
    {
      scene_fail (scene, "error: %s", error->message);
      return NULL;
    }
  fingerprint_add (result, size);
  return g_steal_pointer (&result);
}

void
scene_check (const Scene *scene)
{
  g_autofree gpointer source = scene_make_picture (scene);
  g_autofree gpointer result = scene_run (scene, source);
  g_auto (Definition) d;
  g_autoptr (GRand) rand = g_rand_new_with_seed (scene->seed);
  const gsize n = (gsize) scene->width * scene->height;
  Count count = { 0 };
  double work;

  definition_init (&d, scene, source);
  work = (double) n * scene->format.channels * d.matrix.columns * d.matrix.rows;
  if (! result)
    return;
  if (d.matrix.columns == 1 && d.matrix.rows == 1)
    {
      check_identity (scene, source, result);
      return;
    }
  for (gsize i = 0; i < n; i++)
    if (g_rand_double (rand) * work <= WORK_MAX && ! check_pixel (&d, result, i, &count))
      return;
  check_count (scene, &count);
}
