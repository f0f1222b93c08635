#include "axis.h"
#include "blur.h"
#include "error.h"

#include <glib/gi18n-lib.h>
#include <math.h>

static gboolean
check_sigma (const char *name, double sigma, GError **error)
{
  if (sigma >= 0.0 && sigma <= BLUR_SIGMA_MAX) /* false for NaN */
    return TRUE;
  return fx_refuse (error, _ ("%s is %g, but must be 0 to %g pixels"), name, sigma, BLUR_SIGMA_MAX);
}

static gboolean
check_kernel_size (int size, GError **error)
{
  if (size == 0 || (size > 0 && size <= BLUR_KERNEL_SIZE_MAX && size % 2 == 1))
    return TRUE;
  return fx_refuse (error,
                    _ (
                      "kernel-size is %d, but must be 0 (automatic) or an odd number from 1 to %d"),
                    size, BLUR_KERNEL_SIZE_MAX);
}

gboolean
blur_params_check (const BlurParams *params, GError **error)
{
  return check_sigma ("sigma-x", params->sigma_x, error) &&
         check_sigma ("sigma-y", params->sigma_y, error) &&
         check_kernel_size (params->kernel_size, error) && fx_abyss_check (params->abyss, error) &&
         fx_light_check (params->light, error);
}

static int
get_growth (double sigma, int kernel_size)
{
  if (blur_axis_is_identity (sigma, kernel_size))
    return 0;
  return kernel_size > 0 ? (kernel_size - 1) / 2 : (int) ceil (4.0 * sigma);
}

void
blur_params_get_growth (const BlurParams *params, int *x, int *y)
{
  *x = get_growth (params->sigma_x, params->kernel_size);
  *y = get_growth (params->sigma_y, params->kernel_size);
}
