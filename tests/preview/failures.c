/* A GPU that warms up in the background, fails or lacks memory. On the shim (shim/device.h). */
#include "check.h"
#include "judge.h"
#include "tested.h"
#include "run.h"
#include "shim-device.h"

/* Renders with the device that chooses itself; the pixels must be right whoever does it. */
static void
render_any (Subject *s, double sigma, FxViewReport *report)
{
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_autofree guint8 *rgba = g_malloc (50 * 40 * 4);
  g_autoptr (GError) error = NULL;

  run_view (s->preview, &p, FX_DEVICE_AUTO, &v, rgba, NULL, NULL, report, &error);
  g_assert_no_error (error);
  check_rgba (s, &p, &v, rgba);
}

static void
render_until_gpu (Subject *s, double sigma)
{
  FxViewReport report;

  for (;;)
    {
      render_any (s, sigma, &report);
      if (report.report.device == FX_DEVICE_GPU)
        break;
      g_assert_true (report.draft); /* to be asked for again */
      g_assert_nonnull (strstr (report.report.fallback, "before the GPU would be ready"));
    }
  g_assert_false (report.draft);
  g_assert_cmpstr (report.report.fallback, ==, "");
}

/* A new engine warms the GPU up while the CPU renders, also for the next view, whatever the
 * estimated cost of a run. */
TEST (test_warming, "/preview/warming")
{
  const FxGpuCost slow = { .open = 1e6, .run = 1e6 }, fast = { 0 };
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };

  subject_init (&s, own, subject_rgba8, FALSE, 100, 80);
  shim_set_cost (&slow);
  render_until_gpu (&s, 0.0);
  render_until_gpu (&s, 2.0);
  render_until_gpu (&s, 30.0);
  shim_set_cost (&fast);
}

/* Freeing a preview frees the image and the mask on the device, which holds one preview's at a
 * time. */
TEST (test_given_back, "/preview/given-back")
{
  const BlurParams p = { .sigma_x = 2.0, .sigma_y = 2.0 };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_autoptr (FxEngine) own = fx_engine_new ();
  gsize before, with_image;
  Subject s, other;

  subject_init (&s, own, subject_rgba8, FALSE, 100, 80);
  subject_init (&other, own, subject_rgba8, FALSE, 100, 80);
  subject_mask (&s, 30.0);
  check_view (&other, &p, &v);
  before = shim_get_memory ();
  check_view (&s, &p, &v);
  with_image = shim_get_memory ();
  g_assert_cmpuint (with_image - before, ==, 100 * 80);
  subject_clear (&other); /* nothing of it is there any more */
  g_assert_cmpuint (shim_get_memory (), ==, with_image);
  check_view (&s, &p, &v);
  subject_clear (&s);
  g_assert_cmpuint (shim_get_memory (), ==, with_image - 100 * 80 * 5);
}

/* One that cannot be got ready: it is said why, and is no draft. */
TEST (test_never_warm, "/preview/never-warm")
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own, subject_rgba8, FALSE, 100, 80);
  judge_allow_failures ();
  shim_fail (SHIM_PROGRAM, 0, FX_ERROR_DEVICE, TRUE);
  do
    {
      render_any (&s, 2.0, &report);
      g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
    }
  while (report.draft);
  g_assert_nonnull (strstr (report.report.fallback, "as the test wants"));
  shim_mend ();
}

static int opens; /* of devices */

static void
count_open (void)
{
  opens++;
}

/* A call that fails: the CPU does it, or, asked for the GPU alone, an error; then all goes on. */
static void
check_failure (ShimCall call, int skip, gboolean lost, double sigma)
{
  const int before = opens;
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma };
  const FxView v = { 0.5, { 0, 0, 50, 40 } };
  g_autofree guint8 *rgba = g_malloc (50 * 40 * 4);
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own, subject_rgba8, FALSE, 100, 80);
  render_until_gpu (&s, sigma);
  subject_fill (&s, 20, 60, 1.0);
  fx_preview_change (s.preview, 20, 40);
  subject_mask (&s, 30.0);
  judge_allow_failures ();
  shim_fail (call, skip, FX_ERROR_DEVICE, lost);
  render_any (&s, sigma, &report);
  g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.report.fallback, "as the test wants"));
  g_assert_false (report.draft);
  shim_mend ();
  render_until_gpu (&s, sigma);
  g_assert_cmpint (opens - before, ==, lost ? 2 : 1); /* a lost device is opened again */

  fx_preview_change (s.preview, 20, 40);
  shim_fail (call, skip, FX_ERROR_DEVICE, lost);
  g_assert_false (run_view (s.preview, &p, FX_DEVICE_GPU, &v, rgba, NULL, NULL, &report, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
  g_clear_error (&error);
  shim_mend ();
  check_view (&s, &p, &v);
}

TEST (test_failures, "/preview/failures")
{
  static const struct {
    ShimCall call;
    int skip;
  } calls[] = {
    { SHIM_BUFFER, 0 }, { SHIM_BUFFER, 1 }, { SHIM_BUFFER, 5 }, { SHIM_UPLOAD, 0 },
    { SHIM_UPLOAD, 1 }, { SHIM_LAUNCH, 0 }, { SHIM_LAUNCH, 1 }, { SHIM_DOWNLOAD, 0 },
  };

  shim_on_open (count_open);
  for (gsize n = 0; n < G_N_ELEMENTS (calls); n++)
    for (int lost = 0; lost <= 1; lost++)
      check_failure (calls[n].call, calls[n].skip, lost, n % 2 ? 2.0 : 12.0);
  shim_on_open (NULL);
}

/* Memory that ran out is made room for, once; the image on the device stays. */
TEST (test_memory, "/preview/memory")
{
  for (int skip = 0; skip < 7; skip++)
    {
      const BlurParams p = { .sigma_x = 12.0, .sigma_y = 12.0 };
      const FxView v = { 0.5, { 0, 0, 50, 40 } };
      g_auto (Subject) s = { 0 };

      subject_init (&s, tested_engine (), subject_rgba8, FALSE, 100, 80);
      subject_mask (&s, 30.0);
      shim_fail (SHIM_BUFFER, skip, FX_ERROR_MEMORY, FALSE);
      check_view (&s, &p, &v);
      shim_mend ();
    }
}

/* More than the environment allows: the CPU does it. */
TEST (test_memory_limit, "/preview/memory-limit")
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own, subject_rgba8, FALSE, 100, 80);
  render_until_gpu (&s, 2.0);
  judge_allow_failures ();
  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "30000", TRUE);
  render_any (&s, 2.0, &report);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.report.fallback, "GPU memory"));
}
