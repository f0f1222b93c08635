/* Plans of the selective blur: whatever the parameters and the format, there is one or an error;
 * it, and a draft of it, cut any image into strips that lie within it. */
#include "plans.h"
#include "selective.h"

static void
take_params (FuzzInput *input, SelectiveParams *params)
{
  const guint8 choices = fuzz_take_byte (input);

  params->sigma = plans_take_between (input, 0.0, SELECTIVE_SIGMA_MAX);
  params->radius = choices & 64 ? fuzz_take_int (input) : fuzz_take_byte (input);
  params->delta = plans_take_between (input, 0.0, 1.0);
  params->edges = (SelectiveEdges) (choices & 1);
  params->abyss = (FxAbyss) (choices >> 1 & 3);
  params->light = (FxLight) (choices >> 3 & 1);
  params->coverage = choices >> 4 & 1;
  if (choices & 128)
    {
      params->edges = (SelectiveEdges) fuzz_take_int (input);
      params->abyss = (FxAbyss) fuzz_take_int (input);
      params->light = (FxLight) fuzz_take_int (input);
    }
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  SelectiveParams params;
  FxFormat format;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;

  take_params (&input, &params);
  plans_take_format (&input, &format);
  plan = selective_plan_new (&params, &format, &error);
  if (plans_check_made (plan, selective_params_check (&params, NULL), &format, error))
    plans_check (plan, SELECTIVE_RADIUS_MAX, &input);
  return 0;
}
