/* Inverted colours in every format against the definition in invert.h, on one device. */
#include "invert.h"
#include "memory.h"
#include "reference.h"
#include "tested.h"

/* The definition, for sample i of an image. */
static double
expect (const InvertParams *params, const FxFormat *format, const double *source, gsize i)
{
  const gboolean alpha = fx_format_has_alpha (format) &&
                         i % format->channels == (gsize) format->channels - 1;
  const double light = alpha ? source[i] : reference_into_light (format, params->light, source[i]);

  return alpha ? light
               : reference_out_of_light (format, params->light,
                                         light + params->amount * (1.0 - 2.0 * light));
}

static void
check (const InvertParams *params, const FxFormat *format, int width, int height)
{
  const gsize n = (gsize) width * height * format->channels;
  g_autofree guint8 *source = g_malloc (n * fx_sample_size (format->sample));
  g_autofree guint8 *result = g_malloc (n * fx_sample_size (format->sample));
  const Memory memory = { source, result, width, height, *format };
  const FxImage image = memory_get_image (&memory);
  g_autofree double *values = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = invert_plan_new (params, format, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    reference_encode (format->sample, g_test_rand_double (), source, i);
  values = reference_decode_all (format->sample, source, n);
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < n; i++)
    {
      const double wanted = expect (params, format, values, i);

      g_assert_cmpfloat_with_epsilon (reference_decode (format->sample, result, i), wanted,
                                      reference_get_bound (format->sample, wanted, 1.0));
    }
}

TEST (test_formats, "/invert/formats")
{
  for (int sample = FX_SAMPLE_U8; sample <= FX_SAMPLE_DOUBLE; sample++)
    for (int channels = 1; channels <= FX_CHANNELS_MAX; channels++)
      {
        const FxFormat format = { sample, channels, g_test_rand_int_range (0, 2) };
        const InvertParams params = { g_test_rand_double (), g_test_rand_int_range (0, 2) };

        check (&params, &format, g_test_rand_int_range (1, 300), g_test_rand_int_range (1, 40));
      }
}

TEST (test_params, "/invert/params")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const InvertParams params = { .amount = 1.5 };
  g_autoptr (GError) error = NULL;

  g_assert_null (invert_plan_new (&params, &format, &error));
  g_assert_cmpstr (error->message, ==, "amount is 1.5, but must be 0 to 1");
}

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, NULL);
}
