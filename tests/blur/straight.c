/* A plan whose codec leaves colour straight: each channel is blurred as a separate image. The blur
 * itself makes no such plans, but its paths can run them. */
#include "memory.h"
#include "tested.h"

#define WIDTH  61
#define HEIGHT 43
#define PIXELS (WIDTH * HEIGHT)

static const BlurParams blurs[] = {
  { .sigma_x = 1.5, .sigma_y = 1.5, .abyss = FX_ABYSS_NONE },
  { .sigma_x = 20.0, .sigma_y = 3.0, .abyss = FX_ABYSS_WHITE },
  { .sigma_x = 30.0, .sigma_y = 30.0, .kernel_size = 101 },
};

static void
run (const BlurParams *params, const Memory *memory, gboolean straight)
{
  const FxImage image = memory_get_image (memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = blur_plan_new (params, &memory->format, &error);

  g_assert_no_error (error);
  if (straight)
    plan->codec.alpha = FX_ALPHA_STRAIGHT; /* nobody else has it yet */
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
}

/* Alpha is 0 or small in some pixels, in which premultiplied colour would be lost. */
TEST (test_floats, "/blur/straight/floats")
{
  g_autofree float *pixels = g_new (float, PIXELS * 4), *result = g_new (float, PIXELS * 4);
  g_autofree float *one = g_new (float, PIXELS), *expected = g_new (float, PIXELS);

  for (guint n = 0; n < G_N_ELEMENTS (blurs); n++)
    {
      for (int i = 0; i < PIXELS * 4; i++)
        pixels[i] = (float) g_test_rand_double () *
                    (i % 4 == 3 && g_test_rand_bit () ? 0.0f : 1.0f);
      run (&blurs[n], &(Memory) { pixels, result, WIDTH, HEIGHT, { FX_SAMPLE_FLOAT, 4, TRUE } },
           TRUE);
      for (int c = 0; c < 4; c++)
        {
          BlurParams params = blurs[n];

          for (int i = 0; i < PIXELS; i++)
            one[i] = pixels[i * 4 + c];
          /* Beyond the edge alpha is 0 with NONE and else 1, colour what the abyss says. */
          if (c == 3 && params.abyss != FX_ABYSS_CLAMP && params.abyss != FX_ABYSS_NONE)
            params.abyss = FX_ABYSS_WHITE;
          run (&params, &(Memory) { one, expected, WIDTH, HEIGHT, { FX_SAMPLE_FLOAT, 1, c < 3 } },
               FALSE);
          for (int i = 0; i < PIXELS; i++)
            g_assert_cmpfloat_with_epsilon (result[i * 4 + c], expected[i], 1e-5);
        }
    }
}

TEST (test_bytes, "/blur/straight/bytes")
{
  g_autofree guint8 *pixels = g_new (guint8, PIXELS * 2), *result = g_new (guint8, PIXELS * 2);
  g_autofree guint8 *one = g_new (guint8, PIXELS), *expected = g_new (guint8, PIXELS);

  for (guint n = 0; n < G_N_ELEMENTS (blurs); n++)
    {
      for (int i = 0; i < PIXELS * 2; i++)
        pixels[i] = i % 2 && g_test_rand_bit () ? 0 : (guint8) g_test_rand_int ();
      run (&blurs[n], &(Memory) { pixels, result, WIDTH, HEIGHT, { FX_SAMPLE_U8, 2, TRUE } }, TRUE);
      for (int i = 0; i < PIXELS; i++)
        one[i] = pixels[i * 2];
      run (&blurs[n], &(Memory) { one, expected, WIDTH, HEIGHT, { FX_SAMPLE_U8, 1, TRUE } }, FALSE);
      for (int i = 0; i < PIXELS; i++)
        g_assert_cmpint (ABS (result[i * 2] - expected[i]), <=, 1);
    }
}
