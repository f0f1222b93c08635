#include "scene.h"
#include "aperture.h"
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

/* Highlights. */

static double
get_threshold (const Scene *scene)
{
  return scene->params.light == FX_LIGHT_LINEAR ? reference_to_linear (scene->params.threshold)
                                                : scene->params.threshold;
}

static double
get_rate (const Scene *scene)
{
  return scene->params.highlights * G_LN2 / (1.0 - get_threshold (scene));
}

double
scene_get_range (const Scene *scene)
{
  const double t = get_threshold (scene), k = get_rate (scene);

  if (scene->params.highlights == 0.0 || t == 1.0)
    return 1.0;
  return t + expm1 (k * (1.0 - t)) / k;
}

double
scene_expand (const Scene *scene, double x)
{
  const double t = get_threshold (scene), k = get_rate (scene);

  if (scene->params.highlights == 0.0 || x <= t)
    return x;
  return x <= 1.0 ? t + expm1 (k * (x - t)) / k
                  : scene_get_range (scene) + exp2 (scene->params.highlights) * (x - 1.0);
}

double
scene_compress (const Scene *scene, double y)
{
  const double t = get_threshold (scene), k = get_rate (scene), top = scene_get_range (scene);

  if (scene->params.highlights == 0.0 || y <= t)
    return y;
  return y <= top ? t + log1p (k * (y - t)) / k : 1.0 + (y - top) / exp2 (scene->params.highlights);
}

/* The definition. */

typedef struct {
  const Scene *scene;
  int reach_x, reach_y;
  double *weights;
  double *planes; /* premultiplied, in the filter's light */
  double *values; /* as they are stored */
  double range;   /* the largest magnitude in the expanded source, at least f (1) */
} Definition;

static void
definition_init (Definition *d, const Scene *scene, gconstpointer source)
{
  const int channels = scene->format.channels, colors = channels - (channels % 2 == 0);
  const gsize n = (gsize) scene->width * scene->height * channels;

  *d = (Definition) { .scene = scene, .range = scene_get_range (scene) };
  lens_aperture_get_reach (&scene->params, scene->params.radius, &d->reach_x, &d->reach_y);
  d->weights = g_new (double, (2 * d->reach_x + 1) * (2 * d->reach_y + 1));
  lens_aperture_fill (&scene->params, scene->params.radius, d->weights);
  d->values = reference_decode_all (scene->format.sample, source, n);
  d->planes = g_memdup2 (d->values, n * sizeof *d->values);
  for (gsize i = 0; i < n; i++)
    if ((int) (i % channels) < colors)
      {
        const double light = scene_expand (scene, reference_into_light (&scene->format,
                                                                        scene->params.light,
                                                                        d->values[i]));

        d->range = MAX (d->range, fabs (light));
        d->planes[i] = channels % 2 ? light : light * d->values[i - i % channels + colors];
      }
}

static void
definition_clear (Definition *d)
{
  g_free (d->weights);
  g_free (d->planes);
  g_free (d->values);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Definition, definition_clear)

static double
get_plane (const Definition *d, int x, int y, int channel)
{
  const Scene *scene = d->scene;
  const FxAbyss abyss = scene->params.abyss;
  const int channels = scene->format.channels;
  const gboolean beyond = x < 0 || x >= scene->width || y < 0 || y >= scene->height;

  if (beyond && abyss != FX_ABYSS_CLAMP)
    {
      if (channels % 2 == 0 && channel == channels - 1)
        return abyss != FX_ABYSS_NONE;
      return abyss == FX_ABYSS_WHITE ? scene_get_range (scene) : 0.0;
    }
  x = CLAMP (x, 0, scene->width - 1);
  y = CLAMP (y, 0, scene->height - 1);
  return d->planes[((gsize) y * scene->width + x) * channels + channel];
}

/* Sets magnitude to the sum of the products' magnitudes. */
static double
get_sum (const Definition *d, int x, int y, int channel, double *magnitude)
{
  const double *weight = d->weights;
  double sum = 0.0;

  *magnitude = 0.0;
  for (int j = -d->reach_y; j <= d->reach_y; j++)
    for (int i = -d->reach_x; i <= d->reach_x; i++, weight++)
      if (*weight > 0.0)
        {
          const double product = *weight * get_plane (d, x - i, y - j, channel);

          sum += product;
          *magnitude += fabs (product);
        }
  return sum;
}

/* A sample of the result, and the least and the most that sums in single precision may give. */
typedef struct {
  double value, low, high;
} Sample;

static double
out_of_light (const Scene *scene, double light)
{
  return reference_out_of_light (&scene->format, scene->params.light,
                                 scene_compress (scene, light));
}

static double
get_epsilon (const Definition *d)
{
  const double taps = (2.0 * d->reach_x + 1.0) * (2.0 * d->reach_y + 1.0);

  return 0x1p-22 * (2.0 + sqrt (taps) / 8.0);
}

static void
expect_pixel (const Definition *d, int x, int y, Sample *pixel)
{
  const Scene *scene = d->scene;
  const int channels = scene->format.channels, colors = channels - (channels % 2 == 0);
  double alpha = 1.0, alpha_magnitude = 0.0;

  if (colors < channels)
    {
      alpha = get_sum (d, x, y, colors, &alpha_magnitude);
      pixel[colors] = (Sample) { alpha, alpha - get_epsilon (d), alpha + get_epsilon (d) };
    }
  for (int c = 0; c < colors; c++)
    {
      double magnitude, light = get_sum (d, x, y, c, &magnitude), error;

      light = alpha > 0.0 ? light / alpha : 0.0;
      error = alpha > 0.0
                ? get_epsilon (d) * (magnitude + fabs (light) * (alpha_magnitude + alpha)) / alpha
                : 0.0;
      pixel[c] = (Sample) { out_of_light (scene, light), out_of_light (scene, light - error),
                            out_of_light (scene, light + error) };
    }
}

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

  return sample == FX_SAMPLE_U16 ? bound * scene_get_range (d->scene) : bound;
}

/* weight is what the values are multiplied by: 1, or a small alpha. */
static gboolean
is_right (const Definition *d, const Sample *e, double got, double weight)
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
count_sample (const Definition *d, const Sample *e, double got, Count *count)
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
  Sample expected[FX_CHANNELS_MAX];

  expect_pixel (d, pixel % scene->width, pixel / scene->width, expected);
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
  work = (double) n * scene->format.channels * (2 * d.reach_x + 1) * (2 * d.reach_y + 1);
  if (! result)
    return;
  if (d.reach_x == 0 && d.reach_y == 0)
    {
      check_identity (scene, source, result);
      return;
    }
  for (gsize i = 0; i < n; i++)
    if (g_rand_double (rand) * work <= WORK_MAX && ! check_pixel (&d, result, i, &count))
      return;
  check_count (scene, &count);
}
