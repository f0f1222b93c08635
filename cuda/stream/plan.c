#include "plan.h"

#include "error.h"

#include <glib/gi18n-lib.h>

gboolean
fx_abyss_check (FxAbyss abyss, GError **error)
{
  return fx_check_choice ("abyss", (int) abyss, FX_ABYSS_WHITE,
                          _ ("0 (clamp), 1 (none), 2 (black) or 3 (white)"), error);
}

gboolean
fx_geometry_check (const FxGeometry *geometry, GError **error)
{
  const double most = FX_GEOMETRY_MAX;

  return fx_check_range ("x", geometry->x, -most, most, error) &&
         fx_check_range ("y", geometry->y, -most, most, error) &&
         fx_check_range ("width", geometry->width, 0.0, most, error) &&
         fx_check_range ("height", geometry->height, 0.0, most, error);
}

FxRect
fx_reach_get_source (const FxReach *reach, const FxRect *result)
{
  if (reach->find_source)
    return reach->find_source (reach->data, result);
  return fx_rect_between ((gint64) result->x - reach->left, (gint64) result->y - reach->above,
                          (gint64) result->x + result->width + reach->right,
                          (gint64) result->y + result->height + reach->below);
}

static void
fx_plan_init_border (FxPlan *plan)
{
  int channels = plan->codec.format.channels;

  for (int c = 0; c < channels; c++)
    plan->border[c] = plan->abyss == FX_ABYSS_WHITE ? fx_codec_get_range (&plan->codec) : 0.0f;
  if (fx_format_has_alpha (&plan->codec.format))
    plan->border[channels - 1] = plan->abyss == FX_ABYSS_NONE ? 0.0f : 1.0f;
}

void
fx_plan_init (FxPlan *plan, const FxFilter *filter, const FxCodec *codec, FxAbyss abyss)
{
  *plan = (FxPlan) {
    .filter = filter,
    .users = 1,
    .codec = *codec,
    .abyss = abyss,
  };
  fx_plan_init_border (plan);
}

FxPlan *
fx_plan_get_same (const FxPlan *plan, int level)
{
  return fx_plan_ref ((FxPlan *) plan);
}

/* Plans that are never run. */

static FxPlan *
new_without_filter (const FxFormat *format)
{
  static const FxFilter filter = { .name = "none", .get_draft = fx_plan_get_same };
  const FxCodec codec = fx_codec_new (format, FX_LIGHT_LINEAR);
  FxPlan *plan = g_new (FxPlan, 1);

  fx_plan_init (plan, &filter, &codec, FX_ABYSS_NONE);
  return plan;
}

FxPlan *
fx_plan_new_identity (const FxFormat *format)
{
  FxPlan *plan = new_without_filter (format);

  plan->identity = TRUE;
  return plan;
}

FxPlan *
fx_plan_new_missing (const FxFormat *format)
{
  FxPlan *plan = new_without_filter (format);

  plan->missing = TRUE;
  return plan;
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
  if (! plan || ! g_atomic_int_dec_and_test (&plan->users))
    return;
  if (plan->filter->free)
    plan->filter->free (plan);
  else
    g_free (plan);
}
