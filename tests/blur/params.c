/* Parameters: which are refused, which are accepted, and how far they reach. */
#include "check.h"
#include "tested.h"

TEST (test_bad_params, "/blur/bad-params")
{
  static const struct {
    BlurParams params;
    int device;
    const char *name, *value;
  } cases[] = {
    { { NAN, 1, 0, 0, 0 }, 2, "sigma-x", "nan" },
    { { 1, NAN, 0, 0, 0 }, 2, "sigma-y", "nan" },
    { { INFINITY, 1, 0, 0, 0 }, 2, "sigma-x", "inf" },
    { { 1, -INFINITY, 0, 0, 0 }, 2, "sigma-y", "-inf" },
    { { -0.5, 1, 0, 0, 0 }, 2, "sigma-x", "-0.5" },
    { { 1, 5001, 0, 0, 0 }, 2, "sigma-y", "5001" },
    { { 1, 1, 2, 0, 0 }, 2, "kernel", "2" },
    { { 1, 1, -3, 0, 0 }, 2, "kernel", "-3" },
    { { 1, 1, 10001, 0, 0 }, 2, "kernel", "10001" },
    { { 1, 1, G_MININT, 0, 0 }, 2, "kernel", "-2147483648" },
    { { 1, 1, 0, 4, 0 }, 2, "abyss", "4" },
    { { 1, 1, 0, -1, 0 }, 2, "abyss", "-1" },
    { { 1, 1, 0, 0, 2 }, 2, "light", "2" },
    { { 1, 1, 0, 0, -7 }, 2, "light", "-7" },
    { { 1, 1, 0, 0, 0 }, 3, "device", "3" },
    { { 1, 1, 0, 0, 0 }, -1, "device", "-1" },
    { { 0, 0, 0, 9, 0 }, 2, "abyss", "9" }, /* even if it would not be used */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const Case c = { .width = 5,
                       .height = 5,
                       .format = { FX_SAMPLE_U8, 1, FALSE },
                       .kind = IMAGE_RANDOM,
                       .device = FX_DEVICE_CPU };
      Case bad = c;
      BlurParams params = cases[i].params;
      g_auto (Job) job = { 0 };
      g_autoptr (GError) checked = NULL;
      g_autoptr (GError) run = NULL;

      if (cases[i].device == FX_DEVICE_CPU)
        g_assert_false (blur_params_check (&params, &checked));
      else
        g_assert_false (fx_device_check ((FxDevice) cases[i].device, &checked));
      check_refusal (checked, cases[i].name, cases[i].value);
      job_init (&job, &c);
      bad.params = params;
      bad.device = (FxDevice) cases[i].device;
      job.c = &bad;
      g_assert_false (job_run (&job, tested_engine (), NULL, &run));
      check_refusal (run, cases[i].name, cases[i].value);
      g_assert_cmpint (job.reads + job.writes + job.steps, ==, 0);
    }
}

TEST (test_good_params, "/blur/good-params")
{
  static const BlurParams cases[] = {
    { 0, 0, 0, 0, 0 },
    { 5000, 5000, 9999, 3, 1 },
    { 0.2, 0, 1, 1, 0 },
    { -0.0, 1e-300, 3, 2, 1 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (blur_params_check (&cases[i], &error));
      g_assert_no_error (error);
    }
}

TEST (test_growth, "/blur/growth")
{
  static const struct {
    double sigma_x, sigma_y;
    int kernel_size, x, y;
  } cases[] = {
    { 0, 0, 0, 0, 0 },       { 3, 3, 0, 12, 12 },       { 1.1, 2.51, 0, 5, 11 },
    { 0.19, 0.2, 0, 0, 1 },  { 3, 3, 1, 0, 0 },         { 3, 3, 3, 1, 1 },
    { 3, 0, 61, 30, 0 },     { 0.1, 5, 9999, 0, 4999 }, { 5000, 1000, 0, 20000, 4000 },
    { 0.25, 0.26, 0, 1, 2 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const BlurParams params = { .sigma_x = cases[i].sigma_x,
                                  .sigma_y = cases[i].sigma_y,
                                  .kernel_size = cases[i].kernel_size };
      int x = -1, y = -1;

      blur_params_get_growth (&params, &x, &y);
      g_assert_cmpint (x, ==, cases[i].x);
      g_assert_cmpint (y, ==, cases[i].y);
    }
}
