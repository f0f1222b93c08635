/* The lens blur's contract (lens.h), on one device, against its definition in double precision. The
 * same CUDA_BLUR_TEST_SEED with -p and the test's path repeats a mismatch, and -m slow searches
 * longer. */
#include "lens.h"
#include "preview.h"
#include "reference.h"
#include "scene.h"
#include "tested.h"
#include "trcs.h"

static const LensParams plain = { .radius = 3.0, .blades = 6, .rotation = 10.0 };

/* On the GPU many scenes need programs that must first be compiled. */
static int
get_times (int cpu, int gpu)
{
  return (tested_device () == FX_DEVICE_GPU ? gpu : cpu) * (g_test_slow () ? 10 : 1);
}

static LensParams
get_random_params (double radius)
{
  static const double thresholds[] = { 0.0, 0.3, 0.8, 0.95, 1.0 };
  LensParams params = { .radius = radius,
                        .rotation = g_test_rand_double_range (-180.0, 180.0),
                        .roundness = g_test_rand_int_range (0, 2) * g_test_rand_double (),
                        .threshold = thresholds[g_test_rand_int_range (0, 5)],
                        .abyss = g_test_rand_int_range (0, 4),
                        .light = g_test_rand_int_range (0, 2) };

  if (g_test_rand_int_range (0, 4))
    params.blades = g_test_rand_int_range (LENS_BLADES_MIN, LENS_BLADES_MAX + 1);
  if (g_test_rand_int_range (0, 2))
    params.ring = g_test_rand_double_range (-1.0, 1.0);
  if (g_test_rand_int_range (0, 3) == 0)
    params.squeeze = g_test_rand_double_range (-1.0, 1.0);
  if (g_test_rand_int_range (0, 2))
    params.highlights = g_test_rand_double_range (0.0, LENS_HIGHLIGHTS_MAX);
  return params;
}

static void
check_random (double radius, FxFormat format)
{
  const gboolean large = radius > 20.0;
  Scene scene = { .seed = g_test_rand_int (),
                  .hdr = format.sample >= FX_SAMPLE_HALF && g_test_rand_int_range (0, 3) == 0,
                  .faint = g_test_rand_int_range (0, 3) == 0,
                  .format = format,
                  .width = g_test_rand_int_range (large ? 40 : 1, large ? 160 : 60),
                  .height = g_test_rand_int_range (large ? 30 : 1, large ? 120 : 50),
                  .params = get_random_params (radius),
                  .device = tested_device () };

  scene_check (&scene);
}

static FxFormat
get_random_format (void)
{
  return (FxFormat) { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                      g_test_rand_int_range (0, 2) };
}

