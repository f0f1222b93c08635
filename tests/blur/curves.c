/* Curves that are not sRGB's. */
#include "check.h"
#include "memory.h"
#include "reference.h"
#include "run.h"
#include "tested.h"
#include "trcs.h"

static const FxSample samples[] = { FX_SAMPLE_U8, FX_SAMPLE_U16, FX_SAMPLE_HALF, FX_SAMPLE_FLOAT };

/* A FIR, two grids, and the two together. */
static const double sigmas[][2] = { { 1.5, 1.5 }, { 14.0, 14.0 }, { 9.0, 0.7 } };

/* Every image in one format; every other one of linear samples too, in the curve's perceptual
 * light. */
static void
check_images (const FxTrc *trc, guint sample, guint sigma, gboolean alpha)
{
  const int kinds = case_is_integer (samples[sample]) ? IMAGE_HDR : IMAGE_KINDS;

  for (int kind = 0; kind < kinds; kind++)
    {
      Case c = {
        .seed = g_test_rand_int (),
        .kind = kind,
        .format = { samples[sample], (sample % 2 ? 1 : 3) + alpha, TRUE, *trc },
        .width = 97,
        .height = 71,
        .params = { .sigma_x = sigmas[sigma][0], .sigma_y = sigmas[sigma][1], .abyss = sigma },
        .device = tested_device (),
      };

      check_case (&c);
      c.format.gamma = FALSE;
      c.params.light = FX_LIGHT_PERCEPTUAL;
      if ((kind + sigma) % 4 == 0)
        check_case (&c);
    }
}

/* Returns the mean of what is stored in the two columns where black meets white. */
static double
blur_step (const FxFormat *format)
{
  const BlurParams params = { .sigma_x = 8.0, .sigma_y = 8.0 };
  guint16 pixels[16 * 128 * 4], result[16 * 128 * 4];
  const FxImage image = memory_get_image (&(Memory) { pixels, result, 128, 16, *format });
  const int channels = format->channels;
  g_autoptr (GError) error = NULL;
  double sum = 0.0;

  for (int i = 0; i < 16 * 128 * channels; i++)
    reference_encode (format->sample, i / channels % 128 / 64 || i % channels == 3, pixels, i);
  run_blur (tested_engine (), &params, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  for (int x = 63; x < 65; x++)
    sum += reference_decode (format->sample, result, (8 * 128 + x) * channels);
  return sum / 2.0;
}

/* A step from black to white is as bright in the middle as its curve says. On the GPU, programs for
 * a table serve the next one. */
TEST (test_step, "/blur/curves/step")
{
  static const FxSample kinds[] = { FX_SAMPLE_U8, FX_SAMPLE_U16 };
  static const struct {
    TrcName trc;
    gboolean gamma;
    double mean;
  } steps[] = {
    { TRC_PQ, TRUE, 0.927 },
    { TRC_HLG, TRUE, 0.872 },
    { TRC_PQ, TRUE, 0.927 },
    { TRC_PQ, FALSE, 0.5 },
  };

  for (guint s = 0; s < G_N_ELEMENTS (kinds); s++)
    for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
      {
        const FxFormat format = { kinds[s], 3 + (int) s, steps[i].gamma, trcs[steps[i].trc] };

        g_assert_cmpfloat_with_epsilon (blur_step (&format), steps[i].mean, 0.002);
      }
}

/* On the GPU, which compiles programs for each, every curve in every other of the formats. */
static void
test_curve (gconstpointer data)
{
  const guint t = GPOINTER_TO_UINT (data);

  for (guint s = 0; s < G_N_ELEMENTS (samples); s++)
    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
      for (guint alpha = 0; alpha < 2; alpha++)
        if (tested_device () == FX_DEVICE_CPU || g_test_slow () || (s + 2 * i + alpha + t) % 4 == 0)
          check_images (&trcs[t], s, i, alpha);
}

/* Dark next to bright, as far from the edge as the kernel reaches. */
TEST (test_tails, "/blur/curves/tails")
{
  static const ImageKind kinds[] = { IMAGE_EDGE, IMAGE_DARK_EDGE, IMAGE_FAINT_EDGE,
                                     IMAGE_HDR_EDGE };
  const gboolean all = tested_device () == FX_DEVICE_CPU || g_test_slow ();

  for (TrcName t = TRC_GAMMA_22; t < (all ? TRCS : TRC_GAMMA_22 + 1); t++)
    for (guint s = 0; s < G_N_ELEMENTS (samples); s++)
      for (int i = 0; i < 16; i++)
        {
          const Case c = {
            .seed = g_test_rand_int (),
            .kind = case_is_integer (samples[s]) && i % 4 == 3 ? IMAGE_RANDOM : kinds[i % 4],
            .format = { samples[s], 1 + i / 4 % 2, TRUE, trcs[t] },
            .width = 260,
            .height = 9,
            .params = { .sigma_x = i / 8 ? 14.0 : 3.0 },
            .device = tested_device (),
          };

          check_case (&c);
        }
}

TESTS (add_curves)
{
  for (TrcName t = TRC_GAMMA_22; t < TRCS; t++)
    {
      g_autofree char *path = g_strconcat ("/blur/curves/", trc_names[t], NULL);

      g_test_add_data_func (path, GUINT_TO_POINTER (t), test_curve);
    }
}
