#include "plan.h"

static void
init_beyond (FxPlan *plan)
{
  int channels = plan->codec.format.channels, c;

  for (c = 0; c < channels; c++)
    plan->beyond[c] = plan->abyss == FX_ABYSS_WHITE ? 1.0f : 0.0f;
  if (fx_format_has_alpha (&plan->codec.format))
    plan->beyond[channels - 1] = plan->abyss == FX_ABYSS_NONE ? 0.0f : 1.0f;
}

void
fx_plan_init (FxPlan *plan, const FxFilter *filter, const FxFormat *format, FxLight light,
              FxAbyss abyss)
{
  *plan = (FxPlan) {
    .filter = filter,
    .users = 1,
    .codec = fx_codec_new (format, light),
    .abyss = abyss,
  };
  init_beyond (plan);
}

FxPlan *
fx_plan_ref (FxPlan *plan)
{
  g_atomic_int_inc (&plan->users);
  return plan;
}

void
fx_plan_free (FxPlan *plan)
{
  if (plan && g_atomic_int_dec_and_test (&plan->users))
    plan->filter->free (plan);
}
