#include "error.h"
#include "image.h"
#include "motion.h"

#include <glib/gi18n-lib.h>
#include <math.h>

gboolean
motion_params_check (const MotionParams *params, GError **error)
{
  return fx_check_choice ("kind", (int) params->kind, MOTION_ZOOM,
                          _ ("0 (line), 1 (spin) or 2 (zoom)"), error) &&
         fx_check_range ("length", params->length, 0.0, MOTION_LENGTH_MAX, error) &&
         fx_check_range ("direction", params->direction, -180.0, 180.0, error) &&
         fx_check_range ("angle", params->angle, 0.0, MOTION_ANGLE_MAX, error) &&
         fx_check_range ("factor", params->factor, -1.0, 1.0, error) &&
         fx_check_range ("center-x", params->center_x, -MOTION_CENTER_MAX, MOTION_CENTER_MAX,
                         error) &&
         fx_check_range ("center-y", params->center_y, -MOTION_CENTER_MAX, MOTION_CENTER_MAX,
                         error) &&
         fx_check_range ("fade", params->fade, -1.0, 1.0, error) &&
         fx_abyss_check (params->abyss, error) && fx_light_check (params->light, error);
}

/* Returns the larger distance between the centre, in parts of size, and an edge. */
static double
get_distance (double center, double size)
{
  return MAX (fabs (center), fabs (1.0 - center)) * size;
}

static int
limit (double pixels)
{
  return (int) MIN (pixels, FX_SIZE_MAX);
}

void
motion_params_get_growth (const MotionParams *params, const FxGeometry *geometry, int *x, int *y)
{
  double far_x = get_distance (params->center_x, geometry->width);
  double far_y = get_distance (params->center_y, geometry->height);
  double direction = params->direction / 180.0 * G_PI;
  double across = sin (MIN (params->angle, 180.0) / 360.0 * G_PI);
  double part = fabs (params->factor);

  *x = *y = 0;
  if (params->kind == MOTION_LINE)
    {
      *x = limit (ceil (fabs (params->length * cos (direction)) / 2.0));
      *y = limit (ceil (fabs (params->length * sin (direction)) / 2.0));
    }
  else if (params->kind == MOTION_SPIN && params->angle > 0.0)
    {
      *x = limit (ceil (far_y * across) + 1.0);
      *y = limit (ceil (far_x * across) + 1.0);
    }
  else if (params->kind == MOTION_ZOOM && part > 0.0)
    {
      *x = limit (far_x * part + 1.0);
      *y = limit (far_y * part + 1.0);
    }
}
