/* Plan arithmetic: kernels, reach, layouts of any region under any memory limit. */
#include "plan.h"

#include <math.h>

static BlurPlan *
make_plan (double sigma_x, double sigma_y, int kernel_size, BlurSample sample, int channels)
{
  const BlurFormat format = { sample, channels, TRUE };
  const BlurParams params = { sigma_x, sigma_y, kernel_size, .abyss = BLUR_ABYSS_WHITE };

  return blur_plan_new (&params, &format);
}

static void
test_weights (void)
{
  const double sigmas[] = { 0.2, 0.5, 1.0, 3.3, 50.0, 1000.0, 5000.0 };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (sigmas); i++)
    {
      g_autoptr (BlurPlan) plan = make_plan (sigmas[i], 0, 0, BLUR_SAMPLE_FLOAT, 1);
      double sum = plan->x.weights[0];
      int k;

      g_assert_cmpint (plan->x.radius, ==, (int) ceil (6.0 * sigmas[i]));
      for (k = 1; k <= plan->x.radius; k++)
        {
          double ratio = exp (-0.5 * k * k / (sigmas[i] * sigmas[i]));

          g_assert_cmpfloat_with_epsilon (plan->x.weights[k] / plan->x.weights[0], ratio, 2e-7);
          sum += 2.0 * plan->x.weights[k];
        }
      g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-6);
    }
}

static void
test_radius (void)
{
  const struct {
    double sigma;
    int kernel_size;
    BlurSample sample;
    int radius;
  } cases[] = {
    { 0.0, 0, BLUR_SAMPLE_U8, 0 },     { 0.19, 0, BLUR_SAMPLE_U8, 0 },
    { 0.2, 0, BLUR_SAMPLE_U8, 1 },     { 10.0, 0, BLUR_SAMPLE_U8, 50 },
    { 10.0, 0, BLUR_SAMPLE_U16, 55 },  { 10.0, 0, BLUR_SAMPLE_HALF, 60 },
    { 10.0, 7, BLUR_SAMPLE_FLOAT, 3 }, { 10.0, 1, BLUR_SAMPLE_FLOAT, 0 },
    { 0.1, 99, BLUR_SAMPLE_FLOAT, 0 }, { 0.5, 9999, BLUR_SAMPLE_U8, 4999 },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (BlurPlan) plan =
        make_plan (0, cases[i].sigma, cases[i].kernel_size, cases[i].sample, 4);

      g_assert_cmpint (plan->x.radius, ==, 0);
      g_assert_cmpint (plan->y.radius, ==, cases[i].radius);
    }
}

static void
test_beyond (void)
{
  g_autoptr (BlurPlan) white = make_plan (1, 1, 0, BLUR_SAMPLE_U8, 4);
  const BlurFormat format = { BLUR_SAMPLE_U8, 2, FALSE };
  const BlurParams params = { 1, 1, 0, .abyss = BLUR_ABYSS_BLACK };
  g_autoptr (BlurPlan) black = blur_plan_new (&params, &format);

  g_assert_cmpfloat (white->beyond[0], ==, 1.0f);
  g_assert_cmpfloat (white->beyond[3], ==, 1.0f);
  g_assert_cmpfloat (black->beyond[0], ==, 0.0f);
  g_assert_cmpfloat (black->beyond[1], ==, 1.0f);
}

static void
test_growth (void)
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

/* What the ring must hold while a chunk of the result is computed, as engine.c walks. */
static void
check_ring (const BlurPlan *plan, const BlurImage *image, const BlurLayout *layout)
{
  int y0 = image->region.y, y1 = y0 + image->region.height;
  int y, end;

  for (y = y0; y < y1; y = end)
    {
      gint64 low = MAX (0, y - (gint64) plan->y.radius), high;

      end = MIN (y1, (y / layout->chunk_rows + 1) * layout->chunk_rows);
      high = MIN (MIN ((gint64) image->height, y1 + (gint64) plan->y.radius),
                  end + (gint64) plan->y.radius);
      /* The source is pushed by whole chunks. */
      high = MIN (MIN ((gint64) image->height, y1 + (gint64) plan->y.radius),
                  (high + layout->chunk_rows - 1) / layout->chunk_rows * layout->chunk_rows);
      g_assert_cmpint (high - low, <=, layout->ring_rows);
    }
}

static void
test_layout (void)
{
  int i;

  for (i = 0; i < 20000; i++)
    {
      g_autoptr (BlurPlan) plan =
        make_plan (g_test_rand_double_range (0, 60), g_test_rand_double_range (0, 60), 0,
                   (BlurSample) g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5));
      BlurImage image = { .format = plan->format,
                          .width = g_test_rand_int_range (1, 9000),
                          .height = g_test_rand_int_range (1, 9000) };
      gsize limit = (gsize) 1 << g_test_rand_int_range (16, 33);
      BlurLayout layout;
      BlurStrip strip;
      int x;

      image.region.x = g_test_rand_int_range (0, image.width);
      image.region.y = g_test_rand_int_range (0, image.height);
      image.region.width = g_test_rand_int_range (1, image.width - image.region.x + 1);
      image.region.height = g_test_rand_int_range (1, image.height - image.region.y + 1);
      layout = blur_plan_get_layout (plan, &image, limit);
      g_assert_true (layout.bytes <= limit || (layout.chunk_rows == 4 && layout.strip_width <= 64));
      g_assert_cmpint (layout.chunk_rows & (layout.chunk_rows - 1), ==, 0);
      check_ring (plan, &image, &layout);
      for (x = image.region.x; x < image.region.x + image.region.width; x = strip.x1)
        {
          strip = blur_plan_get_strip (plan, &image, &layout, x);
          g_assert_cmpint (strip.x1, >, x);
          g_assert_cmpint (strip.source_x0, ==, MAX (0, x - plan->x.radius));
          g_assert_cmpint (strip.source_x1, ==, MIN (image.width, strip.x1 + plan->x.radius));
        }
      g_assert_cmpint (x, ==, image.region.x + image.region.width);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plan/weights", test_weights);
  g_test_add_func ("/plan/radius", test_radius);
  g_test_add_func ("/plan/beyond", test_beyond);
  g_test_add_func ("/plan/growth", test_growth);
  g_test_add_func ("/plan/layout", test_layout);
  return g_test_run ();
}
