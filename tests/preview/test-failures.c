/* A preview's GPU that warms up in the background, fails or lacks memory, and a CPU that lacks it
 * for a draft. On the stand-in for CUDA (shim/). What a view must be is what another preview shows
 * that only the CPU renders. */
#include "fault.h"
#include "judge.h"
#include "noise.h"
#include "preview.h"
#include "run.h"
#include "stand-in.h"
#include "test.h"

#define WIDTH       100
#define HEIGHT      80
#define VIEW_WIDTH  50
#define VIEW_HEIGHT 40
#define VIEW_BYTES  (VIEW_WIDTH * VIEW_HEIGHT * 4)
#define DESKTOP     ((gsize) 400 << 20) /* bytes of the device's memory that are left to it */
#define SAME        2 /* the most levels by which the views of two devices may differ */

/* Noise, opaque, as alpha would magnify what devices may differ by. */
typedef struct {
  Noise *noise;
  guint8 *mask; /* or NULL */
  FxPreview *preview;
} Subject;

static FxPreview *
subject_preview_new (const Subject *s, FxEngine *engine)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };

  return fx_preview_new (engine, &format, FALSE, WIDTH, HEIGHT, s->noise->source);
}

static void
subject_init (Subject *s, FxEngine *engine)
{
  *s = (Subject) { .noise = noise_new (WIDTH, HEIGHT) };
  for (int i = 3; i < WIDTH * HEIGHT * 4; i += 4)
    s->noise->source[i] = 255;
  s->preview = subject_preview_new (s, engine);
}

static void
subject_clear (Subject *s)
{
  fx_preview_free (s->preview);
  noise_free (s->noise);
  g_free (s->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Subject, subject_clear)

/* Inverts rows 20 to 59. Does not call fx_preview_change. */
static void
subject_invert (Subject *s)
{
  for (int i = 20 * WIDTH * 4; i < 60 * WIDTH * 4; i++)
    s->noise->source[i] ^= i % 4 < 3 ? 0xff : 0;
}

static void
subject_mask (Subject *s)
{
  s->mask = g_malloc (WIDTH * HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    s->mask[i] = (guint8) MIN (i % WIDTH * 4, 255);
  fx_preview_set_mask (s->preview, s->mask);
}

static gboolean
render (FxPreview *preview, double sigma, FxDevice device, guint8 *rgba, FxViewReport *report,
        GError **error)
{
  const BlurParams p = { .sigma_x = sigma, .sigma_y = sigma };
  const FxView v = { 0.5, { 0, 0, VIEW_WIDTH, VIEW_HEIGHT } };

  return run_view (preview, &p, device, &v, rgba, NULL, NULL, report, error);
}

/* The pixels must be right whoever does it. */
static void
check (const Subject *s, double sigma, FxDevice device, FxViewReport *report)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (FxPreview) other = subject_preview_new (s, engine);
  g_autofree guint8 *got = g_malloc (VIEW_BYTES), *expected = g_malloc (VIEW_BYTES);
  g_autoptr (GError) error = NULL;

  fx_preview_set_mask (other, s->mask);
  render (s->preview, sigma, device, got, report, &error);
  g_assert_no_error (error);
  g_assert_true (render (other, sigma, FX_DEVICE_CPU, expected, NULL, NULL));
  for (int i = 0; i < VIEW_BYTES; i++)
    g_assert_cmpint (ABS (got[i] - expected[i]), <=, SAME);
}

static void
render_any (const Subject *s, double sigma, FxViewReport *report)
{
  check (s, sigma, FX_DEVICE_AUTO, report);
}

static void
render_until_gpu (const Subject *s, double sigma)
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

  subject_init (&s, own);
  stand_in.cost = slow;
  render_until_gpu (&s, 0.0);
  render_until_gpu (&s, 2.0);
  render_until_gpu (&s, 30.0);
  stand_in.cost = fast;
}

