/* Plans of the median blur: whatever the parameters and the format, there is one or an error; it,
 * and a draft of it, cut any image into strips that lie within it. */
#include "median.h"
#include "plans.h"

static void
take_params (FuzzInput *input, MedianParams *params)
{
  const guint8 choices = fuzz_take_byte (input);

  params->radius = choices & 64 ? fuzz_take_int (input) : fuzz_take_signed_byte (input);
  params->percentile = plans_take_between (input, 0.0, 100.0);
  params->alpha_percentile = plans_take_between (input, 0.0, 100.0);
  params->threshold = plans_take_between (input, 0.0, 1.0);
  params->neighborhood = (MedianNeighborhood) (choices & 3);
  params->abyss = (FxAbyss) (choices >> 2 & 3);
  params->coverage = choices >> 4 & 1;
  if (choices & 128)
    {
      params->neighborhood = (MedianNeighborhood) fuzz_take_int (input);
      params->abyss = (FxAbyss) fuzz_take_int (input);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  MedianParams params;
  FxFormat format;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;

  take_params (&input, &params);
  plans_take_format (&input, &format);
  plan = median_plan_new (&params, &format, &error);
  if (plans_check_made (plan, median_params_check (&params, NULL), &format, error))
    plans_check (plan, MEDIAN_RADIUS_MAX, &input);
  return 0;
}
