/* Images that are refused, and the sizes of formats. */
#include "check.h"
#include "tested.h"
#include "run.h"

TEST (test_bad_images, "/engine/bad-images")
{
  static const struct {
    FxFormat format;
    int width, height;
    FxRect region;
    gboolean no_read, no_write;
    const char *name, *value;
  } cases[] = {
    { { 0, 4, 0 }, 0, 5, { 0, 0, 1, 1 }, 0, 0, "image", "0" },
    { { 0, 4, 0 }, 5, -5, { 0, 0, 1, 1 }, 0, 0, "image", "-5" },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 0, 5 }, 0, 0, "region", "0" },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 5, -1 }, 0, 0, "region", "-1" },
    { { 0, 4, 0 }, 5, 5, { -1, 0, 5, 5 }, 0, 0, "region", "-1" },
    { { 0, 4, 0 }, 5, 5, { 0, -1, 5, 5 }, 0, 0, "region", "-1" },
    { { 0, 4, 0 }, 5, 5, { 1, 0, 5, 5 }, 0, 0, "region", "1" },
    { { 0, 4, 0 }, 5, 5, { 0, 4, 5, 2 }, 0, 0, "region", "4" },
    { { 0, 4, 0 }, 5, 5, { 1, 0, G_MAXINT, 5 }, 0, 0, "region", "2147483647" },
    { { 0, 4, 0 }, 5, 5, { G_MAXINT, 0, 5, 5 }, 0, 0, "region", "2147483647" },
    { { 0, 4, 0 }, 5, 5, { 0, G_MAXINT, 5, G_MAXINT }, 0, 0, "region", "2147483647" },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, TRUE, FALSE, "read", NULL },
    { { 0, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, FALSE, TRUE, "write", NULL },
    { { 0, 0, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "channels", "0" },
    { { 0, 5, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "channels", "5" },
    { { 6, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "sample", "6" },
    { { -1, 4, 0 }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "sample", "-1" },
    { { 0, 4, 1, { .g = 2.0f } }, 5, 5, { 0, 0, 5, 5 }, 0, 0, "trc", "g 2" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int sigma = 0; sigma <= 2; sigma += 2) /* identity is no excuse */
      {
        const Case c = { .width = 5, .height = 5, .format = { FX_SAMPLE_U8, 4, FALSE } };
        const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
        g_auto (Job) job = { 0 };
        FxImage image;
        g_autoptr (GError) error = NULL;

        job_init (&job, &c);
        image = job_get_image (&job);
        image.format = cases[i].format;
        image.width = cases[i].width;
        image.height = cases[i].height;
        image.region = cases[i].region;
        if (cases[i].no_read)
          image.read = NULL;
        if (cases[i].no_write)
          image.write = NULL;
        g_assert_false (
          run_blur (tested_engine (), &params, tested_device (), &image, NULL, &error));
        check_refusal (error, cases[i].name, cases[i].value);
        g_assert_cmpint (job.reads + job.writes + job.steps, ==, 0);
      }
}

/* A plan of another format would read other pixels than there are. */
TEST (test_foreign_plan, "/engine/foreign-plan")
{
  static const FxFormat others[] = {
    { FX_SAMPLE_U16, 4, FALSE },
    { FX_SAMPLE_U8, 3, FALSE },
    { FX_SAMPLE_U8, 4, TRUE },
    { FX_SAMPLE_U8, 4, FALSE, { .g = 2.2f, .a = 1.0f } },
  };
  const BlurParams params = { .sigma_x = 1.0, .sigma_y = 1.0 };
  const Case c = { .width = 5, .height = 5, .format = { FX_SAMPLE_U8, 4, FALSE } };

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (FxPlan) plan = blur_plan_new (&params, &others[i], NULL);
      g_auto (Job) job = { 0 };
      g_autoptr (GError) error = NULL;
      FxImage image;

      job_init (&job, &c);
      image = job_get_image (&job);
      g_assert_false (
        fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error));
      check_refusal (error, "plan", NULL);
      g_assert_cmpint (job.reads + job.writes + job.steps, ==, 0);
    }
}

TEST (test_sample_sizes, "/engine/sample-sizes")
{
  static const gsize sizes[] = { 1, 2, 4, 2, 4, 8 };

  for (int i = 0; i <= FX_SAMPLE_DOUBLE; i++)
    {
      g_assert_cmpuint (fx_sample_size (i), ==, sizes[i]);
      for (int n = 1; n <= 4; n++)
        g_assert_cmpuint (fx_format_size (&(FxFormat) { i, n, FALSE }), ==, sizes[i] * n);
    }
}
