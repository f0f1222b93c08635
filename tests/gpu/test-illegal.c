/* A kernel that writes to an illegal address, on a real GPU: afterwards every call fails in that
 * context. The CPU does the run that meets it. The next run uses the GPU again or, if the driver
 * does not allow that to the process, says so. */
#include "devices.h"
#include "gpu-kernels.h"
#include "gpu-run.h"
#include "judge.h"
#include "noise.h"
#include "run.h"
#include "test.h"

static FxEngine *engine;

static void
define (const FxProgramCase *program_case, GString *text)
{
  g_string_append (text, "extern \"C\" __global__ void kernel (int *place) { *place = 1; }\n");
}

static const FxProgram illegal = { "illegal", "args.h", gpu_kernels_get_resource, define };

static void
break_gpu (void)
{
  const FxProgramCase program_case = { .plan = NULL };
  const FxLaunch launch = { .x = 1, .y = 1, .threads = 32 };
  int *place = GINT_TO_POINTER (16);
  void *args[] = { &place };
  g_autoptr (GError) error = NULL;
  FxGpu *gpu = fx_gpu_owner_get_gpu (fx_engine_get_gpu_owner (engine), &error);
  FxKernel *kernel;

  g_assert_no_error (error);
  kernel = fx_gpu_get_kernel (gpu, &illegal, &program_case, &error);
  g_assert_no_error (error);
  g_assert_true (fx_gpu_launch (gpu, kernel, &launch, args, &error));
}

static gboolean
blur (Noise *noise, FxDevice device, FxReport *report, GError **error)
{
  const BlurParams params = { .sigma_x = 3.0, .sigma_y = 3.0 };
  const FxImage image = memory_get_image (&noise->memory);

  memset (noise->result, 0, noise->size);
  return run_blur (engine, &params, device, &image, report, error);
}

static void
test_illegal (void)
{
  g_autoptr (Noise) expected = noise_new (1500, 1000); /* worth a GPU */
  g_autoptr (Noise) got = noise_copy (expected);
  g_autoptr (GError) error = NULL;
  FxReport report;

  g_assert_true (blur (expected, FX_DEVICE_CPU, &report, NULL));
  g_assert_true (blur (got, FX_DEVICE_GPU, &report, &error));
  judge_allow_failures ();
  break_gpu ();
  g_assert_true (blur (got, FX_DEVICE_AUTO, &report, &error));
  g_test_message ("it: %s, %s", report.device_name, report.fallback);
  g_assert_cmpint (report.device, ==, FX_DEVICE_CPU);
  g_assert_cmpstr (report.fallback, !=, "");
  noise_check_same (expected, got);
  for (int n = 0; n < 3; n++)
    {
      g_assert_true (blur (got, FX_DEVICE_AUTO, &report, &error));
      g_test_message ("after it: %s, %s", report.device_name, report.fallback);
      g_assert_true ((report.device == FX_DEVICE_GPU) == (report.fallback[0] == '\0'));
      noise_check_same (expected, got);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (Noise) noise = NULL;
  g_autoptr (GError) error = NULL;
  int status = 77;

  seed_test_init (&argc, &argv);
  engine = fx_engine_new ();
  noise = noise_new (8, 8);
  if (! blur (noise, FX_DEVICE_GPU, NULL, &error) &&
      g_error_matches (error, FX_ERROR, FX_ERROR_UNAVAILABLE))
    g_print ("1..0 # SKIP %s\n", error->message);
  else
    {
      g_test_add_func ("/illegal/address", test_illegal);
      status = g_test_run ();
    }
  fx_engine_free (engine);
  return status;
}
