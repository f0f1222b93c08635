#include "variable.h"

#include "error.h"

/* The shape is unused with a map, but must be valid. */
static FocusParams
get_focus_params (const VariableParams *params)
{
  return (FocusParams) {
    .kind = params->kind,
    .strength = params->radius,
    .keep_sharp = params->keep_sharp,
    .blades = params->blades,
    .blade_rotation = params->blade_rotation,
    .roundness = params->roundness,
    .squeeze = params->squeeze,
    .highlights = params->highlights,
    .threshold = params->threshold,
    .abyss = params->abyss,
    .light = params->light,
  };
}

gboolean
variable_params_check (const VariableParams *params, GError **error)
{
  const FocusParams focus = get_focus_params (params);
  double most = params->kind == FOCUS_LENS ? FOCUS_LENS_MAX : FOCUS_STRENGTH_MAX;

  return fx_check_range ("radius", params->radius, 0.0, most, error) &&
         fx_check_range ("focal", params->focal, 0.0, 1.0, error) &&
         focus_params_check (&focus, error);
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
