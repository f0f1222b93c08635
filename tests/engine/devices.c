/* Which device does it, by the environment and without a driver. */
#include "check.h"
#include "engine-gpu.h"
#include "gpu.h"
#include "tested.h"

/* want: 'c' CPU, 'g' GPU or UNAVAILABLE, 'a' GPU or else CPU with the reason, 'x' refused. */
static void
check_device (gboolean has_gpu, FxDevice asked, char want)
{
  Case c = case_make (0, 0, 20, 20, 2.0, 2.0);
  g_auto (Job) job = { 0 };
  g_autoptr (GError) error = NULL;
  FxReport report = { .device = -1 };
  gboolean done;

  c.device = asked;
  job_init (&job, &c);
  done = job_run (&job, tested_engine (), &report, &error);
  if (want == 'x')
    check_refusal (error, "cuda_blur_device", NULL);
  else if (want == 'g' && ! has_gpu)
    g_assert_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
  else
    {
      const gboolean gpu = has_gpu && want != 'c';

      g_assert_no_error (error);
      g_assert_true (done);
      g_assert_cmpint (report.device, ==, gpu ? FX_DEVICE_GPU : FX_DEVICE_CPU);
      g_assert_cmpint (report.fallback[0] != 0, ==, want == 'a' && ! gpu);
      check_pixels (&job);
    }
}

TEST (test_device_variable, "/engine/device-variable")
{
  static const struct {
    const char *value;
    FxDevice asked;
    char want;
  } cases[] = {
    { NULL, FX_DEVICE_AUTO, 'a' },  { "", FX_DEVICE_AUTO, 'a' },    { "auto", FX_DEVICE_AUTO, 'a' },
    { "cpu", FX_DEVICE_AUTO, 'c' }, { "gpu", FX_DEVICE_AUTO, 'g' }, { "cpu", FX_DEVICE_GPU, 'g' },
    { "gpu", FX_DEVICE_CPU, 'c' },  { "tpu", FX_DEVICE_AUTO, 'x' }, { "tpu", FX_DEVICE_CPU, 'c' },
  };
  const gboolean has_gpu = tested_has_gpu ();
  g_autofree char *old = g_strdup (g_getenv ("CUDA_BLUR_DEVICE"));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_test_message ("CUDA_BLUR_DEVICE=%s, asked for %d", cases[i].value, cases[i].asked);
      if (cases[i].value)
        g_setenv ("CUDA_BLUR_DEVICE", cases[i].value, TRUE);
      else
        g_unsetenv ("CUDA_BLUR_DEVICE");
      check_device (has_gpu, cases[i].asked, cases[i].want);
    }
  if (old)
    g_setenv ("CUDA_BLUR_DEVICE", old, TRUE);
  else
    g_unsetenv ("CUDA_BLUR_DEVICE");
}

/* A run that is worth a GPU: it gives a reason, or this one. */
static void
check_fallback (FxEngine *other, const char *reason)
{
  Case c = case_make (0, 0, 1500, 1000, 3, 3);
  g_auto (Job) job = { 0 };
  FxReport report = { 0 };

  c.device = FX_DEVICE_AUTO;
  job_init (&job, &c);
  g_assert_true (job_run (&job, other, &report, NULL));
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
  g_assert_null (fx_engine_wait_for_gpu (lasting));
  for (int n = 0; n < 5; n++) /* and while it is tried again */
    check_fallback (lasting, reason->message);
}

/* The caller's configuration wins over the environment. */
TEST (test_config, "/engine/config")
{
  const FxConfig config = { .device = FX_DEVICE_CPU, .memory_limit = G_MAXSIZE, .threads = 1 };
  g_autofree char *old = g_strdup (g_getenv ("CUDA_BLUR_DEVICE"));
  g_autoptr (FxEngine) other = fx_engine_new ();
  Case c = case_make (0, 0, 1500, 1000, 3, 3); /* worth a GPU */
  g_auto (Job) job = { 0 };
  FxReport report = { 0 };

  c.device = FX_DEVICE_AUTO;
  g_setenv ("CUDA_BLUR_DEVICE", "tpu", TRUE);
  fx_engine_set_config (other, &config);
  job_init (&job, &c);
  g_assert_true (job_run (&job, other, &report, NULL));
  g_assert_cmpint (report.device, ==, FX_DEVICE_CPU);
  g_assert_cmpstr (report.fallback, ==, "");
  g_assert_cmpstr (report.device_name, ==, "CPU, 1 threads");
  if (old)
    g_setenv ("CUDA_BLUR_DEVICE", old, TRUE);
  else
    g_unsetenv ("CUDA_BLUR_DEVICE");
}
