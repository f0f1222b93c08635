#include "error.h"
#include "focus-plan.h"
#include "image.h"

#include <glib/gi18n-lib.h>
#include <math.h>

gboolean
focus_params_check (const FocusParams *params, GError **error)
{
  return fx_check_range ("blur-radius", params->strength, 0.0, FOCUS_STRENGTH_MAX, error) &&
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
         fx_abyss_check (params->abyss, error) && fx_light_check (params->light, error);
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
  *x = *y = params->strength < FOCUS_SIGMA_MIN ? 0 : (int) ceil (4.0 * params->strength);
}
