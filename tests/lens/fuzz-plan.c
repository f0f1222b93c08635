/* Plans of the lens blur: whatever the parameters and the format, there is one or an error; its
 * weights are an aperture's, also of a draft, and it cuts any image into strips that lie within
 * it. */
#include "convolve-plan.h"
#include "lens.h"
#include "plans.h"

#include <math.h>

#define DRAWN     33   /* the aperture's picture */
#define STEEPNESS 24.0 /* of large radii */

/* Most are small, and few of the others are large: their plans take a thousand times as long. */
static double
take_radius (FuzzInput *input, gboolean large)
{
  double radius = plans_take_between (input, 0.0, 8.0);

  return large && radius >= 0.0 && radius <= 8.0 ? LENS_RADIUS_MAX * pow (radius / 8.0, STEEPNESS)
                                                 : radius;
}

static void
take_params (FuzzInput *input, LensParams *params)
{
  const guint8 choices = fuzz_take_byte (input);

  params->radius = take_radius (input, choices & 64);
  params->blades = choices & 32 ? fuzz_take_int (input) : (choices >> 1) % 13;
  params->rotation = plans_take_between (input, -180.0, 180.0);
  params->roundness = plans_take_between (input, 0.0, 1.0);
  params->ring = plans_take_between (input, -1.0, 1.0);
  params->squeeze = plans_take_between (input, -1.0, 1.0);
  params->highlights = plans_take_between (input, 0.0, LENS_HIGHLIGHTS_MAX);
  params->threshold = plans_take_between (input, 0.0, 1.0);
  params->abyss = (FxAbyss) (choices & 3);
  params->light = (FxLight) (choices >> 2 & 1);
  if (choices & 128)
    {
      params->abyss = (FxAbyss) fuzz_take_int (input);
      params->light = (FxLight) fuzz_take_int (input);
    }
}

/* Those of a plan that changes nothing are not asked for. */
static void
check_weights (const FxPlan *plan, int x, int y)
{
  const ConvolveMatrix *matrix = &convolve_plan_get (plan)->matrix;
  double sum = 0.0;

  g_assert_true (matrix->columns <= 2 * x + 1 && matrix->rows <= 2 * y + 1);
  for (int i = 0; i < matrix->rows * matrix->columns; i++)
    {
      g_assert_true (matrix->weights[i] >= 0.0f && matrix->weights[i] <= 1.0f); /* not NaN */
      sum += matrix->weights[i];
    }
  g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-4);
}

static void
check_drawn (const LensParams *params)
{
  float values[DRAWN * DRAWN], most = 0.0f;

  lens_params_draw_aperture (params, DRAWN, values);
  for (int i = 0; i < DRAWN * DRAWN; i++)
    {
      g_assert_true (values[i] >= 0.0f && values[i] <= 1.0f);
      most = MAX (most, values[i]);
    }
  g_assert_cmpfloat (most, ==, 1.0f);
}

int
LLVMFuzzerTestOneInput (const guint8 *data, size_t size)
{
  FuzzInput input = { data, size };
  LensParams params;
  FxFormat format;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;
  int x, y;

  take_params (&input, &params);
  plans_take_format (&input, &format);
  plan = lens_plan_new (&params, &format, &error);
  if (! plans_check_made (plan, lens_params_check (&params, NULL), &format, error))
    return 0;
  lens_params_get_growth (&params, &x, &y);
  g_assert_true (x >= 0 && x <= LENS_RADIUS_MAX && y >= 0 && y <= LENS_RADIUS_MAX);
  check_weights (plan, x, y);
  check_drawn (&params);
  plans_check (plan, (int) LENS_RADIUS_MAX, &input);
  return 0;
}
