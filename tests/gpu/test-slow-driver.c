/* A driver that answers late: neither an automatic run nor a view waits for it, and later ones
 * report its answer. */
#include "engine-gpu.h"
#include "fault.h"
#include "noise.h"
#include "run.h"
#include "stand-in.h"
#include "test.h"

#define WIDTH  60
#define HEIGHT 40

static const BlurParams params = { .sigma_x = 3.0, .sigma_y = 3.0 };

static struct {
  GMutex lock;
  GCond changed;
  gboolean asked, let_go;
} driver;

static void
set (gboolean *flag)
{
  g_mutex_lock (&driver.lock);
  *flag = TRUE;
  g_cond_broadcast (&driver.changed);
  g_mutex_unlock (&driver.lock);
}

static void
wait_for (const gboolean *flag)
{
  g_mutex_lock (&driver.lock);
  while (! *flag)
    g_cond_wait (&driver.changed, &driver.lock);
  g_mutex_unlock (&driver.lock);
}

static void
answer_late (void)
{
  set (&driver.asked);
  wait_for (&driver.let_go);
}

/* From now on the driver answers late, and has no device. */
static void
slow_down (void)
{
  driver.asked = driver.let_go = FALSE;
  stand_in.devices = 0;
  stand_in.cost = (FxGpuCost) { .open = 1e6 };
  fault_on_call ("cudaDriverGetVersion", answer_late);
}

static void
run (FxEngine *engine, Noise *noise, const char *fallback)
{
  const FxImage image = memory_get_image (&noise->memory);
  g_autoptr (GError) error = NULL;
  FxReport report;

  g_assert_true (run_blur (engine, &params, FX_DEVICE_AUTO, &image, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (report.fallback, ==, fallback);
}

/* A run that waited for the driver would not end, whether or not the caller may wait for the
 * GPU. */
TEST (test_run, "/slow-driver/run")
{
  for (int waiting = 0; waiting <= 1; waiting++)
    {
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);

      slow_down ();
      fx_engine_set_lasting (engine);
      fx_engine_set_waiting (engine, waiting);
      run (engine, noise, "The CPU finishes before the GPU would be ready");
      wait_for (&driver.asked);
      run (engine, noise, "The CPU finishes before the GPU would be ready");
      set (&driver.let_go);
      g_assert_null (fx_gpu_owner_wait (fx_engine_get_gpu_owner (engine)));
      run (engine, noise, "The NVIDIA driver finds no GPU that may be used");
    }
}

static void
show (FxPreview *preview, const char *fallback, gboolean draft)
{
  const FxView view = { .scale = 0.5, .rect = { 0, 0, WIDTH / 2, HEIGHT / 2 } };
  g_autofree guint8 *rgba = g_malloc (WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;
  FxViewReport report;

  g_assert_true (
    run_view (preview, &params, FX_DEVICE_AUTO, &view, rgba, NULL, NULL, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (report.report.fallback, ==, fallback);
  g_assert_true (report.draft || ! draft);
}

TEST (test_view, "/slow-driver/view")
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);
  g_autoptr (FxPreview)
    preview = fx_preview_new (engine, &noise->memory.format, FALSE, WIDTH, HEIGHT, noise->source);

  slow_down ();
  show (preview, "The CPU finishes before the GPU would be ready", TRUE);
  wait_for (&driver.asked);
  show (preview, "The CPU finishes before the GPU would be ready", TRUE);
  set (&driver.let_go);
  g_assert_null (fx_gpu_owner_wait (fx_engine_get_gpu_owner (engine)));
  show (preview, "The NVIDIA driver finds no GPU that may be used", FALSE);
}
