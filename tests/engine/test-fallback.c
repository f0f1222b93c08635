/* Which device does a run: the automatic choice; and one that fails midway: the caller sees one
 * whole result, from the CPU or from the device at a second try, or one error; and the test fails
 * that did not say that a device may fail. On the stand-in for CUDA (shim/). */
#include "clock.h"
#include "engine-gpu.h"
#include "fault.h"
#include "judge.h"
#include "noise.h"
#include "run.h"
#include "test.h"
#include "stand-in.h"

#define LOST "The GPU was lost, and a later call tries it again: "

static gboolean
run (FxEngine *engine, Noise *noise, double sigma, FxDevice device, FxReport *report,
     GError **error)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  const FxImage image = memory_get_image (&noise->memory);

  memset (noise->result, 0xa5, noise->size);
  return run_blur (engine, &params, device, &image, report, error);
}

/* Several chunks. */
static Noise *
make_noise (void)
{
  return noise_new (150, 700);
}

/* The FIR, multi-resolution. */
static const double sigmas[] = { 2.0, 12.0 };

static void
check_call (const char *point, guint skip, FaultMode mode, double sigma)
{
  const gboolean lost = mode == FAULT_LOST;
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) expected = make_noise ();
  g_autoptr (Noise) got = noise_copy (expected);
  g_autoptr (GError) error = NULL;
  FxReport report;

  g_assert_true (run (engine, expected, sigma, FX_DEVICE_CPU, &report, &error));
  judge_allow_failures ();
  fault_order (point, skip, mode);
  g_assert_true (run (engine, got, sigma, FX_DEVICE_AUTO, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpint (report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.fallback, "as the test wants"));
  g_assert_cmpint (g_str_has_prefix (report.fallback, LOST), ==, lost);
  g_assert_cmpint (fx_engine_has_lost_gpu (engine), ==, lost);
  noise_check_same (expected, got);

  /* If the GPU alone is requested, it is an error. */
  stand_in_restore ();
  fault_order (point, skip, mode);
  g_assert_false (run (engine, got, sigma, FX_DEVICE_GPU, &report, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
  g_clear_error (&error);

  /* And the device is used again as soon as it works. */
  stand_in_restore ();
  g_assert_true (run (engine, got, sigma, FX_DEVICE_GPU, &report, &error));
  g_assert_no_error (error);
  g_assert_false (fx_engine_has_lost_gpu (engine));
  noise_check_same (expected, got);
}

TEST (test_device, "/fallback/device")
{
  static const struct {
    const char *point;
    guint skip;
  } calls[] = {
    { "cuMemGetInfo", 0 },      { "cuMemcpyHtoDAsync", 0 }, { "cuMemcpyHtoDAsync", 2 },
    { "cuLaunchKernel", 0 },    { "cuLaunchKernel", 1 },    { "cuMemcpyDtoHAsync", 0 },
    { "cuMemcpyDtoHAsync", 1 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (calls) * 4; i++)
    check_call (calls[i / 4].point, calls[i / 4].skip, i % 2 ? FAULT_LOST : FAULT_ONCE,
                sigmas[i / 2 % 2]);
}

/* Out of memory: once more with less of it. */
TEST (test_memory, "/fallback/memory")
{
  for (gsize s = 0; s < G_N_ELEMENTS (sigmas); s++)
    for (guint skip = 0; skip < 2; skip++)
      {
        g_autoptr (FxEngine) engine = fx_engine_new ();
        g_autoptr (Noise) expected = make_noise ();
        g_autoptr (Noise) got = noise_copy (expected);
        g_autoptr (GError) error = NULL;
        FxReport report;

        g_assert_true (run (engine, expected, sigmas[s], FX_DEVICE_CPU, &report, &error));
        fault_order ("cuMemAlloc", skip, FAULT_ONCE);
        g_assert_true (run (engine, got, sigmas[s], FX_DEVICE_GPU, &report, &error));
        g_assert_no_error (error);
        g_assert_cmpint (report.device, ==, FX_DEVICE_GPU);
        g_assert_cmpstr (report.fallback, ==, "");
        noise_check_same (expected, got);
        g_assert_true (fault_end ());
      }
}

/* The automatic choice. */

static FxDevice
choose_at (FxEngine *engine, const Noise *expected, double sigma, FxReport *report)
{
  g_autoptr (Noise) got = noise_copy (expected);
  g_autoptr (GError) error = NULL;

  g_assert_true (run (engine, got, sigma, FX_DEVICE_AUTO, report, &error));
  g_assert_no_error (error);
  noise_check_same (expected, got);
  return report->device;
}

static FxDevice
choose (FxEngine *engine, const Noise *expected, FxReport *report)
{
  return choose_at (engine, expected, 2.0, report);
}

static Noise *
make_expected_at (FxEngine *engine, double sigma)
{
  Noise *expected = make_noise ();

  g_assert_true (run (engine, expected, sigma, FX_DEVICE_CPU, NULL, NULL));
  return expected;
}

static Noise *
make_expected (FxEngine *engine)
{
  return make_expected_at (engine, 2.0);
}

/* The cost of a run decides: with the device open, and with a device that must first be opened. */
TEST (test_cost, "/choice/cost")
{
  const FxGpuCost slow = { .run = 1e6 }, slow_to_open = { .open = 1e6 }, fast = { 0 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) expected = make_expected (engine);
  FxReport report;

  stand_in.cost = slow;
  g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.fallback, "The CPU is faster"));
  stand_in.cost = slow_to_open;
  g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.fallback, "before the GPU would be ready"));
  g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_CPU); /* and stays so */
  stand_in.cost = fast;
  g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_GPU);
  g_assert_cmpstr (report.fallback, ==, "");
  stand_in.cost = slow_to_open; /* it is open now */
  g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_GPU);
  stand_in.cost = fast;
}

