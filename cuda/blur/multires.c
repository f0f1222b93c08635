/* The multi-resolution method: weights and grids. Pure arithmetic.
 *
 * With p = BLUR_ORDER, a chain of factors m with product M, and f in cycles per coarsest cell:
 *     1. Each stage decimates by m with the box of m samples convolved p times. Its response is the
 *        p-th power of a Dirichlet kernel, whose zeros lie where aliasing would come from.
 *     2. The coarsest grid is convolved with the FIR whose response on |f| <= 1/2 is
 *            exp (-2 pi^2 (sigma / M)^2 f^2) / (product of the stages' responses, both ways),
 *        so that the whole chain has the Gaussian's response.
 *     3. Each stage interpolates by m with the B-spline of degree p - 1, sampled.
 *
 * The remaining error is aliasing. For p = 8, the difference between the chain's kernel and the
 * Gaussian, in double precision at the worst phase, has an l1 norm of at most 2.6e-7 for sigma / M
 * >= 3 and 2.4e-8 for sigma / M >= 4, and the error at a step is at most 3.9e-8 and 3.6e-9, all at
 * M = 2 and less above. For sigma / M >= 2.65 these are 7.3e-7 and 1.1e-7, for sigma / M >= 2
 * 7.8e-6 and 1.2e-6. (For p = 6: 5e-6 and 9e-7 from 3 on; 2e-7 and 3e-8 from 4 on.) With the
 * weights in single precision, as they are used, the error at a step is up to 5e-8 larger.
 * tests/blur/test_plan.py checks these bounds.
 *
 * B-splines: Unser, "Splines: a perfect fit", IEEE Signal Processing Magazine 16 (1999). */
#include "axis.h"

#include <float.h>
#include <math.h>

#define REACH       6.0     /* of the coarsest FIR, in sigmas */
#define NEARLY_ZERO FLT_MIN /* as a weight: negligible, but keeps infinity from becoming NaN */
/* Samples of the FIR's integral. With this many, the FIR repeats every 256 cells, and is 0 to the
 * last bit from cell 60 on. */
#define FREQUENCIES 256

/* The B-spline of order p at t, defined as a sum of truncated powers. */
static double
get_bspline (double t)
{
  double sum = 0.0, binomial = 1.0, factorial = 1.0;

  for (int k = 0; k <= BLUR_ORDER; k++)
    {
      double u = BLUR_ORDER / 2.0 - fabs (t) - k; /* by symmetry: fewer terms cancel */

      if (u > 0.0)
        sum += (k % 2 ? -binomial : binomial) * pow (u, BLUR_ORDER - 1);
      binomial = binomial * (BLUR_ORDER - k) / (k + 1);
    }
  for (int k = 2; k < BLUR_ORDER; k++)
    factorial *= k;
  return sum / factorial;
}

/* The box of m samples convolved p times, computed by running sums and normalised. */
static void
init_decimate (BlurStage *stage)
{
  int length = BLUR_ORDER * (stage->factor - 1) + 1;
  double kernel[BLUR_ORDER * (BLUR_FACTOR_MAX - 1) + 1] = { 1.0 };

  for (int pass = 0; pass < BLUR_ORDER; pass++)
    for (int i = length - 1; i >= 0; i--)
      {
        double sum = 0.0;

        for (int k = 0; k < stage->factor && k <= i; k++)
          sum += kernel[i - k];
        kernel[i] = sum / stage->factor;
      }
  stage->radius = (length - 1) / 2;
  stage->decimate = g_new (float, stage->radius + 1);
  for (int i = 0; i <= stage->radius; i++)
    stage->decimate[i] = (float) kernel[stage->radius + i];
}

/* If a sample lies on a cell, it is interpolated from the seven cells around it; the eighth has
 * almost no weight. */
static void
init_interpolate (BlurStage *stage)
{
  stage->interpolate = g_new (float, BLUR_ORDER *(gsize) stage->factor);
  for (int r = 0; r < stage->factor; r++)
    for (int j = 0; j < BLUR_ORDER; j++)
      stage->interpolate[r * BLUR_ORDER + j] = (float)
        MAX (get_bspline ((double) r / stage->factor - (j - (BLUR_ORDER / 2 - 1))), NEARLY_ZERO);
}

/* Responses at f cycles per sample of the stage's finer grid. */

static double
get_decimate_response (const BlurStage *stage, double f)
{
  if (fabs (f) < 1e-9)
    return 1.0;
  return pow (sin (G_PI * f * stage->factor) / (stage->factor * sin (G_PI * f)), BLUR_ORDER);
}

