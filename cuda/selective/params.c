#include "error.h"
#include "selective.h"

#include <glib/gi18n-lib.h>
#include <math.h>

int
selective_params_get_radius (double sigma)
{
  return sigma > 0.0 ? (int) ceil (3.0 * MIN (sigma, SELECTIVE_SIGMA_MAX)) : 0;
}

gboolean
selective_params_check (const SelectiveParams *params, GError **error)
{
  return fx_check_range ("sigma", params->sigma, 0.0, SELECTIVE_SIGMA_MAX, error) &&
         fx_check_range ("radius", params->radius, 0.0, SELECTIVE_RADIUS_MAX, error) &&
         fx_check_range ("delta", params->delta, 0.0, 1.0, error) &&
         fx_check_choice ("edges", (int) params->edges, SELECTIVE_SOFT, _ ("0 (hard) or 1 (soft)"),
                          error) &&
         fx_check_choice ("abyss", (int) params->abyss, FX_ABYSS_NONE, _ ("0 (clamp) or 1 (none)"),
                          error) &&
         fx_light_check (params->light, error);
}
