/* Which device does it, by the environment and without a driver. */
#include "engine-gpu.h"
#include "gpu.h"
#include "noise.h"
#include "run.h"
#include "tested.h"

/* Runs what is worth a GPU. */
static FxReport
run (FxEngine *other)
{
  const BlurParams params = { .sigma_x = 3.0, .sigma_y = 3.0 };
  g_autoptr (Noise) noise = noise_new (1500, 1000);
  const FxImage image = memory_get_image (&noise->memory);
  g_autoptr (GError) error = NULL;
  FxReport report = { 0 };

  run_blur (other, &params, FX_DEVICE_AUTO, &image, &report, &error);
  g_assert_no_error (error);
  return report;
}

/* There is a reason, or this one. */
static void
check_fallback (FxEngine *other, const char *reason)
{
  const FxReport report = run (other);

  g_assert_cmpstr (report.fallback, !=, "");
  if (reason)
    g_assert_cmpstr (report.fallback, ==, reason);
}

/* Without a driver, or without a GPU engine: an engine that lasts finds that out beside its first
 * automatic run at the latest, and names the reason from then on. */
TEST (test_no_driver, "/engine/no-driver")
{
  /* With more threads the CPU would be the faster one in any case. */
  const FxConfig config = { .device = FX_DEVICE_AUTO, .memory_limit = G_MAXSIZE, .threads = 2 };
  g_autoptr (GError) reason = NULL;
  g_autoptr (FxEngine) once = fx_engine_new (), lasting = fx_engine_new ();
  FxGpu *gpu = fx_gpu_open (&config, &reason);

  if (gpu)
    {
      fx_gpu_close (gpu);
      g_test_skip ("there is a GPU");
      return;
    }
  fx_engine_set_config (once, &config);
  fx_engine_set_config (lasting, &config);
  for (int n = 0; n < 3; n++)
    check_fallback (once, NULL);
  fx_engine_set_lasting (lasting);
  check_fallback (lasting, NULL); /* that reason, if it is known */
  g_assert_null (fx_gpu_owner_wait (fx_engine_get_gpu_owner (lasting)));
  for (int n = 0; n < 5; n++) /* and while it is tried again */
    check_fallback (lasting, reason->message);
}

/* The caller's configuration wins over the environment. */
TEST (test_config, "/engine/config")
{
  const FxConfig config = { .device = FX_DEVICE_CPU, .memory_limit = G_MAXSIZE, .threads = 1 };
  g_autofree char *old = g_strdup (g_getenv ("CUDA_BLUR_DEVICE"));
  g_autoptr (FxEngine) other = fx_engine_new ();
  FxReport report;

  g_setenv ("CUDA_BLUR_DEVICE", "tpu", TRUE);
  fx_engine_set_config (other, &config);
  report = run (other);
  g_assert_cmpint (report.device, ==, FX_DEVICE_CPU);
  g_assert_cmpstr (report.fallback, ==, "");
  g_assert_cmpstr (report.device_name, ==, "CPU, 1 thread");
  if (old)
    g_setenv ("CUDA_BLUR_DEVICE", old, TRUE);
  else
    g_unsetenv ("CUDA_BLUR_DEVICE");
}
