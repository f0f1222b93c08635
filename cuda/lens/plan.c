/* A lens blur is a convolution, so its plan is one of the convolution's. */
#include "aperture.h"
#include "convolve.h"
#include "error.h"

#include <math.h>

static FxPlan *get_draft (gconstpointer params, const FxFormat *format, int level);

/* The convolution is a correlation, in which the weight to the left of the centre takes light to
 * the right. So the matrix is the aperture rotated by 180 degrees. */
static void
reverse (double *values, int n)
{
  for (int i = 0; i < n / 2; i++)
    {
      double value = values[i];

      values[i] = values[n - 1 - i];
      values[n - 1 - i] = value;
    }
}

static FxPlan *
lens_plan_make_plan (const LensParams *params, const FxFormat *format, GError **error)
{
  const ConvolveOwner owner = { "lens", params->highlights, params->threshold, get_draft,
                                params, sizeof *params };
  ConvolveParams convolution = { .divisor = 1.0,
                                 .channels = CONVOLVE_CHANNELS_ALL,
                                 .alpha = CONVOLVE_ALPHA_PREMULTIPLIED,
                                 .abyss = params->abyss,
                                 .light = params->light };
  g_autofree double *values = NULL;
  int x, y;

  lens_params_get_growth (params, &x, &y);
  convolution.rows = 2 * y + 1;
  convolution.columns = 2 * x + 1;
  convolution.values = values = g_try_new (double, convolution.rows *convolution.columns);
  if (! values)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  lens_aperture_fill (params, params->radius, values);
  reverse (values, convolution.rows * convolution.columns);
  return convolve_plan_new_for (&owner, &convolution, format, error);
}

FxPlan *
lens_plan_new (const LensParams *params, const FxFormat *format, GError **error)
{
  return lens_params_check (params, error) ? lens_plan_make_plan (params, format, error) : NULL;
}

static FxPlan *
get_draft (gconstpointer data, const FxFormat *format, int level)
{
  LensParams params = *(const LensParams *) data;

  params.radius = ldexp (params.radius, -level);
  return lens_plan_make_plan (&params, format, NULL);
}
