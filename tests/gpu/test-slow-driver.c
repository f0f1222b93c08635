/* A driver that answers late: neither an automatic run nor a view waits for it, and later ones
 * report its answer. */
#include "engine-gpu.h"
#include "noise.h"
#include "run.h"
#include "test.h"
#include "slow-driver.h"

static const BlurParams params = { .sigma_x = 3.0, .sigma_y = 3.0 };

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

/* data: whether the caller may wait for the GPU. A run that waited for the driver would not end. */
static void
test_run (gconstpointer data)
{
  /* With more threads the CPU would be the faster one in any case. */
  const FxConfig config = { .device = FX_DEVICE_AUTO, .memory_limit = G_MAXSIZE, .threads = 2 };
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = noise_new (1500, 1000);

  fx_engine_set_config (engine, &config);
  fx_engine_set_lasting (engine);
  fx_engine_set_waiting (engine, GPOINTER_TO_INT (data));
  run (engine, noise, "The CPU finishes before the GPU would be ready");
  slow_driver_wait ();
  run (engine, noise, "The CPU finishes before the GPU would be ready");
  slow_driver_let_go ();
  g_assert_null (fx_gpu_owner_wait (fx_engine_get_gpu_owner (engine)));
  run (engine, noise, "The NVIDIA driver finds no GPU that may be used");
}

static void
show (FxPreview *preview, const char *fallback, gboolean draft)
{
  const FxView view = { .scale = 0.2, .rect = { 0, 0, 300, 200 } };
  g_autofree guint8 *rgba = g_malloc (300 * 200 * 4);
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
  g_autoptr (Noise) noise = noise_new (1500, 1000);
  const Memory *memory = &noise->memory;
  g_autoptr (FxPreview)
    preview = fx_preview_new (engine, &memory->format, FALSE, 1500, 1000, memory->pixels);

  show (preview, "The CPU finishes before the GPU would be ready", TRUE);
  slow_driver_wait ();
  show (preview, "The CPU finishes before the GPU would be ready", TRUE);
  slow_driver_let_go ();
  g_assert_null (fx_gpu_owner_wait (fx_engine_get_gpu_owner (engine)));
  show (preview, "The NVIDIA driver finds no GPU that may be used", FALSE);
}

/* Each in a separate process, because CUDA asks the driver only once. */
int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  g_test_add_data_func ("/slow-driver/waiting", GINT_TO_POINTER (TRUE), test_run);
  g_test_add_data_func ("/slow-driver/never-waiting", GINT_TO_POINTER (FALSE), test_run);
  return g_test_run ();
}
