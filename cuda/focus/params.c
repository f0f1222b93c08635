#include "error.h"
#include "focus-plan.h"
#include "image.h"
#include "lens.h"

#include <glib/gi18n-lib.h>
#include <math.h>

G_STATIC_ASSERT (FOCUS_BLADES_MIN == LENS_BLADES_MIN && FOCUS_BLADES_MAX == LENS_BLADES_MAX &&
                 (int) FOCUS_HIGHLIGHTS_MAX == (int) LENS_HIGHLIGHTS_MAX);

/* Returns the lens of the largest radius. */
static LensParams
get_lens (const FocusParams *params)
{
  return (LensParams) {
    .radius = params->strength,
    .blades = params->blades,
    .rotation = params->blade_rotation,
    .roundness = params->roundness,
    .squeeze = params->squeeze,
    .highlights = params->highlights,
    .threshold = params->threshold,
  };
}

static gboolean
check_lens (const FocusParams *params, GError **error)
{
  LensParams lens = get_lens (params);

  lens.radius = 0.0; /* strength has its own bounds */
  return fx_check_range ("blade-rotation", params->blade_rotation, -180.0, 180.0, error) &&
         lens_params_check (&lens, error);
}

gboolean
focus_params_check (const FocusParams *params, GError **error)
{
  double most = params->kind == FOCUS_LENS ? FOCUS_LENS_MAX : FOCUS_STRENGTH_MAX;

  return fx_check_choice ("blur-type", (int) params->kind, FOCUS_LENS,
                          _ ("0 (gaussian) or 1 (lens)"), error) &&
         fx_check_range ("blur-radius", params->strength, 0.0, most, error) &&
         fx_check_choice ("shape", (int) params->shape, FOCUS_VERTICAL,
                          _ ("0 (circle), 1 (square), 2 (diamond), 3 (horizontal) or 4 (vertical)"),
                          error) &&
         fx_check_range ("x", params->x, -FOCUS_CENTER_MAX, FOCUS_CENTER_MAX, error) &&
         fx_check_range ("y", params->y, -FOCUS_CENTER_MAX, FOCUS_CENTER_MAX, error) &&
         fx_check_range ("radius", params->radius, 0.0, FOCUS_RADIUS_MAX, error) &&
         fx_check_range ("focus", params->focus, 0.0, 1.0, error) &&
         fx_check_range ("midpoint", params->midpoint, 0.0, 1.0, error) &&
         fx_check_range ("aspect-ratio", params->aspect_ratio, -1.0, 1.0, error) &&
         fx_check_range ("rotation", params->rotation, -180.0, 180.0, error) &&
         fx_check_range ("keep-sharp", params->keep_sharp, 0.0, FOCUS_KEEP_MAX, error) &&
         check_lens (params, error) && fx_abyss_check (params->abyss, error) &&
         fx_light_check (params->light, error);
}

gboolean
focus_map_check (const FocusMap *map, GError **error)
{
  if (! fx_check_range ("width", map->width, 1.0, FX_SIZE_MAX, error) ||
      ! fx_check_range ("height", map->height, 1.0, FX_SIZE_MAX, error) ||
      ! fx_check_range ("x", map->x, -FX_PLACE_MAX, FX_PLACE_MAX, error) ||
      ! fx_check_range ("y", map->y, -FX_PLACE_MAX, FX_PLACE_MAX, error) ||
      ! fx_check_range ("focal", map->focal, 0.0, 1.0, error))
    return FALSE;
  if (map->values &&
      g_bytes_get_size (map->values) == (gsize) map->width * map->height * sizeof (float))
    return TRUE;
  return fx_refuse (error, _ ("the map does not have %d x %d values"), map->width, map->height);
}

void
focus_params_get_growth (const FocusParams *params, int *x, int *y)
{
  const LensParams lens = get_lens (params);

  if (params->kind == FOCUS_LENS)
    lens_params_get_growth (&lens, x, y);
  else
    *x = *y = params->strength < FOCUS_SIGMA_MIN ? 0 : (int) ceil (4.0 * params->strength);
}