/* The memory of an image is not kept for one that is much smaller. */
TEST (test_smaller, "/preview/smaller")
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  g_autoptr (FxPreview) small = NULL;
  g_autofree guint8 *rgba = g_malloc (VIEW_BYTES);
  g_autoptr (GError) error = NULL;
  gsize before;

  subject_init (&s, own);
  check (&s, 2.0, FX_DEVICE_GPU, NULL);
  before = stand_in_get_memory ();
  small = fx_preview_new (own, fx_preview_get_format (s.preview), FALSE, 40, 40, s.noise->source);
  render (small, 2.0, FX_DEVICE_GPU, rgba, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (before - stand_in_get_memory (), ==, (WIDTH * HEIGHT - 40 * 40) * 4);
}

/* Freeing a preview frees the image and the mask on the device, which holds one preview's at a
 * time. */
TEST (test_given_back, "/preview/given-back")
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  gsize before, with_image;
  Subject s, other;

  subject_init (&s, own);
  subject_init (&other, own);
  subject_mask (&s);
  check (&other, 2.0, FX_DEVICE_GPU, NULL);
  before = stand_in_get_memory ();
  check (&s, 2.0, FX_DEVICE_GPU, NULL);
  with_image = stand_in_get_memory ();
  g_assert_cmpuint (with_image - before, ==, WIDTH * HEIGHT);
  subject_clear (&other); /* nothing of it is there any more */
  g_assert_cmpuint (stand_in_get_memory (), ==, with_image);
  check (&s, 2.0, FX_DEVICE_GPU, NULL);
  subject_clear (&s);
  g_assert_cmpuint (stand_in_get_memory (), ==, with_image - WIDTH * HEIGHT * 5);
}

/* One that cannot be got ready: it is said why, and is no draft. */
TEST (test_never_warm, "/preview/never-warm")
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own);
  judge_allow_failures ();
  fault_order ("cuModuleLoadData", 0, FAULT_LOST);
  do
    {
      render_any (&s, 2.0, &report);
      g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
    }
  while (report.draft);
  g_assert_nonnull (strstr (report.report.fallback, "as the test wants"));
  stand_in_restore ();
}

static int opens; /* of devices */

static void
count_open (void)
{
  opens++;
}

/* A call that fails: the CPU does it, or, asked for the GPU alone, an error; then all goes on. */
static void
check_failure (const char *point, guint skip, FaultMode mode, double sigma)
{
  const int before = opens;
  g_autofree guint8 *rgba = g_malloc (VIEW_BYTES);
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own);
  render_until_gpu (&s, sigma);
  subject_invert (&s);
  fx_preview_change (s.preview, 20, 40);
  subject_mask (&s);
  judge_allow_failures ();
  fault_order (point, skip, mode);
  render_any (&s, sigma, &report);
  g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.report.fallback, "as the test wants"));
  g_assert_false (report.draft);
  stand_in_restore ();
  render_until_gpu (&s, sigma);
  g_assert_cmpint (opens - before, ==,
                   mode == FAULT_LOST ? 2 : 1); /* a lost device is opened again */

  fx_preview_change (s.preview, 20, 40);
  fault_order (point, skip, mode);
  g_assert_false (render (s.preview, sigma, FX_DEVICE_GPU, rgba, &report, &error));
  g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
  g_clear_error (&error);
  stand_in_restore ();
  check (&s, sigma, FX_DEVICE_GPU, NULL);
}

TEST (test_failures, "/preview/failures")
{
  static const struct {
    const char *point;
    guint skip;
  } calls[] = {
    { "cuMemGetInfo", 0 },   { "cuMemcpyHtoDAsync", 0 }, { "cuMemcpyHtoDAsync", 1 },
    { "cuLaunchKernel", 0 }, { "cuLaunchKernel", 1 },    { "cuMemcpyDtoHAsync", 0 },
  };

  fault_on_call ("cuDevicePrimaryCtxRetain", count_open);
  for (gsize n = 0; n < G_N_ELEMENTS (calls); n++)
    for (int lost = 0; lost <= 1; lost++)
      check_failure (calls[n].point, calls[n].skip, lost ? FAULT_LOST : FAULT_ONCE,
                     n % 2 ? 2.0 : 12.0);
  fault_on_call (NULL, NULL);
}

