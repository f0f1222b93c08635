/* A lens blur is a convolution, so its plan is one of the convolution's. */
#include "aperture.h"
#include "convolve.h"
#include "error.h"

/* The convolution applies a matrix as it is written, and a point of light lights the pixel to its
 * right by the weight to the left: the matrix is the aperture upside down and mirrored. */
static void
turn (double *values, int n)
{
  int i;

  for (i = 0; i < n / 2; i++)
    {
      double value = values[i];

      values[i] = values[n - 1 - i];
      values[n - 1 - i] = value;
    }
}

FxPlan *
lens_plan_new (const LensParams *params, const FxFormat *format, GError **error)
{
  ConvolveParams convolution = { .divisor = 1.0,
                                 .channels = CONVOLVE_CHANNELS_ALL,
                                 .alpha = CONVOLVE_ALPHA_PREMULTIPLIED };
  g_autofree double *values = NULL;
  int x, y;

  if (! lens_params_check (params, error))
    return NULL;
  lens_params_get_growth (params, &x, &y);
  convolution.rows = 2 * y + 1;
  convolution.columns = 2 * x + 1;
  values = g_new (double, convolution.rows *convolution.columns);
  lens_aperture_fill (params, params->radius, values);
  turn (values, convolution.rows * convolution.columns);
  convolution.values = values;
  convolution.abyss = params->abyss;
  convolution.light = params->light;
  return convolve_plan_new (&convolution, format, error);
}
