#include "convolve-plan.h"

#include "convolve-gpu.h"
#include "error.h"
#include "vector.h"

#include <math.h>
#include <string.h>

/* Relative to the sum of the weights' magnitudes: the least sum of alpha that colour is divided by
 * after a transform in double precision. The division magnifies the errors of both sums: each has a
 * standard deviation of up to 7e-16 (gpu-fft-error.c), 4.5 deviations of the two together are
 * 4e-15, and colour may be off by 1e-5 where the curve is steepest, with a slope of 12.92. */
#define LEAST_ALPHA 6e-9

static const FxFilter filter;
static FxPlan *get_owned_draft (const FxPlan *base, int level);

/* Channels. */

static guint
get_alpha_bit (const FxFormat *format)
{
  return fx_format_has_alpha (format) ? 1u << (format->channels - 1) : 0;
}

/* Returns the bits of the channels that are written; bit 0 is the format's first channel. */
static guint
get_written (const ConvolveParams *params, double sum, const FxFormat *format)
{
  guint alpha = get_alpha_bit (format), all = (1u << format->channels) - 1;
  guint written = params->channels & ~CONVOLVE_ALPHA;

  if (params->channels == 0)
    return sum != 0.0 ? all : all & ~alpha;
  if (format->channels <= 2)
    written = written != 0;
  return params->channels & CONVOLVE_ALPHA ? written | alpha : written;
}

static FxAlpha
get_alpha (const ConvolveParams *params, double sum)
{
  gboolean straight = params->alpha == CONVOLVE_ALPHA_AUTOMATIC
                        ? sum == 0.0
                        : params->alpha == CONVOLVE_ALPHA_STRAIGHT;

  return straight ? FX_ALPHA_STRAIGHT : FX_ALPHA_PREMULTIPLIED;
}

/* Alpha. */

FX_VECTORISED static gboolean
has_both_signs (const double *values, int n)
{
  int above = 0, below = 0, i;

  for (i = 0; i < n; i++)
    {
      above |= values[i] > 0.0;
      below |= values[i] < 0.0;
    }
  return above && below;
}

/* |v| / sum |v|. Returns FALSE if memory runs out. */
static gboolean
make_weights (ConvolvePlan *plan)
{
  const ConvolveParams *params = &plan->params;
  int n = params->rows * params->columns, i;
  g_autofree double *values = g_try_new (double, n);
  double sum = 0.0;

  if (! values)
    return FALSE;
  for (i = 0; i < n; i++)
    sum += values[i] = fabs (params->values[i]);
  plan->alpha_matrix = g_new0 (ConvolveMatrix, 1);
  return convolve_matrix_init (plan->alpha_matrix, values, params->rows, params->columns, sum);
}

/* Returns FALSE if memory runs out. */
static gboolean
init_weighing (ConvolvePlan *plan, double sum, double divisor)
{
  const ConvolveParams *params = &plan->params;

  plan->divides_by_alpha = fx_format_has_alpha (&plan->base.codec.format) &&
                           plan->base.codec.alpha == FX_ALPHA_PREMULTIPLIED;
  plan->gain = 1.0f;
  if (! plan->divides_by_alpha)
    return TRUE;
  if (! (plan->written & get_alpha_bit (&plan->base.codec.format)) &&
      has_both_signs (params->values, params->rows * params->columns))
    return make_weights (plan);
  if (sum != 0.0)
    plan->gain = (float) (sum / divisor);
  return TRUE;
}

/* The strategy. */

static float
get_least_alpha (const ConvolvePlan *plan)
{
  const ConvolveMatrix *alpha = plan->alpha_matrix ? plan->alpha_matrix : &plan->matrix;

  return plan->divides_by_alpha ? (float) (LEAST_ALPHA * alpha->magnitude) : 0.0f;
}

static const FxGpuPath *
get_gpu_path (ConvolvePath path)
{
  switch (path)
    {
    case CONVOLVE_PATH_FFT:
      return FX_GPU_PATH (convolve_gpu_fft);
    case CONVOLVE_PATH_PRODUCTS:
      return FX_GPU_PATH (convolve_gpu_products);
    default:
      return FX_GPU_PATH (convolve_gpu_direct);
    }
}

void
convolve_plan_choose (ConvolvePlan *plan, const ConvolveChoice *choice)
{
  plan->choice = *choice;
  plan->strategy = (ConvolveStrategy) {
    .large = convolve_matrix_is_large (&plan->matrix),
    .least_alpha = get_least_alpha (plan),
  };
  convolve_strategy_decide_cpu (plan);
  convolve_strategy_decide_gpu (plan);
  plan->base.cpu_path = &convolve_cpu_path;
  plan->base.gpu_path = get_gpu_path (plan->strategy.gpu.path);
}

/* The plan. */

static void
init_reach (ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;

  plan->base.reach = (FxReach) {
    .left = MAX (-matrix->left, 0),
    .right = MAX (matrix->left + matrix->columns - 1, 0),
    .above = MAX (-matrix->top, 0),
    .below = MAX (matrix->top + matrix->rows - 1, 0),
    .worthwhile_rows = convolve_matrix_is_large (matrix) ? matrix->rows : 0, /* transforms */
  };
}

/* Returns whether the plan writes no channel, or has a single weight of 1 in the centre and no
 * offset. Computing premultiplied colour would lose the colour under an alpha of 0; an identity
 * plan preserves it. */
static gboolean
is_identity (const ConvolvePlan *plan)
{
  const ConvolveMatrix *matrix = &plan->matrix;
  gboolean one = matrix->rows == 1 && matrix->columns == 1 && matrix->top == 0 &&
                 matrix->left == 0 && matrix->weights[0] == 1.0f;

  return plan->written == 0 || (one && plan->params.offset == 0.0);
}

