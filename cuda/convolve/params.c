#include "convolve.h"
#include "error.h"
#include "translations.h"
#include "vector.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <math.h>

/* Relative to the sum of magnitudes: what remains of decimal numbers that should cancel, also in
 * single precision, in which Script-Fu passes them. */
#define ROUNDING 1e-7

static int
count_values (const ConvolveParams *params)
{
  return params->rows * params->columns;
}

/* The sum and the sum of magnitudes. */
typedef struct {
  double sum, magnitude;
} Sums;

FX_VECTORISED static Sums
add_values (const ConvolveParams *params)
{
  const double *values = params->values;
  double sum = 0.0, magnitude = 0.0;
  int n = count_values (params), i;

#pragma omp simd reduction(+ : sum, magnitude)
  for (i = 0; i < n; i++)
    {
      sum += values[i];
      magnitude += fabs (values[i]);
    }
  return (Sums) { sum, magnitude };
}

double
convolve_params_get_sum (const ConvolveParams *params)
{
  const Sums all = add_values (params);

  return fabs (all.sum) > ROUNDING * all.magnitude ? all.sum : 0.0;
}

double
convolve_params_get_divisor (const ConvolveParams *params)
{
  double sum;

  if (params->divisor != 0.0)
    return params->divisor;
  sum = convolve_params_get_sum (params);
  return sum != 0.0 ? sum : 1.0;
}

/* Checks. */

static gboolean
convolve_params_check_size (const char *name, int size, GError **error)
{
  if (size >= 1 && size <= CONVOLVE_SIZE_MAX && size % 2 == 1)
    return TRUE;
  return fx_refuse (error, _ ("%s is %d, but must be an odd number from 1 to %d"), name, size,
                    CONVOLVE_SIZE_MAX);
}

static gboolean
check_number (const char *name, double value, GError **error)
{
  if (fabs (value) <= FLT_MAX) /* false for NaN */
    return TRUE;
  return fx_refuse (error, _ ("%s is %g, but must be a number in single precision's range"), name,
                    value);
}

static gboolean
check_values (const ConvolveParams *params, GError **error)
{
  if (add_values (params).magnitude <= FLT_MAX) /* so is each */
    return TRUE;
  for (int i = 0; i < count_values (params); i++)
    if (! (fabs (params->values[i]) <= FLT_MAX)) /* also for NaN */
      return fx_refuse (error,
                        _ ("The value in row %d, column %d is %g, but must be a number in single "
                           "precision's range"),
                        i / params->columns + 1, i % params->columns + 1, params->values[i]);
  return TRUE;
}

/* If the sum of magnitudes is in range, so are all sums of values divided by the divisor. */
static gboolean
check_divisor (const ConvolveParams *params, GError **error)
{
  double divisor;

  if (! check_number ("divisor", params->divisor, error))
    return FALSE;
  divisor = convolve_params_get_divisor (params);
  if (add_values (params).magnitude / fabs (divisor) <= FLT_MAX)
    return TRUE;
  return fx_refuse (error, _ ("divisor is %g, which makes the values infinite"), divisor);
}

gboolean
convolve_params_check (const ConvolveParams *params, GError **error)
{
  return convolve_params_check_size ("rows", params->rows, error) &&
         convolve_params_check_size ("columns", params->columns, error) &&
         check_values (params, error) && check_divisor (params, error) &&
         check_number ("offset", params->offset, error) &&
         fx_check_choice ("channels", (int) params->channels, CONVOLVE_CHANNELS_ALL,
                          _ ("a sum of 1 (red), 2 (green), 4 (blue) and 8 (alpha), or 0 (all)"),
                          error) &&
         fx_check_choice ("alpha-weighting", (int) params->alpha, CONVOLVE_ALPHA_STRAIGHT,
                          _ ("0 (automatic), 1 (premultiplied) or 2 (straight)"), error) &&
         fx_abyss_check (params->abyss, error) && fx_light_check (params->light, error);
}
