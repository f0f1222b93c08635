/* Plan arithmetic: kernels and reach. */
#include "blur-plan.h"
#include "test.h"
#include "trcs.h"

static void
free_plan (BlurPlan *plan)
{
  fx_plan_free (&plan->base);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BlurPlan, free_plan)

static BlurPlan *
make_plan (double sigma_x, double sigma_y, int kernel_size, FxSample sample, int channels)
{
  const FxFormat format = { sample, channels, TRUE };
  const BlurParams params = { sigma_x, sigma_y, kernel_size, .abyss = FX_ABYSS_WHITE };

  return (BlurPlan *) blur_plan_new (&params, &format, NULL);
}

TEST (test_radius, "/plan/radius")
{
  const struct {
    double sigma;
    int kernel_size;
    FxSample sample;
    int radius;
  } cases[] = {
    { 0.0, 0, FX_SAMPLE_U8, 0 },      { 0.19, 0, FX_SAMPLE_U8, 0 },
    { 0.2, 0, FX_SAMPLE_U8, 1 },      { 3.9, 0, FX_SAMPLE_U8, 20 },
    { 4.0, 0, FX_SAMPLE_U16, 22 },    { 4.0, 0, FX_SAMPLE_HALF, 24 },
    { 10.0, 7, FX_SAMPLE_FLOAT, 3 },  { 10.0, 1, FX_SAMPLE_FLOAT, 0 },
    { 0.1, 99, FX_SAMPLE_FLOAT, 0 },  { 0.5, 9999, FX_SAMPLE_U8, 4 },
    { 0.2, 0, FX_SAMPLE_FLOAT, 1 },   { 700.0, 9999, FX_SAMPLE_U8, 4999 },
    { 10.0, 9999, FX_SAMPLE_U8, 90 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BlurPlan)
        plan = make_plan (0, cases[i].sigma, cases[i].kernel_size, cases[i].sample, 4);

      g_assert_cmpint (plan->x->radius, ==, 0);
      g_assert_cmpint (plan->y->radius, ==, cases[i].radius);
    }
}

