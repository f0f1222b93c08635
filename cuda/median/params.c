#include "error.h"
#include "median.h"

#include <glib/gi18n-lib.h>

gboolean
median_params_check (const MedianParams *params, GError **error)
{
  return fx_check_choice ("neighborhood", (int) params->neighborhood, MEDIAN_DIAMOND,
                          _ ("0 (square), 1 (circle) or 2 (diamond)"), error) &&
         fx_check_range ("radius", params->radius, -MEDIAN_RADIUS_MAX, MEDIAN_RADIUS_MAX, error) &&
         fx_check_range ("percentile", params->percentile, 0.0, 100.0, error) &&
         fx_check_range ("alpha-percentile", params->alpha_percentile, 0.0, 100.0, error) &&
         fx_check_range ("threshold", params->threshold, 0.0, 1.0, error) &&
         fx_check_choice ("abyss", (int) params->abyss, FX_ABYSS_NONE, _ ("0 (clamp) or 1 (none)"),
                          error);
}
