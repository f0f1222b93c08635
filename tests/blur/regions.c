/* Edges and parts of an image, and images that a blur leaves unchanged. */
#include "check.h"
#include "noise.h"
#include "run.h"
#include "tested.h"

TEST (test_abyss, "/blur/abyss")
{
  static const double sigmas[] = { 1.5, 9.0, 70.0 };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (sigmas) * CASE_FORMATS; i++)
    {
      Case c = case_make (i, i / 12, 37, 29, sigmas[i / 4 % 3], sigmas[i / 4 % 3]);

      c.params.abyss = i % 4;
      c.kind = i / 4 % 2 ? IMAGE_MAX : IMAGE_RANDOM;
      check_case (&c);
    }
}

TEST (test_regions, "/blur/regions")
{
  static const FxRect regions[] = {
    { 0, 0, 1, 1 },   { 89, 69, 1, 1 }, { 40, 30, 1, 1 },  { 20, 10, 37, 41 }, { 0, 35, 90, 1 },
    { 45, 0, 1, 70 }, { 0, 0, 13, 70 }, { 77, 0, 13, 70 }, { 0, 60, 90, 10 },  { 1, 1, 88, 68 },
  };
  static const double sigmas[][2] = { { 1.5, 1.5 }, { 0, 3 }, { 3, 0 }, { 20, 20 }, { 0, 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (regions); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sigmas); s++)
      for (guint f = (i + s) % 2; f < CASE_FORMATS; f += 2)
        {
          Case c = case_make (i + s, f, 90, 70, sigmas[s][0], sigmas[s][1]);

          c.region = regions[i];
          check_case (&c);
        }
}

/* Blurs noise from row first on, in bands of that many rows, into it. */
static void
blur_bands (Noise *noise, int radius, int first, int rows)
{
  const BlurParams params = { .sigma_x = 2.0, .sigma_y = radius, .kernel_size = 2 * radius + 1 };
  FxImage image = memory_get_image (&noise->memory);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;

  image.band_rows = rows;
  image.region = (FxRect) { 0, first, noise->width, noise->height - first };
  memset (noise->result, 0, noise->size);
  g_assert_true (run_blur (engine, &params, tested_device (), &image, NULL, &error));
  g_assert_no_error (error);
}

/* Bands that depend on their neighbours only, and one more row. The picture is wide, so that the
 * source is read ahead while a band is computed. */
TEST (test_bands, "/blur/bands")
{
  enum { BAND = 16 };
  static const int firsts[] = { 0, BAND + 1, 3 * BAND - 1 };
  g_autoptr (Noise) noise = noise_new (9000, 100);
  g_autoptr (Noise) bands = noise_copy (noise);

  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++)
    for (int radius = BAND - 1; radius <= BAND + 1; radius++)
      {
        blur_bands (noise, radius, firsts[i], 256);
        blur_bands (bands, radius, firsts[i], BAND);
        noise_check_same (bands, noise);
      }
}

/* The last corner of an image as large as int can say, whole and in many bands: sums of places and
 * sizes must not overflow. */
TEST (test_far, "/blur/far")
{
  for (guint f = 0; f < 2 * CASE_FORMATS; f++)
    {
      g_auto (Job) job = { 0 };
      Case c = case_make (f, f / 2, 200, 60, 2.0, 2.0);

      c.region = (FxRect) { 20, 20, 180, 40 };
      job_init (&job, &c);
      job.shift_x = FX_SIZE_MAX - c.width;
      job.shift_y = FX_SIZE_MAX - c.height;
      if (f % 2)
        g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "64K", TRUE);
      check_job (&job);
      g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
    }
}

static gboolean
leaves_pixels (const BlurParams *params)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autoptr (FxPlan) plan = blur_plan_new (params, &format, NULL);

  return plan->identity;
}

/* Bytes stay, whatever they mean: colour under alpha 0, subnormals, all 64 bits of a double. */
TEST (test_identity, "/blur/identity")
{
  static const BlurParams params[] = {
    { .sigma_x = 0.0, .sigma_y = 0.0 },
    { .sigma_x = 0.19, .sigma_y = 0.1999 },
    { .sigma_x = 10.0, .sigma_y = 10.0, .kernel_size = 1 },
    { .sigma_x = 0.0, .sigma_y = 0.0, .kernel_size = 9 },
    { .sigma_x = 0.0, .sigma_y = 50.0, .kernel_size = 1 },
  };
  static const ImageKind kinds[] = { IMAGE_RANDOM, IMAGE_HOLES, IMAGE_FAINT };

  for (guint i = 0; i < G_N_ELEMENTS (params); i++)
    for (guint k = 0; k < 24 * G_N_ELEMENTS (kinds); k++)
      {
        Case c = { .seed = g_test_rand_int (), .kind = kinds[k / 24], .width = 41, .height = 23 };

        c.params = params[i];
        c.device = tested_device ();
        c.params.light = k % 2;
        c.format = (FxFormat) { k % 6, k / 6 % 4 + 1, k / 2 % 2 };
        if (! case_is_integer (c.format.sample) && k / 24 == 2)
          c.kind = IMAGE_SUBNORMAL;
        g_assert_true (leaves_pixels (&c.params));
        check_case (&c);
      }
  g_assert_false (leaves_pixels (&(BlurParams) { .sigma_x = 0.2 }));
  g_assert_false (leaves_pixels (&(BlurParams) { .sigma_y = 1.0, .kernel_size = 3 }));
}