/* An engine that lasts gets the device ready on the side: by opening it, and then by loading what
 * another sigma needs. */
TEST (test_warming, "/choice/warming")
{
  const FxGpuCost slow_to_open = { .open = 1e6 }, fast = { 0 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  FxReport report;

  fx_engine_set_lasting (engine);
  stand_in.cost = slow_to_open;
  for (gsize s = 0; s < G_N_ELEMENTS (sigmas); s++)
    {
      g_autoptr (Noise) expected = make_expected_at (engine, sigmas[s]);

      g_assert_cmpint (choose_at (engine, expected, sigmas[s], &report), ==, FX_DEVICE_CPU);
      while (choose_at (engine, expected, sigmas[s], &report) != FX_DEVICE_GPU)
        ;
    }
  stand_in.cost = fast;
}

/* One that cannot be got ready: the engine says why; and it tries again, now and then. */
TEST (test_never_warm, "/choice/never-warm")
{
  const FxGpuCost slow_to_open = { .open = 1e6 }, fast = { 0 };

  for (int lost = 0; lost <= 1; lost++)
    {
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (Noise) expected = make_expected (engine);
      FxReport report;

      fx_engine_set_lasting (engine);
      stand_in.cost = slow_to_open;
      judge_allow_failures ();
      fault_order ("cuModuleLoadData", 0, lost ? FAULT_LOST : FAULT_ONCE);
      do
        g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_CPU);
      while (! strstr (report.fallback, "as the test wants"));
      stand_in_restore ();
      while (choose (engine, expected, &report) != FX_DEVICE_GPU)
        g_assert_true (strstr (report.fallback, "as the test wants") ||
                       strstr (report.fallback, "would be ready")); /* it is by now */
      stand_in.cost = fast;
    }
}

static int warm_ups;

static void
count_warm_up (void)
{
  warm_ups++;
}

/* Lets a lost device fail in that many calls. Returns how often it was tried. */
static int
count_tries (int calls)
{
  const FxGpuCost slow_to_open = { .open = 1e6 }, fast = { 0 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) expected = make_expected (engine);
  FxReport report;

  fx_engine_set_lasting (engine);
  stand_in.cost = slow_to_open;
  fault_order ("cuModuleLoadData", 0, FAULT_ALWAYS);
  fault_on_call ("cuDevicePrimaryCtxRetain", count_warm_up);
  warm_ups = 0;
  for (int i = 0; i < calls; i++)
    {
      g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_CPU);
      fx_gpu_owner_wait (fx_engine_get_gpu_owner (engine));
    }
  g_assert_nonnull (strstr (fx_gpu_owner_get_reason (fx_engine_get_gpu_owner (engine)), LOST));
  g_assert_true (fx_engine_has_lost_gpu (engine));
  fault_on_call (NULL, NULL);
  stand_in_restore ();
  stand_in.cost = fast;
  return warm_ups;
}