/* Memory that ran out is made room for, once; the image on the device stays. */
TEST (test_memory, "/preview/memory")
{
  for (guint skip = 0; skip < 7; skip++)
    {
      g_autoptr (FxEngine) own = fx_engine_new ();
      g_auto (Subject) s = { 0 };

      subject_init (&s, own);
      subject_mask (&s);
      fault_order ("cuMemAlloc", skip, FAULT_ONCE);
      check (&s, 12.0, FX_DEVICE_GPU, NULL);
      g_assert_true (fault_end ());
    }
}

/* A view takes no more memory than is free, beside the image, which stays. */
TEST (test_scarce, "/preview/scarce")
{
  const gsize free_bytes = WIDTH * HEIGHT * 6;
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  guint8 views[2][VIEW_BYTES];
  gsize taken[2];

  subject_init (&s, own);
  for (int scarce = 0; scarce <= 1; scarce++)
    {
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (FxPreview) preview = subject_preview_new (&s, engine);
      g_autoptr (GError) error = NULL;

      if (scarce)
        stand_in.free_bytes = DESKTOP + free_bytes;
      render (preview, 2.0, FX_DEVICE_GPU, views[scarce], NULL, &error);
      g_assert_no_error (error);
      taken[scarce] = stand_in_get_memory ();
    }
  stand_in_reset ();
  g_assert_cmpmem (views[0], VIEW_BYTES, views[1], VIEW_BYTES);
  g_test_message ("%" G_GSIZE_FORMAT " bytes, %" G_GSIZE_FORMAT " where little is free", taken[0],
                  taken[1]);
  g_assert_cmpuint (taken[0], >, taken[1]);
  g_assert_cmpuint (taken[1], <, free_bytes + 2 * VIEW_BYTES);
}

/* More than the environment allows: the CPU does it. */
TEST (test_memory_limit, "/preview/memory-limit")
{
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  FxViewReport report;

  subject_init (&s, own);
  render_until_gpu (&s, 2.0);
  judge_allow_failures ();
  g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "30000", TRUE);
  render_any (&s, 2.0, &report);
  g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
  g_assert_cmpint (report.report.device, ==, FX_DEVICE_CPU);
  g_assert_nonnull (strstr (report.report.fallback, "GPU memory"));
}

static FxPlan *
get_no_draft (const FxPlan *plan, int level)
{
  return NULL;
}

static double
get_high_cost (const FxPlan *plan)
{
  return 1e6;
}

/* No memory for the plan of a draft: the view is no draft. */
TEST (test_no_draft, "/preview/no-draft")
{
  const BlurParams params = { .sigma_x = 2.0, .sigma_y = 2.0 };
  const FxView view = { .scale = 0.5, .rect = { 0, 0, VIEW_WIDTH, VIEW_HEIGHT }, .draft = TRUE };
  g_autoptr (FxEngine) own = fx_engine_new ();
  g_auto (Subject) s = { 0 };
  g_autoptr (FxPlan) plan = NULL;
  g_autofree guint8 *got = g_malloc (VIEW_BYTES), *expected = g_malloc (VIEW_BYTES);
  g_autoptr (GError) error = NULL;
  FxViewReport report;
  FxFilter filter;

  subject_init (&s, own);
  plan = blur_plan_new (&params, fx_preview_get_format (s.preview), NULL);
  filter = *plan->filter;
  filter.get_draft = get_no_draft;
  filter.get_cpu_cost = get_high_cost;
  plan->filter = &filter;
  fx_preview_render (s.preview, plan, FX_DEVICE_CPU, &view, got, NULL, NULL, &report, &error);
  g_assert_no_error (error);
  g_assert_false (report.draft);
  g_assert_true (render (s.preview, 2.0, FX_DEVICE_CPU, expected, NULL, NULL));
  g_assert_cmpmem (got, VIEW_BYTES, expected, VIEW_BYTES);
}