TEST (test_radii, "/lens/radii")
{
  static const double radii[] = { 0.0, 0.3, 0.5, 0.51, 1.0, 2.5, 7.3, 15.5, 30.0, 100.5, 500.0 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    for (int n = get_times (radii[i] > 20.0 ? 6 : 20, radii[i] > 200.0 ? 1 : 2); n > 0; n--)
      check_random (radii[i], get_random_format ());
}

/* Tone curves that are tables. */
TEST (test_tables, "/lens/tables")
{
  static const FxSample samples[] = { FX_SAMPLE_U8, FX_SAMPLE_U16, FX_SAMPLE_FLOAT };

  for (int n = 0; n < 6; n++)
    check_random (n % 2 ? 3.5 : 12.0,
                  (FxFormat) { samples[n / 2], 3 + n % 2, TRUE, trcs[TRC_PQ + n / 2 % 2] });
}

TEST (test_formats, "/lens/formats")
{
  const int step = tested_device () == FX_DEVICE_GPU && ! g_test_slow () ? 7 : 1;

  for (int n = 0; n < 48; n += step)
    check_random (n % 3 ? 4.3 : 11.0, (FxFormat) { n % 6, n / 6 % 4 + 1, n / 24 });
}

/* Highlights in each light, with thresholds from black to white. */
TEST (test_highlights, "/lens/highlights")
{
  static const double thresholds[] = { 0.0, 0.5, 0.9, 0.9999, 1.0 };

  for (guint i = 0; i < G_N_ELEMENTS (thresholds); i++)
    for (int light = 0; light < 2; light++)
      {
        Scene scene = { .seed = g_test_rand_int (),
                        .format = { light ? FX_SAMPLE_U8 : FX_SAMPLE_FLOAT, 4, TRUE },
                        .width = 70,
                        .height = 40,
                        .params = plain,
                        .device = tested_device () };

        scene.params.light = light;
        scene.params.threshold = thresholds[i];
        scene.params.highlights = LENS_HIGHLIGHTS_MAX;
        scene.params.abyss = FX_ABYSS_WHITE;
        scene_check (&scene);
        scene.params.radius = 12.0;
        scene_check (&scene);
      }
}

/* A lamp in the dark becomes a disc of its own colour, 2^stops times as bright; an even area stays
 * as it is. The lamp is of 8 bits, as in a photo. */
TEST (test_lamp, "/lens/lamp")
{
  static const guint8 lamps[][3] = { { 255, 255, 255 }, { 255, 240, 192 }, { 192, 224, 255 } };

  for (guint i = 0; i < G_N_ELEMENTS (lamps) * 2; i++)
    {
      const guint8 *lamp = lamps[i / 2];
      Scene scene = { .format = { FX_SAMPLE_U8, 3, TRUE },
                      .width = 81,
                      .height = 81,
                      .params = { .radius = 20.0, .threshold = i % 2 ? 1.0 : 0.8 },
                      .device = tested_device () };
      g_autofree guint8 *source = g_malloc0 (81 * 81 * 3), *dim = NULL, *bright = NULL;
      const int middle = (40 * 81 + 40) * 3;

      for (int p = 0; p < 9; p++)
        memcpy (source + middle + (p / 3 - 1) * 81 * 3 + (p % 3 - 1) * 3, lamp, 3);
      dim = scene_run (&scene, source);
      scene.params.highlights = 3.0;
      bright = scene_run (&scene, source);
      for (int c = 0; c < 3; c++)
        {
          const double expected = 8.0 * 9.0 / (G_PI * 400.0) *
                                  reference_to_linear (lamp[c] / 255.0);

          g_assert_cmpint (bright[middle + c], >, dim[middle + c] + 20);
          g_assert_cmpfloat_with_epsilon (bright[middle + c], 255.0 * reference_to_gamma (expected),
                                          1.5);
        }
      for (int p = 0; p < 81 * 81; p++)
        memcpy (source + 3 * p, lamp, 3);
      g_free (bright);
      bright = scene_run (&scene, source);
      g_assert_cmpmem (bright, 81 * 81 * 3, source, 81 * 81 * 3);
    }
}

static Scene
make_grey (double radius)
{
  Scene scene = { .format = { FX_SAMPLE_FLOAT, 1, FALSE },
                  .width = 65,
                  .height = 65,
                  .params = { .radius = radius,
                              .blades = 3,
                              .rotation = 20.0,
                              .ring = 0.5,
                              .abyss = FX_ABYSS_BLACK },
                  .device = tested_device () };

  return scene;
}

/* A point of light becomes the aperture as it is drawn, whatever the path. */
TEST (test_point, "/lens/point")
{
  for (int radius = 3; radius <= 31; radius += 14)
    {
      const Scene scene = make_grey (radius);
      const int size = 2 * radius + 3, from = 32 - size / 2;
      g_autofree float *source = g_new0 (float, 65 * 65), *result = NULL;
      g_autofree float *drawn = g_new (float, size *size);
      float most = 0.0f;

      source[32 * 65 + 32] = 1.0f;
      result = scene_run (&scene, source);
      lens_params_draw_aperture (&scene.params, size, drawn);
      for (int i = 0; i < 65 * 65; i++)
        most = MAX (most, result[i]);
      for (int i = 0; i < 65 * 65; i++)
        {
          const int x = i % 65 - from, y = i / 65 - from;
          const gboolean inside = x >= 0 && x < size && y >= 0 && y < size;

          g_assert_cmpfloat_with_epsilon (result[i] / most, inside ? drawn[y * size + x] : 0.0f,
                                          radius > 10 ? 1e-3 : 1e-5);
        }
    }
}

/* An infinity or NaN makes what it reaches infinite, and nothing else. */
TEST (test_infinities, "/lens/infinities")
{
  static const float values[] = { INFINITY, -INFINITY, NAN };
  static const int radii[] = { 3, 12, 40 };
  const int most = tested_device () == FX_DEVICE_CPU ? 3 : 2; /* the GPU leaves them to the CPU */

  for (int n = 0; n < 3 * most; n++)
    {
      const int radius = radii[n / 3], size = 2 * radius + 3, from = 32 - size / 2;
      Scene scene = make_grey (radius);
      g_autofree float *source = g_new0 (float, 65 * 65), *result = NULL;
      g_autofree float *drawn = g_new (float, size *size);

      scene.params.highlights = n % 2 ? 4.0 : 0.0;
      source[32 * 65 + 32] = values[n % 3];
      result = scene_run (&scene, source);
      lens_params_draw_aperture (&scene.params, size, drawn);
      for (int i = 0; i < 65 * 65; i++)
        {
          const int x = i % 65 - from, y = i / 65 - from;
          const gboolean inside = x >= 0 && x < size && y >= 0 && y < size;

          g_assert_false (isnan (result[i]));
          if (inside && drawn[y * size + x] > 0.0f)
            g_assert_true (isinf (result[i]) &&
                           (n % 3 == 2 || (result[i] > 0.0f) == (values[n % 3] > 0.0f)));
          else
            g_assert_cmpfloat (result[i], ==, 0.0f);
        }
    }
}

static double
get_distance (const float *a, const float *b, int n)
{
  double most = 0.0;

  for (int i = 0; i < n; i++)
    most = MAX (most, fabs (a[i] - b[i]));
  return most;
}

/* The result does not jump as a parameter grows a little: the radius from where it changes nothing,
 * across whole pixels, and to where another path takes over; highlights from none. */
TEST (test_continuous, "/lens/continuous")
{
  static const double radii[] = { 0.0, 0.4999, 0.5, 1.4999, 1.5, 7.4999, 8.4999, 9.4999 };
  Scene scene = make_grey (0.0);
  g_autofree float *source = NULL;

  scene.params.blades = 5;
  source = scene_make_picture (&scene);
  for (guint i = 0; i < G_N_ELEMENTS (radii); i++)
    {
      g_autofree float *before = NULL, *after = NULL, *bright = NULL;

      scene.params.radius = radii[i];
      before = scene_run (&scene, source);
      scene.params.highlights = 1e-4;
      bright = scene_run (&scene, source);
      scene.params.highlights = 0.0;
      scene.params.radius += 2e-4;
      after = scene_run (&scene, source);
      g_assert_cmpfloat (get_distance (before, after, 65 * 65), <, 2e-3);
      g_assert_cmpfloat (get_distance (before, bright, 65 * 65), <, 1e-3);
    }
}

/* Without blur, not even the colour under an alpha of 0 changes, with highlights neither. */
TEST (test_identity, "/lens/identity")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  LensParams params = { .radius = 0.5, .highlights = 3.0, .threshold = 0.5 };
  g_autoptr (FxPlan) none = lens_plan_new (&params, &format, NULL);
  g_autoptr (FxPlan) some = NULL;

  params.radius = 0.51;
  some = lens_plan_new (&params, &format, NULL);
  g_assert_true (none->identity);
  g_assert_false (some->identity);
}

