/* The reference itself. */
#include "compare.h"
#include "picture.h"
#include "reference.h"
#include "test.h"

TEST (test_half, "/reference/half")
{
  static const struct {
    double value, stored;
  } cases[] = {
    { 1.0 + 1.0 / 2048, 1.0 },   { 1.0 + 3.0 / 2048, 1.0 + 4.0 / 2048 },
    { 65519.9, 65504.0 },        { 65520.0, INFINITY },
    { 3e-8, 1.0 / (1 << 24) },   { 2.9e-8, 0.0 },
    { -1e-3, -0.0010004043579 },
  };

  for (guint bits = 0; bits < 65536; bits++)
    {
      const guint16 in = bits;
      guint16 out;

      if ((bits & 0x7fff) > 0x7c00) /* NaN */
        continue;
      reference_encode (FX_SAMPLE_HALF, reference_decode (FX_SAMPLE_HALF, &in, 0), &out, 0);
      g_assert_cmphex (out, ==, in);
    }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint16 out;
      double back;

      reference_encode (FX_SAMPLE_HALF, cases[i].value, &out, 0);
      back = reference_decode (FX_SAMPLE_HALF, &out, 0);
      g_assert_true (back == cases[i].stored || fabs (back - cases[i].stored) < 1e-12);
    }
}

TEST (test_curve, "/reference/curve")
{
  static const struct {
    double value, light;
  } cases[] = {
    { 0.0, 0.0 },
    { 1.0, 1.0 },
    { 0.5, 0.21404114048223255 },
    { 0.02, 0.02 / 12.92 },
    { -0.5, -0.5 / 12.92 },
    { 0.8, 0.6038273388553378 },
    { 16.0, 688.1115390271982 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double light = reference_to_linear (cases[i].value);

      g_assert_cmpfloat_with_epsilon (light, cases[i].light, 1e-8 * MAX (1.0, light));
      g_assert_cmpfloat_with_epsilon (reference_to_gamma (light), cases[i].value, 1e-6);
    }
}

/* Separable and not, over every format of pixel, abyss and light, and an axis left alone. */
TEST (test_separable, "/reference/separable")
{
  static const BlurParams params[] = {
    { .sigma_x = 0.9, .sigma_y = 1.3 },
    { .sigma_x = 2.0, .sigma_y = 0.0 },
    { .sigma_x = 0.19, .sigma_y = 0.7 },
    { .sigma_x = 3.0, .sigma_y = 1.0, .kernel_size = 7 },
  };
  const FxRect region = { 1, 2, 5, 3 };

  for (guint i = 0; i < G_N_ELEMENTS (params) * 4 * 4 * 4; i++)
    {
      Case c = { .seed = g_test_rand_int (), .kind = IMAGE_HDR, .width = 7, .height = 6 };
      g_autofree gpointer image = NULL;
      g_autofree double *source = NULL, *a = NULL, *b = NULL;

      c.params = params[i / 64];
      c.params.abyss = i % 4;
      c.params.light = i / 16 % 2;
      c.format = (FxFormat) { FX_SAMPLE_DOUBLE, i / 4 % 4 + 1, i / 32 % 2 };
      image = picture_new (&c);
      source = case_decode (&c, image);
      a = reference_blur (&c.params, &c.format, c.width, c.height, &region, source);
      b = reference_blur_2d (&c.params, &c.format, c.width, c.height, &region, source);
      for (int k = 0; k < region.width * region.height * c.format.channels; k++)
        g_assert_cmpfloat_with_epsilon (a[k], b[k], 1e-11);
    }
}

/* A dot's answer is the kernel itself. */
TEST (test_impulse, "/reference/impulse")
{
  const BlurParams params = { .sigma_x = 2.0, .abyss = FX_ABYSS_NONE };
  const FxFormat format = { FX_SAMPLE_DOUBLE, 1, FALSE };
  const FxRect region = { 0, 0, 25, 1 };
  double source[25] = { 0.0 }, sum = 0.0;
  g_autofree double *out = NULL;

  source[12] = 1.0;
  out = reference_blur (&params, &format, 25, 1, &region, source);
  for (int i = 0; i < 25; i++)
    sum += out[i];
  g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-14);
  g_assert_cmpfloat_with_epsilon (out[12], 0.19947114020071635, 1e-8);
  g_assert_cmpfloat_with_epsilon (out[10] / out[12], exp (-0.5), 1e-14);
  g_assert_cmpfloat_with_epsilon (out[0] / out[12], exp (-18.0), 1e-14);
}
