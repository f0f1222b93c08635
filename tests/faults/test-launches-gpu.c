/* Runs every plan of the sweep on a real GPU, which is requested explicitly, so that nothing falls
 * back to the CPU. About one result in a hundred is compared with the CPU's. The programs are the
 * generic ones: NVRTC compiles about 370 of them, in less than a minute. */
#include "memory.h"
#include "sweep.h"
#include "tested.h"

#define SIZE         40 /* of the image */
#define SHARE        97 /* one result in SHARE is compared */
#define MESSAGES_MAX 40
#define ROUNDING     2e-7 /* of two samples as floats */

static struct {
  guint runs, compared, failed;
} counts;

static void
say (const FxPlan *plan, const char *what, const char *message)
{
  const FxFormat *format = &plan->codec.format;

  if (counts.failed++ < MESSAGES_MAX)
    g_test_message ("%s, sample %d, %d channels, curve %d: %s", what, format->sample,
                    format->channels, plan->codec.curve, message);
}

static gboolean
run (const FxPlan *plan, FxDevice device, gconstpointer source, gpointer result, GError **error)
{
  const Memory memory = { source, result, SIZE, SIZE, plan->codec.format };
  const FxImage image = memory_get_image (&memory);

  return fx_engine_run (tested_engine (), (FxPlan *) plan, device, &image, NULL, error);
}

/* Returns twice the error that each of the two devices may have. */
static double
get_bound (FxSample sample, double value)
{
  int exponent;

  if (sample == FX_SAMPLE_U8)
    return 2.0 / 255.0;
  if (sample == FX_SAMPLE_U16)
    return 4.0 / 65535.0;
  frexp (value, &exponent);
  return sample == FX_SAMPLE_HALF ? 2.0 * MAX (ldexp (1.0, exponent - 11), 1e-5) : 2e-5;
}

/* Returns whether two results are equal within the bound. Ignores pixels with little alpha. */
static gboolean
is_same (const FxFormat *format, gconstpointer a, gconstpointer b)
{
  static float samples[2][FX_CHANNELS_MAX][SIZE * SIZE];
  const FxCodec codec = memory_get_codec (format);
  const int alpha = format->channels - 1;

  for (int i = 0; i < 2; i++)
    {
      float *const planes[] = { samples[i][0], samples[i][1], samples[i][2], samples[i][3] };

      fx_codec_decode (&codec, i ? b : a, SIZE * SIZE, planes);
    }
  for (int i = 0; i < SIZE * SIZE; i++)
    for (int c = 0; c < format->channels; c++)
      {
        const double x = samples[0][c][i], y = samples[1][c][i];

        if (alpha % 2 && samples[0][alpha][i] < 8.0 / 255.0)
          break;
        if (! (fabs (x - y) <= get_bound (format->sample, x) + ROUNDING))
          return FALSE;
      }
  return TRUE;
}

static void
compare (const FxPlan *plan, const char *what, gconstpointer source, gconstpointer result)
{
  g_autofree gpointer expected = g_malloc ((gsize) SIZE * SIZE *
                                           fx_format_size (&plan->codec.format));
  g_autoptr (GError) error = NULL;

  g_assert_true (run (plan, FX_DEVICE_CPU, source, expected, &error));
  counts.compared++;
  if (! is_same (&plan->codec.format, expected, result))
    say (plan, what, "not what the CPU makes of it");
}

static void
check (const FxPlan *plan, SweepVersion version, const char *what)
{
  const FxFormat *format = &plan->codec.format;
  gboolean compared = g_test_rand_int_range (0, SHARE) == 0;
  gsize size = (gsize) SIZE * SIZE * fx_format_size (format);
  g_autofree gpointer source = compared ? memory_make_noise (format, SIZE * SIZE)
                                        : g_malloc0 (size);
  g_autofree gpointer result = g_malloc (size);
  g_autoptr (GError) error = NULL;

  counts.runs++;
  if (! run (plan, tested_device (), source, result, &error))
    say (plan, what, error->message);
  else if (compared)
    compare (plan, what, source, result);
}

static void
end_checks (void)
{
  guint failed = counts.failed;

  g_test_message ("%u runs, %u compared, %u failed", counts.runs, counts.compared, failed);
  counts.runs = counts.compared = counts.failed = 0;
  g_assert_cmpuint (failed, ==, 0);
}

TESTS (add_sweep)
{
  static const Sweep sweep = { .few_formats = TRUE, .check = check, .end = end_checks };

  sweep_add ("/launches-gpu", &sweep);
}

int
main (int argc, char **argv)
{
  g_setenv ("CUDA_BLUR_PROGRAM", "generic", TRUE);
  return tested_main (argc, argv);
}
