#include "error.h"
#include "selective.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
selective_params_check_range (const char *name, double value, double most, GError **error)
{
  if (value >= 0.0 && value <= most) /* false for NaN */
    return TRUE;
  return fx_refuse (error, _ ("%s is %g, but must be %g to %g"), name, value, 0.0, most);
}

int
selective_params_get_radius (double sigma)
{
  return (int) ceil (3.0 * CLAMP (sigma, 0.0, SELECTIVE_SIGMA_MAX));
}

gboolean
selective_params_check (const SelectiveParams *params, GError **error)
{
  return selective_params_check_range ("sigma", params->sigma, SELECTIVE_SIGMA_MAX, error) &&
         selective_params_check_range ("radius", params->radius, SELECTIVE_RADIUS_MAX, error) &&
         selective_params_check_range ("delta", params->delta, 1.0, error) &&
         fx_check_choice ("edges", (int) params->edges, SELECTIVE_SOFT, _ ("0 (hard) or 1 (soft)"),
                          error) &&
         fx_check_choice ("abyss", (int) params->abyss, FX_ABYSS_NONE, _ ("0 (clamp) or 1 (none)"),
                          error) &&
         fx_light_check (params->light, error);
}
