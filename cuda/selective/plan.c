#include "error.h"
#include "light-codes.h"
#include "selective-plan.h"

#include <math.h>

/* Nanoseconds on one CPU thread: a pixel of the window, of a sample of the result; and the rest of
 * a sample. */
#define HARD_COST   0.1
#define SOFT_COST   0.13
#define SAMPLE_COST 4.0

#define DELTA_MIN 1e-7 /* of Soft: nothing less shows in single precision */

static const FxFilter filter;

static void
set_weights (SelectiveWindow *window, double sigma)
{
  double sum = 0.0;

  for (int i = -window->radius; i <= window->radius; i++)
    sum += exp (-0.5 * pow (i / sigma, 2.0));
  for (int i = 0; i <= window->radius; i++)
    window->weights[i] = (float) (exp (-0.5 * pow (i / sigma, 2.0)) / sum);
}

/* Sets what is compared, and whether that is averaged, too. */
static void
set_compared (SelectivePlan *plan)
{
  const FxFormat *format = &plan->base.codec.format;
  gboolean hard = plan->params.edges == SELECTIVE_HARD;

  plan->compared = ! hard                                   ? SELECTIVE_VALUES
                   : plan->params.coverage || format->gamma ? SELECTIVE_STORED
                                                            : SELECTIVE_CODES;
  plan->compares_others = plan->base.codec.curve != plan->perceptual.curve ||
                          plan->compared == SELECTIVE_CODES ||
                          (hard && format->sample == FX_SAMPLE_U32);
}

static void
set_window (SelectivePlan *plan)
{
  const SelectiveParams *params = &plan->params;
  double maximum = fx_sample_get_maximum (plan->base.codec.format.sample);
  SelectiveWindow *window = &plan->window;

  window->radius = params->radius;
  window->scale = window->unscale = 1.0f;
  set_weights (window, params->sigma);
  if (plan->compared == SELECTIVE_CODES)
    window->delta = (float) floor (params->delta * FX_LIGHT_CODES_WHITE);
  else if (plan->compared == SELECTIVE_STORED && maximum > 0.0)
    {
      window->delta_u32 = (guint32) floor (params->delta * maximum);
      window->delta = (float) window->delta_u32;
      window->unscale = (float) (1.0 / maximum);
    }
  else if (plan->compared == SELECTIVE_STORED)
    window->delta = (float) params->delta;
  else
    {
      window->scale = (float) (sqrt (0.5 * M_LOG2E) / params->delta);
      window->unscale = (float) (params->delta / sqrt (0.5 * M_LOG2E));
    }
}

static gboolean
changes_nothing (const SelectiveParams *params)
{
  return params->sigma == 0.0 || params->radius == 0 ||
         (params->edges == SELECTIVE_SOFT && params->delta < DELTA_MIN);
}

static SelectivePlan *
selective_plan_make_plan (const SelectiveParams *params, const FxFormat *format)
{
  SelectivePlan *plan = g_new0 (SelectivePlan, 1);
  FxCodec codec = fx_codec_new (format, params->coverage ? FX_LIGHT_LINEAR : params->light);
  int radius = params->radius;
  double side = 2.0 * radius + 1.0;

  codec.alpha = FX_ALPHA_STRAIGHT;
  fx_plan_init (&plan->base, &filter, &codec, params->abyss);
  plan->base.cpu_cost = SAMPLE_COST +
                        side * side * (params->edges == SELECTIVE_HARD ? HARD_COST : SOFT_COST);
  plan->base.cpu_path = &selective_cpu_path;
  plan->base.gpu_path = FX_GPU_PATH (selective_gpu_path);
  plan->params = *params;
  plan->perceptual = fx_codec_new (format,
                                   params->coverage ? FX_LIGHT_LINEAR : FX_LIGHT_PERCEPTUAL);
  plan->perceptual.alpha = FX_ALPHA_STRAIGHT;
  plan->base.identity = changes_nothing (params);
  if (plan->base.identity)
    return plan;
  plan->base.reach = (FxReach) { radius, radius, radius, radius };
  set_compared (plan);
  set_window (plan);
  return plan;
}

FxPlan *
selective_plan_new (const SelectiveParams *params, const FxFormat *format, GError **error)
{
  SelectivePlan *plan;

  if (! selective_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  plan = selective_plan_make_plan (params, format);
  if (plan->base.identity || plan->compared != SELECTIVE_CODES ||
      (plan->lights = fx_light_codes_get (&format->trc, error)))
    return &plan->base;
  fx_plan_free (&plan->base);
  return NULL;
}

/* The filter. */

static FxPlan *
selective_plan_get_draft (const FxPlan *base, int level)
{
  const SelectivePlan *plan = (const SelectivePlan *) base;
  SelectiveParams params = plan->params;
  SelectivePlan *draft;

  params.sigma = ldexp (params.sigma, -level);
  params.radius = (int) ceil (ldexp (params.radius, -level));
  draft = selective_plan_make_plan (&params, &base->codec.format);
  if (plan->lights) /* they are there already */
    draft->lights = fx_light_codes_get (&base->codec.format.trc, NULL);
  return &draft->base;
}

static void
selective_plan_free (FxPlan *base)
{
  fx_light_codes_free (((SelectivePlan *) base)->lights);
  g_free (base);
}

static const FxFilter filter = {
  .name = "selective",
  .free = selective_plan_free,
  .get_draft = selective_plan_get_draft,
};