/* A draft is the plan of a smaller radius, with all else as it was, in the same name. */
TEST (test_drafts, "/lens/drafts")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  LensParams params = get_random_params (20.0);
  int x, y;

  params.highlights = 2.0;
  lens_params_get_growth (&params, &x, &y);
  for (int level = 0; level < 8; level++)
    {
      g_autoptr (FxPlan) plan = lens_plan_new (&params, &format, NULL), draft = NULL;
      LensParams smaller = params;

      g_assert_nonnull (plan);
      draft = plan->filter->get_draft (plan, level);
      smaller.radius = ldexp (params.radius, -level);
      lens_params_get_growth (&smaller, &x, &y);
      g_assert_cmpstr (plan->filter->name, ==, "lens");
      g_assert_cmpstr (draft->filter->name, ==, "lens");
      g_assert_cmpint (draft->identity, ==, x == 0 && y == 0);
      g_assert_cmpint (MAX (draft->reach.left, draft->reach.right), <=, x);
      g_assert_cmpint (MAX (draft->reach.above, draft->reach.below), <=, y);
      g_assert_cmpint (draft->reach.left + draft->reach.right, >=, x);
      g_assert_cmpmem (&draft->codec, sizeof draft->codec, &plan->codec, sizeof plan->codec);
    }
}

