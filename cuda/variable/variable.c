#include "variable.h"

#include "error.h"
#include "focus.h"

G_STATIC_ASSERT ((int) VARIABLE_RADIUS_MAX == (int) FOCUS_STRENGTH_MAX &&
                 (int) VARIABLE_KEEP_MAX == (int) FOCUS_KEEP_MAX);

/* The shape is unused with a map, but must be valid. */
static FocusParams
get_focus_params (const VariableParams *params)
{
  return (FocusParams) { .strength = params->radius,
                         .keep_sharp = params->keep_sharp,
                         .abyss = params->abyss,
                         .light = params->light };
}

gboolean
variable_params_check (const VariableParams *params, GError **error)
{
  return fx_check_range ("radius", params->radius, 0.0, VARIABLE_RADIUS_MAX, error) &&
         fx_check_range ("focal", params->focal, 0.0, 1.0, error) &&
         fx_check_range ("keep-sharp", params->keep_sharp, 0.0, VARIABLE_KEEP_MAX, error) &&
         fx_abyss_check (params->abyss, error) && fx_light_check (params->light, error);
}

void
variable_params_get_growth (const VariableParams *params, int *x, int *y)
{
  const FocusParams focus = get_focus_params (params);

  focus_params_get_growth (&focus, x, y);
}

FxPlan *
variable_plan_new (const VariableParams *params, const VariableMap *map, const FxFormat *format,
                   GError **error)
{
  static const float one = 1.0f;
  g_autoptr (GBytes) everywhere = g_bytes_new_static (&one, sizeof one);
  const FocusParams focus = get_focus_params (params);
  const FxGeometry nowhere = { 0 };
  FocusMap strength = { .values = everywhere, .width = 1, .height = 1 };

  if (map)
    strength = (FocusMap) { map->values, map->width,    map->height,   map->x,
                            map->y,      params->focal, params->invert };
  return variable_params_check (params, error)
           ? focus_plan_new (&focus, &strength, format, &nowhere, error)
           : NULL;
}