/* The right half of a stage's B-spline, at the finer grid's samples. */
typedef double Spline[BLUR_ORDER / 2 * BLUR_FACTOR_MAX];

static void
init_spline (Spline spline, const BlurStage *stage)
{
  for (int k = 0; k < BLUR_ORDER / 2 * stage->factor; k++)
    spline[k] = get_bspline ((double) k / stage->factor);
}

static double
get_interpolate_response (const BlurStage *stage, const Spline spline, double f)
{
  double sum = spline[0];

  for (int k = 1; k < BLUR_ORDER / 2 * stage->factor; k++)
    sum += 2.0 * spline[k] * cos (2.0 * G_PI * f * k);
  return sum / stage->factor;
}

/* The response that the coarsest FIR must have at f cycles per cell. */
static double
get_response (const BlurAxis *axis, Spline *splines, double sigma, double f)
{
  double response = exp (-2.0 * G_PI * G_PI * sigma * sigma * f * f);

  for (int i = axis->n_stages - 1; i >= 0; i--)
    {
      f /= axis->stages[i].factor;
      response /= get_decimate_response (&axis->stages[i], f) *
                  get_interpolate_response (&axis->stages[i], splines[i], f);
    }
  return response;
}

/* Returns the radius of the coarsest FIR; sigma is in its cells. The limit on a pixel's reach makes
 * it less than REACH at the least ratios and after several stages: 4.8 sigmas or more, which are
 * 5.5 of the FIR's own sigmas, because the B-splines contribute part of sigma. */
static int
multires_get_radius (const BlurAxis *axis, double sigma)
{
  double left = BLUR_REACH_MAX * axis->sigma;
  int size = 1, i; /* size of a cell in pixels */

  for (i = 0; i < axis->n_stages; i++)
    {
      const BlurStage *stage = &axis->stages[i];

      left -= size * (stage->radius + BLUR_ORDER / 2 * stage->factor);
      size *= stage->factor;
    }
  return MIN ((int) ceil (REACH * sigma), (int) (left / size));
}

/* Computes the FIR as the inverse Fourier transform of the response, cut off and normalised. sigma
 * is in cells. */
static void
init_weights (BlurAxis *axis, double sigma)
{
  g_autofree double *kernel = NULL;
  Spline splines[BLUR_STAGES_MAX];
  double sum = 0.0;

  for (int i = 0; i < axis->n_stages; i++)
    init_spline (splines[i], &axis->stages[i]);
  axis->radius = multires_get_radius (axis, sigma);
  axis->weights = g_new (float, axis->radius + 1);
  kernel = g_new0 (double, axis->radius + 1);
  for (int i = 0; i <= FREQUENCIES / 2; i++)
    {
      double f = (double) i / FREQUENCIES;
      double response = get_response (axis, splines, sigma, f);

      for (int k = 0; k <= axis->radius; k++)
        kernel[k] += (i == 0 ? 1.0 : 2.0) * response * cos (2.0 * G_PI * f * k);
    }
  for (int k = axis->radius; k >= 0; k--)
    sum += (k == 0 ? 1.0 : 2.0) * kernel[k];
  for (int k = 0; k <= axis->radius; k++)
    axis->weights[k] = (float) (kernel[k] / sum);
}

gboolean
blur_axis_init_multires (BlurAxis *axis, double sigma, double ratio)
{
  double left = sigma;

  axis->n_stages = 0;
  while (left >= 2.0 * ratio && axis->n_stages < BLUR_STAGES_MAX)
    {
      BlurStage *stage = &axis->stages[axis->n_stages++];

      stage->factor = MIN ((int) (left / ratio), BLUR_FACTOR_MAX);
      init_decimate (stage);
      init_interpolate (stage);
      left /= stage->factor;
    }
  if (axis->n_stages == 0)
    return FALSE;
  axis->sigma = sigma;
  axis->reach = (int) ceil (REACH * sigma);
  init_weights (axis, left);
  return TRUE;
}

FxSpan
blur_stage_get_span (const BlurStage *stage, FxSpan span)
{
  int end = span.first + span.count;
  int first = MIN (fx_floor_div (span.first - stage->radius - 1, stage->factor),
                   fx_floor_div (span.first, stage->factor) - (BLUR_ORDER / 2 - 1));
  int last = MAX (-fx_floor_div (-(end + stage->radius), stage->factor),
                  fx_floor_div (end - 1, stage->factor) + BLUR_ORDER / 2);

  return (FxSpan) { first, last - first + 1 };
}
