#include "aperture.h"
#include "error.h"
#include "lens.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static gboolean
check_radius (double radius, GError **error)
{
  if (radius >= 0.0 && radius <= LENS_RADIUS_MAX)
    return TRUE;
  return fx_refuse (error, _ ("radius is %g, but must be 0 to %g pixels"), radius, LENS_RADIUS_MAX);
}

static gboolean
check_blades (int blades, GError **error)
{
  if (blades == 0 || (blades >= LENS_BLADES_MIN && blades <= LENS_BLADES_MAX))
    return TRUE;
  return fx_refuse (error, _ ("blades is %d, but must be 0 (a disc) or %d to %d"), blades,
                    LENS_BLADES_MIN, LENS_BLADES_MAX);
}

gboolean
lens_params_check (const LensParams *params, GError **error)
{
  return check_radius (params->radius, error) && check_blades (params->blades, error) &&
         fx_check_range ("rotation", params->rotation, -180.0, 180.0, error) &&
         fx_check_range ("roundness", params->roundness, 0.0, 1.0, error) &&
         fx_check_range ("ring", params->ring, -1.0, 1.0, error) &&
         fx_check_range ("squeeze", params->squeeze, -1.0, 1.0, error) &&
         fx_check_range ("highlights", params->highlights, 0.0, LENS_HIGHLIGHTS_MAX, error) &&
         fx_check_range ("threshold", params->threshold, 0.0, 1.0, error) &&
         fx_abyss_check (params->abyss, error) && fx_light_check (params->light, error);
}

void
lens_params_get_growth (const LensParams *params, int *x, int *y)
{
  lens_aperture_get_reach (params, params->radius, x, y);
}

void
lens_params_draw_aperture (const LensParams *params, int size, float *values)
{
  double radius = (size - 3) / 2, most = 0.0;
  int x, y, columns, n;
  g_autofree double *weights = NULL;

  lens_aperture_get_reach (params, radius, &x, &y);
  columns = 2 * x + 1;
  n = columns * (2 * y + 1);
  weights = g_try_new (double, n);
  memset (values, 0, size * size * sizeof *values);
  if (! weights)
    return;
  lens_aperture_fill (params, radius, weights);
  for (int i = 0; i < n; i++)
    most = MAX (most, weights[i]);
  values += (size / 2 - y) * size + size / 2 - x;
  for (int i = 0; i < n; i++)
    values[i / columns * size + i % columns] = (float) (weights[i] / most);
}