/* The steeper the curve is on the way out, the further the kernel reaches. */
TEST (test_curves, "/plan/curves")
{
  static const struct {
    TrcName trc;
    FxSample sample;
    int channels, radius;
  } cases[] = {
    { TRC_SRGB, FX_SAMPLE_U8, 3, 20 },     { TRC_REC_709, FX_SAMPLE_U8, 3, 20 },
    { TRC_GAMMA_18, FX_SAMPLE_U8, 3, 20 }, { TRC_GAMMA_22, FX_SAMPLE_U8, 3, 22 },
    { TRC_GAMMA_22, FX_SAMPLE_U8, 4, 24 }, { TRC_GAMMA_22, FX_SAMPLE_U16, 3, 24 },
    { TRC_REC_709, FX_SAMPLE_U16, 3, 20 }, { TRC_REC_709, FX_SAMPLE_FLOAT, 3, 24 },
    { TRC_HLG, FX_SAMPLE_U8, 3, 22 },      { TRC_PQ, FX_SAMPLE_U8, 3, 24 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FxFormat format = { cases[i].sample, cases[i].channels, TRUE, trcs[cases[i].trc] };
      const BlurParams params = { .sigma_x = 3.9 + 0.1 * (cases[i].sample > FX_SAMPLE_U8) };
      g_autoptr (BlurPlan) plan = (BlurPlan *) blur_plan_new (&params, &format, NULL);

      g_test_message ("case %d: %d", (int) i, plan->x->radius);
      g_assert_cmpint (plan->x->radius, ==, cases[i].radius);
    }
}

/* At sigmas at which the GPU begins to shrink, the CPU does not yet, and later if it is by 2 only;
 * its kernel reaches as far as at smaller sigmas, and no further than the plan says. */
TEST (test_cpu, "/plan/cpu")
{
  static const struct {
    FxSample sample;
    double sigma;
    int stages, cpu_stages;
  } cases[] = {
    { FX_SAMPLE_U8, 3.9, 0, 0 },  { FX_SAMPLE_U8, 4.0, 1, 0 },    { FX_SAMPLE_U8, 7.4, 1, 0 },
    { FX_SAMPLE_U8, 7.5, 1, 1 },  { FX_SAMPLE_U8, 40.0, 2, 2 },   { FX_SAMPLE_U16, 8.9, 1, 0 },
    { FX_SAMPLE_U16, 9.0, 1, 1 }, { FX_SAMPLE_FLOAT, 9.4, 1, 0 }, { FX_SAMPLE_FLOAT, 9.5, 1, 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FxFormat format = { cases[i].sample, 4, TRUE };
      const BlurParams params = { .sigma_x = cases[i].sigma, .sigma_y = 1.0 };
      g_autoptr (BlurPlan) plan = (BlurPlan *) blur_plan_new (&params, &format, NULL);

      g_assert_cmpint (plan->x->n_stages, ==, cases[i].stages);
      g_assert_cmpint (plan->cpu_x->n_stages, ==, cases[i].cpu_stages);
      g_assert_cmpint (plan->cpu_y->radius, ==, plan->y->radius);
      g_assert_cmpint (plan->cpu_x->reach, <=, plan->base.reach.left);
      if (cases[i].cpu_stages == 0 && cases[i].sample == FX_SAMPLE_U8)
        g_assert_cmpint (plan->cpu_x->radius, ==, (int) ceil (5.0 * cases[i].sigma));
    }
}

/* Samples first to first + count - 1 of a grid. */
typedef struct {
  int first, count;
  double *samples;
} Signal;

/* The transpose of interpolation: how much each coarse cell gives to the fine signal. */
static Signal
coarsen (const BlurStage *stage, Signal fine)
{
  const int m = stage->factor, half = BLUR_ORDER / 2;
  Signal coarse = { (int) floor ((double) fine.first / m) - half, fine.count / m + 3 * half, NULL };
  int n, j;

  coarse.samples = g_new0 (double, coarse.count);
  for (n = fine.first; n < fine.first + fine.count; n++)
    {
      int q = (int) floor ((double) n / m);

      for (j = 0; j < BLUR_ORDER; j++)
        coarse.samples[q + j - (half - 1) - coarse.first] +=
          fine.samples[n - fine.first] * stage->interpolate[(n - q * m) * BLUR_ORDER + j];
    }
  g_free (fine.samples);
  return coarse;
}

/* The transpose of a symmetric convolution of which every m-th sample is kept. */
static Signal
refine (const float *weights, int radius, int m, Signal coarse)
{
  Signal fine = { coarse.first * m - radius, (coarse.count - 1) * m + 2 * radius + 1, NULL };
  int n, k;

  fine.samples = g_new0 (double, fine.count);
  for (n = 0; n < coarse.count; n++)
    for (k = -radius; k <= radius; k++)
      fine.samples[n * m + k + radius] += coarse.samples[n] * weights[ABS (k)];
  g_free (coarse.samples);
  return fine;
}

/* The kernel whose sum with the image is the result at pixel x. */
static Signal
get_chain_kernel (const BlurAxis *axis, int x)
{
  Signal signal = { x, 1, g_new0 (double, 1) };

  signal.samples[0] = 1.0;
  for (int i = 0; i < axis->n_stages; i++)
    signal = coarsen (&axis->stages[i], signal);
  signal = refine (axis->weights, axis->radius, 1, signal);
  for (int i = axis->n_stages - 1; i >= 0; i--)
    signal = refine (axis->stages[i].decimate, axis->stages[i].radius, axis->stages[i].factor,
                     signal);
  return signal;
}

/* The l1 norm of the kernel's error, and the worst error at a step. No pixel may have a weight
 * beyond the longest reach, not even one that is nearly 0. */
static void
measure_chain (const BlurAxis *axis, int x, double *l1, double *worst)
{
  Signal kernel = get_chain_kernel (axis, x);
  double sum = 0.0, step = 0.0;

  for (int n = 0; n < kernel.count; n++)
    sum += exp (-0.5 * pow ((kernel.first + n - x) / axis->sigma, 2.0));
  *l1 = *worst = 0.0;
  for (int n = 0; n < kernel.count; n++)
    {
      double error = kernel.samples[n] -
                     exp (-0.5 * pow ((kernel.first + n - x) / axis->sigma, 2.0)) / sum;

      g_assert_true (kernel.samples[n] == 0.0 ||
                     abs (kernel.first + n - x) <= BLUR_REACH_MAX * axis->sigma);
      *l1 += fabs (error);
      step += error;
      *worst = MAX (*worst, fabs (step));
    }
  g_free (kernel.samples);
}

/* The bounds that multires.c states, for weights in double precision; in single precision each is
 * off by up to 6e-8 of itself. */
TEST (test_multires, "/plan/multires")
{
  const double sigmas[] = { 4.0,  5.0,  5.3,  6.0,  7.3,  7.5,   8.0,   9.0,   11.9,  12.0,
                            17.0, 24.0, 40.0, 42.4, 50.0, 100.0, 320.0, 333.0, 339.2, 1000.0 };
  const struct {
    double ratio, l1, step;
  } bounds[] = {
    { 2.0, 9e-6, 1.4e-6 }, { 2.65, 9e-7, 2e-7 }, { 3.0, 4e-7, 1e-7 }, { 4.0, 1.5e-7, 1e-7 }
  };
  gsize i, b;

  for (i = 0; i < G_N_ELEMENTS (sigmas); i++)
    for (b = 0; b < G_N_ELEMENTS (bounds); b++)
      {
        const double ratio = bounds[b].ratio;
        BlurAxis axis = { 0 };
        int m = 1, s;

        if (! blur_axis_init_multires (&axis, sigmas[i], ratio))
          {
            g_assert_cmpfloat (sigmas[i], <, 2.0 * ratio);
            continue;
          }
        for (s = 0; s < axis.n_stages; s++)
          m *= axis.stages[s].factor;
        g_assert_cmpfloat (sigmas[i] / m, >=, ratio);
        for (int x = 0; x < m; x += MAX (1, m / 5))
          {
            double l1, worst;

            measure_chain (&axis, x, &l1, &worst);
            g_test_message ("sigma %g, ratio %g, phase %d: l1 %.2g, step %.2g", sigmas[i], ratio, x,
                            l1, worst);
            g_assert_cmpfloat (l1, <, bounds[b].l1);
            g_assert_cmpfloat (worst, <, bounds[b].step);
          }
        blur_axis_clear (&axis);
      }
}

TEST (test_growth, "/plan/growth")
{
  const BlurParams params = { 2.1, 0.1, 0 };
  const BlurParams sized = { 2.1, 3.0, 7 };
  int x, y;

  blur_params_get_growth (&params, &x, &y);
  g_assert_cmpint (x, ==, 9);
  g_assert_cmpint (y, ==, 0);
  blur_params_get_growth (&sized, &x, &y);
  g_assert_cmpint (x, ==, 3);
  g_assert_cmpint (y, ==, 3);
}

/* The pixels of a draft are larger. A kernel's size stays odd. */
TEST (test_draft, "/plan/draft")
{
  static const struct {
    int kernel_size, level, radius;
  } cases[] = { { 7, 1, 1 }, { 9, 1, 2 }, { 31, 2, 3 }, { 33, 2, 4 }, { 5, 3, 0 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BlurPlan) plan = make_plan (8.0, 40.0, cases[i].kernel_size, FX_SAMPLE_U8, 4);
      g_autoptr (BlurPlan)
        draft = (BlurPlan *) plan->base.filter->get_draft (&plan->base, cases[i].level);

      g_assert_cmpfloat (draft->params.sigma_x, ==, 8.0 / (1 << cases[i].level));
      g_assert_cmpfloat (draft->params.sigma_y, ==, 40.0 / (1 << cases[i].level));
      g_assert_cmpint (draft->y->radius, ==, cases[i].radius);
    }
}
