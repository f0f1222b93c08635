/* Plans of the blur: whatever the parameters and the format, there is one or an error; its weights
 * are a Gaussian's, and it cuts any image into strips that lie within it. */
#include "blur-plan.h"
#include "plans.h"

#include <math.h>

#define REACH_MAX 45000 /* 9 sigma */

/* One byte says whether the value is put in range; otherwise hardly any would be. */
static double
take_sigma (FuzzInput *input)
{
  return fuzz_take_byte (input) % 4 ? fabs (fuzz_take_int (input) / 429496.0)
                                    : fuzz_take_double (input);
}

static void
take_params (FuzzInput *input, BlurParams *params)
{
  guint8 choices = fuzz_take_byte (input);

  params->sigma_x = take_sigma (input);
  params->sigma_y = choices & 64 ? params->sigma_x : take_sigma (input);
  params->kernel_size = choices & 32   ? fuzz_take_int (input)
                        : choices & 16 ? 0
                                       : fuzz_take_short (input);
  params->abyss = (FxAbyss) (choices & 3);
  params->light = (FxLight) (choices >> 2 & 1);
  if (choices & 128)
    {
      params->abyss = (FxAbyss) fuzz_take_int (input);
      params->light = (FxLight) fuzz_take_int (input);
    }
}

static void
check_weights (const BlurAxis *axis)
{
  double sum = axis->weights[0];

  g_assert_true (axis->radius >= 0 && axis->n_stages >= 0 && axis->n_stages <= BLUR_STAGES_MAX);
  for (int k = 1; k <= axis->radius; k++)
    sum += 2.0 * axis->weights[k];
  g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-4);
}

static void
check_axis (const BlurAxis *axis)
{
  check_weights (axis);
  g_assert_cmpint (axis->n_stages > 0, <=, axis->reach > 0);
  for (int i = 0; i < axis->n_stages; i++)
    {
      const BlurStage *stage = &axis->stages[i];

      g_assert_true (stage->factor >= 2 && stage->factor <= BLUR_FACTOR_MAX);
      g_assert_cmpint (stage->radius, ==, BLUR_ORDER / 2 * (stage->factor - 1));
      g_assert_true (isfinite (stage->decimate[0]) && isfinite (stage->interpolate[0]));
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  BlurParams params;
  FxFormat format;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;
  int x, y;

  take_params (&input, &params);
  plans_take_format (&input, &format);
  plan = blur_plan_new (&params, &format, &error);
  if (! plans_check_made (plan, blur_params_check (&params, NULL), &format, error))
    return 0;
  blur_params_get_growth (&params, &x, &y);
  g_assert_true (x >= 0 && x <= 4 * BLUR_SIGMA_MAX && y >= 0 && y <= 4 * BLUR_SIGMA_MAX);
  check_axis (blur_plan_get (plan)->x);
  check_axis (blur_plan_get (plan)->y);
  check_axis (blur_plan_get (plan)->cpu_x);
  check_axis (blur_plan_get (plan)->cpu_y);
  plans_check (plan, REACH_MAX, &input);
  return 0;
}