/* Makes the plan another filter's. */
static void
set_owner (ConvolvePlan *plan, const ConvolveOwner *owner)
{
  plan->owner = *owner;
  plan->owner.params = g_memdup2 (owner->params, owner->size);
  plan->owned = filter;
  plan->owned.name = owner->name;
  plan->owned.get_draft = get_owned_draft;
  plan->base.filter = &plan->owned;
}

/* Copies the parameters. Returns FALSE if memory runs out. */
static gboolean
init_params (ConvolvePlan *plan, const ConvolveParams *params)
{
  gsize size = sizeof *params->values * params->rows * params->columns;
  gpointer values = g_try_malloc (size);

  plan->params = *params;
  plan->params.values = values;
  if (values)
    memcpy (values, params->values, size);
  return values != NULL;
}

/* owner is NULL for the convolution itself. Returns NULL with error if memory runs out. */
static FxPlan *
make_plan (const ConvolveOwner *owner, const ConvolveParams *params, const FxFormat *format,
           GError **error)
{
  ConvolvePlan *plan = g_new0 (ConvolvePlan, 1);
  double sum = convolve_params_get_sum (params);
  double divisor = params->divisor != 0.0 ? params->divisor : sum != 0.0 ? sum : 1.0;
  FxCodec codec = fx_codec_new (format, params->light);

  codec.alpha = get_alpha (params, sum);
  if (owner)
    fx_codec_set_highlights (&codec, params->light, owner->stops, owner->threshold);
  fx_plan_init (&plan->base, &filter, &codec, params->abyss);
  plan->written = get_written (params, sum, format);
  if (! init_params (plan, params) ||
      ! convolve_matrix_init (&plan->matrix, params->values, params->rows, params->columns,
                              divisor) ||
      ! init_weighing (plan, sum, divisor))
    {
      fx_plan_free (&plan->base);
      fx_set_no_memory (error);
      return NULL;
    }
  convolve_plan_init_offset (plan, divisor);
  init_reach (plan);
  plan->base.identity = is_identity (plan);
  if (owner)
    set_owner (plan, owner);
  convolve_plan_choose (plan, &plan->choice);
  return &plan->base;
}

FxPlan *
convolve_plan_new (const ConvolveParams *params, const FxFormat *format, GError **error)
{
  return convolve_plan_new_for (NULL, params, format, error);
}

FxPlan *
convolve_plan_new_for (const ConvolveOwner *owner, const ConvolveParams *params,
                       const FxFormat *format, GError **error)
{
  if (! convolve_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  return make_plan (owner, params, format, error);
}

void
convolve_params_get_facts (const ConvolveParams *params, const FxPlan *base, ConvolveFacts *facts)
{
  const ConvolvePlan *plan = convolve_plan_get (base);

  *facts = (ConvolveFacts) { .sum = convolve_params_get_sum (params) };
  if (! base)
    return;
  facts->taps = plan->matrix.taps;
  facts->cpu_passes = plan->strategy.cpu.products;
  facts->gpu_passes = plan->strategy.gpu.products;
  facts->cpu_fft = plan->strategy.cpu.path == CONVOLVE_PATH_FFT;
  facts->gpu_fft = ! base->cpu_only && plan->strategy.gpu.path == CONVOLVE_PATH_FFT;
}

/* The filter. */

static void
free_plan (FxPlan *base)
{
  ConvolvePlan *plan = (ConvolvePlan *) base;

  convolve_matrix_clear (&plan->matrix);
  if (plan->alpha_matrix)
    convolve_matrix_clear (plan->alpha_matrix);
  g_free (plan->alpha_matrix);
  g_free ((gpointer) plan->params.values);
  g_free ((gpointer) plan->owner.params);
  g_free (plan->specialised.retval);
  g_free (plan);
}

/* Distributes each value bilinearly over the pixels of an image that is scaled down by 2^level. */
static void
spread (const ConvolveParams *params, int level, int size, double *values)
{
  const double *next = params->values, scale = ldexp (1.0, -level);

  for (int j = 0; j < params->rows; j++)
    {
      double y = (j - params->rows / 2) * scale + size / 2;
      double below = y - (int) y, *row = values + (int) y * size;

      for (int i = 0; i < params->columns; i++)
        {
          double x = (i - params->columns / 2) * scale + size / 2;
          double right = x - (int) x, value = *next++, *to = row + (int) x;

          to[0] += (1.0 - below) * (1.0 - right) * value;
          to[1] += (1.0 - below) * right * value;
          to[size] += below * (1.0 - right) * value;
          to[size + 1] += below * right * value;
        }
    }
}

/* The divisor and the sum are unchanged. */
static FxPlan *
get_draft (const FxPlan *base, int level)
{
  const ConvolvePlan *plan = convolve_plan_get (base);
  ConvolveParams params = plan->params;
  int half = (MAX (params.rows, params.columns) / 2 >> level) + 2;
  g_autofree double *values = g_try_new0 (double, (2 * half + 1) * (2 * half + 1));

  if (! values)
    return NULL;
  spread (&plan->params, level, 2 * half + 1, values);
  params.divisor = convolve_params_get_divisor (&plan->params);
  params.rows = params.columns = 2 * half + 1;
  params.values = values;
  return make_plan (NULL, &params, &base->codec.format, NULL);
}

static FxPlan *
get_owned_draft (const FxPlan *base, int level)
{
  const ConvolveOwner *owner = &convolve_plan_get (base)->owner;

  return owner->get_draft (owner->params, &base->codec.format, level);
}

static const FxFilter filter = {
  .name = "convolve",
  .free = free_plan,
  .get_draft = get_draft,
};
