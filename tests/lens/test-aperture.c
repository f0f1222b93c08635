/* The lens's aperture by itself: its weights against another way to compute them, and what they
 * promise. */
#include "aperture.h"
#include "integral.h"
#include "test.h"

/* The other way counts a horizontal edge by the lines on its inner side, so it is off by up to half
 * a line. With as many it is exact enough to tell what the weights promise. */
#define LINES    6000
#define PROMISED 1e-4

static double *
make_weights (const LensParams *params, double radius, int *x, int *y)
{
  double *values;

  lens_aperture_get_reach (params, radius, x, y);
  values = g_new (double, (2 * *x + 1) * (2 * *y + 1));
  lens_aperture_fill (params, radius, values);
  return values;
}

static void
check (const LensParams *params, double radius, int lines)
{
  int x, y, expected_x, expected_y;
  g_autofree double *got = make_weights (params, radius, &x, &y);
  g_autofree double *expected = integral_new (params, radius, lines, &expected_x, &expected_y);
  const int n = (2 * x + 1) * (2 * y + 1);
  double sum = 0.0, most = 0.0, off = 0.0;

  g_assert_cmpint (x, ==, expected_x);
  g_assert_cmpint (y, ==, expected_y);
  for (int i = 0; i < n; i++)
    {
      g_assert_cmpfloat (got[i], >=, 0.0);
      sum += got[i];
      most = MAX (most, expected[i]);
      off = MAX (off, fabs (got[i] - expected[i]));
    }
  g_assert_cmpfloat_with_epsilon (sum, 1.0, 1e-9);
  if (off > MAX (PROMISED, 0.6 / lines) * most)
    {
      g_test_message (
        "radius %g, %d blades, rotation %g, roundness %g, ring %g, squeeze %g: %g off", radius,
        params->blades, params->rotation, params->roundness, params->ring, params->squeeze,
        off / most);
      g_test_fail ();
    }
}

static LensParams
get_random_params (void)
{
  static const double roundnesses[] = { 0.0, 0.01, 0.3, 0.7, 1.0 };
  LensParams params = { .rotation = g_test_rand_double_range (-180.0, 180.0),
                        .roundness = roundnesses[g_test_rand_int_range (0, 5)] };

  if (g_test_rand_int_range (0, 6))
    params.blades = g_test_rand_int_range (LENS_BLADES_MIN, LENS_BLADES_MAX + 1);
  if (g_test_rand_int_range (0, 3) == 0)
    params.rotation = 15 * g_test_rand_int_range (-12, 13);
  if (g_test_rand_int_range (0, 2))
    params.ring = g_test_rand_double_range (-1.0, 1.0);
  if (g_test_rand_int_range (0, 2))
    params.squeeze = g_test_rand_double_range (-1.0, 1.0);
  return params;
}

TEST (test_weights, "/lens/aperture/weights")
{
  static const double radii[] = { 0.1, 0.3, 0.5, 0.51, 0.6, 1.0, 1.5, 2.5, 7.3 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    for (int n = 0; n < 12; n++)
      {
        const LensParams params = get_random_params ();

        check (&params, radii[i], LINES);
      }
}

TEST (test_large, "/lens/aperture/large")
{
  static const struct {
    double radius;
    int lines;
  } cases[] = { { 30.0, LINES }, { 100.5, 2000 }, { 500.0, 250 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int n = 0; n < 2; n++)
      {
        const LensParams params = get_random_params ();

        check (&params, cases[i].radius, cases[i].lines);
      }
}

/* Edges that are nearly straight, and corners on the sides of pixels. */
TEST (test_straight, "/lens/aperture/straight")
{
  static const double roundnesses[] = { 0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3 };

  for (guint i = 0; i < G_N_ELEMENTS (roundnesses); i++)
    for (int rotation = -180; rotation <= 180; rotation += 45)
      {
        LensParams params = { .blades = 4, .rotation = rotation, .roundness = roundnesses[i] };

        check (&params, 4.5, LINES);
        params.roundness = 0.0;
        check (&params, 4.5, LINES);
      }
}

/* Weights do not jump as the radius grows, from none at all on. */
TEST (test_continuous, "/lens/aperture/continuous")
{
  const LensParams params = { .blades = 5, .rotation = 20.0, .ring = 0.5 };
  double middle = 1.0;

  for (double radius = 0.0; radius < 4.0; radius += 0.001)
    {
      int x, y;
      g_autofree double *got = make_weights (&params, radius, &x, &y);
      const double now = got[y * (2 * x + 1) + x];

      if (radius < 0.5)
        g_assert_cmpfloat (now, ==, 1.0);
      g_assert_cmpfloat (fabs (now - middle), <, 0.01);
      middle = now;
    }
}

/* A point of light becomes the shape as it is drawn: one corner up, and further ones clockwise. */
TEST (test_picture, "/lens/aperture/picture")
{
  const int size = 65;
  LensParams params = { .blades = 3 };
  g_autofree float *values = g_new (float, size *size);
  float most = 0.0f;

  lens_params_draw_aperture (&params, size, values);
  for (int i = 0; i < size * size; i++)
    most = MAX (most, values[i]);
  g_assert_cmpfloat (most, ==, 1.0f);
  g_assert_cmpfloat (values[4 * size + 32], ==, 1.0f);
  g_assert_cmpfloat (values[60 * size + 32], ==, 0.0f);
  params.rotation = 90.0;
  lens_params_draw_aperture (&params, size, values);
  g_assert_cmpfloat (values[32 * size + 60], ==, 1.0f);
  g_assert_cmpfloat (values[32 * size + 4], ==, 0.0f);
}

TEST (test_refusals, "/lens/params/refusals")
{
  static const struct {
    LensParams params;
    const char *message;
  } cases[] = {
    { { .radius = -1.0 }, "radius is -1, but must be 0 to 500 pixels" },
    { { .radius = NAN }, "radius is nan, but must be 0 to 500 pixels" },
    { { .blades = 2 }, "blades is 2, but must be 0 (a disc) or 3 to 12" },
    { { .blades = 13 }, "blades is 13, but must be 0 (a disc) or 3 to 12" },
    { { .rotation = 181.0 }, "rotation is 181, but must be -180 to 180" },
    { { .roundness = 1.5 }, "roundness is 1.5, but must be 0 to 1" },
    { { .ring = -2.0 }, "ring is -2, but must be -1 to 1" },
    { { .squeeze = INFINITY }, "squeeze is inf, but must be -1 to 1" },
    { { .highlights = 7.0 }, "highlights is 7, but must be 0 to 6" },
    { { .threshold = -0.1 }, "threshold is -0.1, but must be 0 to 1" },
    { { .abyss = 4 }, "abyss is 4, but must be 0 (clamp), 1 (none), 2 (black) or 3 (white)" },
    { { .light = 2 }, "light is 2, but must be 0 (linear) or 1 (perceptual)" },
  };
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (lens_plan_new (&cases[i].params, &format, &error));
      g_assert_nonnull (error);
      g_assert_cmpstr (error->message, ==, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