/* A lost device is tried more and more rarely, but each time if some minutes have passed. */
TEST (test_pause, "/choice/pause")
{
  judge_allow_failures ();
  g_assert_cmpint (count_tries (10), ==, 3);
  clock_step (130 * G_TIME_SPAN_SECOND);
  g_assert_cmpint (count_tries (10), ==, 10);
  clock_step (0);
}

/* The device is asked for while it warms, or the engine is freed. */
TEST (test_cold, "/choice/cold")
{
  const FxGpuCost slow_to_open = { .open = 1e6 }, fast = { 0 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (FxEngine) other = fx_engine_new ();
  g_autoptr (Noise) expected = make_expected (engine);
  g_autoptr (Noise) got = noise_copy (expected);
  g_autoptr (GError) error = NULL;
  FxReport report;

  fx_engine_set_lasting (engine);
  fx_engine_set_lasting (other);
  stand_in.cost = slow_to_open;
  g_assert_cmpint (choose (engine, expected, &report), ==, FX_DEVICE_CPU);
  g_assert_cmpint (choose (other, expected, &report), ==, FX_DEVICE_CPU);
  g_assert_true (run (engine, got, 2.0, FX_DEVICE_GPU, &report, &error));
  g_assert_cmpint (report.device, ==, FX_DEVICE_GPU);
  noise_check_same (expected, got);
  stand_in.cost = fast;
}

/* The judge (judge.h): each of these is done by the CPU, and right, after a failure of which nobody
 * has said that it may be. */

static void
fail_run (void)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = make_noise ();

  fault_order ("cuLaunchKernel", 0, FAULT_ONCE);
  g_assert_true (run (engine, noise, 2.0, FX_DEVICE_AUTO, NULL, NULL));
}

/* The GPU is made ready on the side, and nobody asks for it again. */
static void
fail_warming (void)
{
  const FxGpuCost slow_to_open = { .open = 1e6 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = make_noise ();

  fx_engine_set_lasting (engine);
  stand_in.cost = slow_to_open;
  fault_order ("cuModuleLoadData", 0, FAULT_ONCE);
  g_assert_true (run (engine, noise, 2.0, FX_DEVICE_AUTO, NULL, NULL));
}

static void
fail_view (void)
{
  const BlurParams params = { .sigma_x = 2.0, .sigma_y = 2.0 };
  const FxView view = { 0.5, { 0, 0, 50, 40 } };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = make_noise ();
  const Memory *memory = &noise->memory;
  g_autoptr (FxPreview) preview = fx_preview_new (engine, &memory->format, FALSE, memory->width,
                                                  memory->height, memory->pixels);
  g_autofree guint8 *rgba = g_malloc (50 * 40 * 4);

  g_assert_true (run_view (preview, &params, FX_DEVICE_GPU, &view, rgba, NULL, NULL, NULL, NULL));
  fault_order ("cuLaunchKernel", 0, FAULT_ONCE);
  g_assert_true (run_view (preview, &params, FX_DEVICE_AUTO, &view, rgba, NULL, NULL, NULL, NULL));
}

static void
test_judge (gconstpointer func)
{
  if (g_test_subprocess ())
    {
      ((void (*) (void)) func) ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_failed ();
  g_test_trap_assert_stderr ("*WARNING*A device failed, so another one does its work*as the test*");
}

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  g_test_add_data_func ("/judge/run", (gconstpointer) fail_run, test_judge);
  g_test_add_data_func ("/judge/warming", (gconstpointer) fail_warming, test_judge);
  g_test_add_data_func ("/judge/view", (gconstpointer) fail_view, test_judge);
  return g_test_run ();
}