/* Waves, of an image whose pixels are step wide: smooth and opaque, so that scaling it down does
 * not change what the blur makes of it. */
static guint8 *
make_waves (int width, int height, double step)
{
  guint8 *pixels = g_malloc (width * height * 3);

  for (int i = 0; i < width * height * 3; i++)
    {
      const double x = (i / 3 % width + 0.5) * step, y = (i / 3 / width + 0.5) * step;

      pixels[i] = (guint8) (128.0 + 127.0 * sin (x / 30.0) * cos (y / 40.0));
    }
  return pixels;
}

static const FxFormat rgb8 = { FX_SAMPLE_U8, 3, TRUE };

/* Returns a view of the whole image. */
static guint8 *
render (FxPlan *plan, const guint8 *pixels, int width, int height, double scale)
{
  g_autoptr (FxPreview)
    preview = fx_preview_new (tested_engine (), &rgb8, FALSE, width, height, pixels);
  const FxView view = { scale, { 0, 0, (int) (width * scale), (int) (height * scale) } };
  guint8 *rgba = g_malloc (view.rect.width * view.rect.height * 4);

  g_assert_true (
    fx_preview_render (preview, plan, tested_device (), &view, rgba, NULL, NULL, NULL, NULL));
  return rgba;
}

/* The preview shows the result, and the draft of a smaller image nearly what that shows smaller. */
TEST (test_preview, "/lens/preview")
{
  const Scene scene = {
    .format = rgb8,
    .width = 300,
    .height = 200,
    .params = { .radius = 12.0, .blades = 5, .highlights = 3.0, .threshold = 0.5 },
    .device = tested_device ()
  };
  g_autoptr (FxPlan) plan = lens_plan_new (&scene.params, &rgb8, NULL);
  g_autoptr (FxPlan) draft = plan->filter->get_draft (plan, 1);
  g_autofree guint8 *pixels = make_waves (300, 200, 1.0), *small = make_waves (150, 100, 2.0);
  g_autofree guint8 *result = scene_run (&scene, pixels);
  g_autofree guint8 *whole = render (plan, pixels, 300, 200, 1.0);
  g_autofree guint8 *half = render (plan, pixels, 300, 200, 0.5);
  g_autofree guint8 *drawn = render (draft, small, 150, 100, 1.0);

  for (int i = 0; i < 300 * 200 * 3; i++)
    g_assert_cmpint (ABS (whole[i / 3 * 4 + i % 3] - result[i]), <=, 1);
  for (int i = 0; i < 150 * 100 * 4; i++)
    g_assert_cmpint (ABS (drawn[i] - half[i]), <=, 3);
}

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, NULL);
}
