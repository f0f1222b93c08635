#include "error.h"
#include "light-codes.h"
#include "median-plan.h"

static const FxFilter filter;

static int
get_chord (MedianNeighborhood neighborhood, int radius, int j)
{
  switch (neighborhood)
    {
    case MEDIAN_SQUARE:
      return radius;
    case MEDIAN_CIRCLE:
      return (int) sqrt ((radius + 0.5) * (radius + 0.5) - j * j);
    default:
      return radius - j;
    }
}

static void
set_window (MedianWindow *window, const MedianParams *params)
{
  gboolean turned = params->radius < 0;

  window->radius = ABS (params->radius);
  window->size = 0;
  for (int j = 0; j <= window->radius; j++)
    {
      window->chords[j] = (short) get_chord (params->neighborhood, window->radius, j);
      window->size += (j == 0 ? 1 : 2) * (2 * window->chords[j] + 1);
    }
  window->percentile = params->percentile / 100.0;
  window->alpha_percentile = params->alpha_percentile / 100.0;
  if (turned)
    {
      window->percentile = 1.0 - window->percentile;
      window->alpha_percentile = 1.0 - window->alpha_percentile;
    }
  window->color_rank = median_get_rank (window->percentile, window->size);
  window->alpha_rank = median_get_rank (window->alpha_percentile, window->size);
}

/* Returns nanoseconds on one CPU thread for a sample of the result: of a small window for each of
 * its pixels, otherwise for each that enters or leaves, of which a window's side has so many. */
static double
get_cpu_cost (const MedianWindow *window, FxSample sample)
{
  double side = 2.0 * window->radius + 1.0;

  if (sample == FX_SAMPLE_U8)
    return window->size <= MEDIAN_SMALL_MAX ? 4.0 + 0.07 * window->size : 22.0 + 1.0 * side;
  return fx_sample_size (sample) == 2 ? 45.0 + 1.9 * side : 75.0 + 2.5 * side;
}

/* Returns the same of what takes a GPU as long, which goes through the window for each digit of
 * wider samples; 0: its cost is in proportion. */
static double
get_gpu_cost (const MedianWindow *window, FxSample sample)
{
  gsize bytes = fx_sample_size (sample);

  return bytes > 1 ? 0.45 * bytes * window->size : 0.0;
}

/* Sets what the threshold compares, and the largest difference that is kept. */
static void
set_compared (MedianPlan *plan)
{
  const FxFormat *format = &plan->base.codec.format;
  double threshold = plan->params.threshold, maximum = fx_sample_get_maximum (format->sample);

  plan->compared = threshold == 0.0                         ? MEDIAN_NOTHING
                   : plan->params.coverage || format->gamma ? MEDIAN_STORED
                                                            : MEDIAN_CODES;
  if (plan->compared == MEDIAN_CODES)
    maximum = FX_LIGHT_CODES_WHITE;
  plan->window.delta_u32 = (unsigned) floor (threshold * maximum);
  plan->window.delta = (float) threshold;
}

static MedianPlan *
median_plan_make_plan (const MedianParams *params, const FxFormat *format)
{
  MedianPlan *plan = g_new0 (MedianPlan, 1);
  FxCodec codec = fx_codec_new (format, FX_LIGHT_LINEAR);
  int radius = ABS (params->radius);

  codec.curve = FX_CURVE_NONE; /* samples stay as they are stored */
  codec.alpha = FX_ALPHA_STRAIGHT;
  fx_plan_init (&plan->base, &filter, &codec, params->abyss);
  plan->base.cpu_path = &median_cpu_path;
  plan->base.gpu_path = FX_GPU_PATH (median_gpu_path);
  plan->params = *params;
  plan->base.identity = radius == 0;
  if (plan->base.identity)
    return plan;
  plan->base.reach = (FxReach) { radius, radius, radius, radius };
  set_window (&plan->window, params);
  plan->base.cpu_cost = get_cpu_cost (&plan->window, format->sample);
  plan->base.gpu_cost = get_gpu_cost (&plan->window, format->sample);
  set_compared (plan);
  return plan;
}

FxPlan *
median_plan_new (const MedianParams *params, const FxFormat *format, GError **error)
{
  MedianPlan *plan;

  if (! median_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  plan = median_plan_make_plan (params, format);
  if (plan->compared != MEDIAN_CODES || (plan->lights = fx_light_codes_get (&format->trc, error)))
    return &plan->base;
  fx_plan_free (&plan->base);
  return NULL;
}

/* The filter. */

static FxPlan *
median_plan_get_draft (const FxPlan *base, int level)
{
  const MedianPlan *plan = (const MedianPlan *) base;
  MedianParams params = plan->params;
  int radius = (int) ceil (ldexp (ABS (params.radius), -level));
  MedianPlan *draft;

  params.radius = params.radius < 0 ? -radius : radius;
  draft = median_plan_make_plan (&params, &base->codec.format);
  if (plan->lights) /* they are there already */
    draft->lights = fx_light_codes_get (&base->codec.format.trc, NULL);
  return &draft->base;
}

static void
median_plan_free (FxPlan *base)
{
  fx_light_codes_free (((MedianPlan *) base)->lights);
  g_free (base);
}

static const FxFilter filter = {
  .name = "median",
  .free = median_plan_free,
  .get_draft = median_plan_get_draft,
};
