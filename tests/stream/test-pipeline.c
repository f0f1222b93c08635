/* The work that a run does at the same time: the device opens while the source is read, and
 * finished rows are written while the rest is read. On the stand-in for CUDA and on the CPU. */
#include "noise.h"
#include "run.h"
#include "test.h"
#include "fault.h"

#define WIDTH  150
#define HEIGHT 700 /* several bands */

/* One run's calls, on their way to those of an image in memory. */
typedef struct {
  FxImage image;
  int read, written; /* rows; read is atomic */
  int read_at_first_write;
  int written_at_last_read;
} Recorder;

static Recorder *opening; /* that a device opens for */
static gboolean waited;

static gboolean
read_rows (gpointer data, const FxRect *rect, gpointer pixels, gsize stride, GError **error)
{
  Recorder *recorder = data;

  recorder->written_at_last_read = recorder->written;
  if (! recorder->image.read (recorder->image.data, rect, pixels, stride, error))
    return FALSE;
  g_atomic_int_add (&recorder->read, rect->height);
  return TRUE;
}

static gboolean
write_rows (gpointer data, const FxRect *rect, gconstpointer pixels, gsize stride, GError **error)
{
  Recorder *recorder = data;

  if (recorder->written == 0)
    recorder->read_at_first_write = recorder->read;
  recorder->written += rect->height;
  return recorder->image.write (recorder->image.data, rect, pixels, stride, error);
}

/* The device is not open before rows have been read: on one thread the test would wait for ever. */
static void
wait_for_rows (void)
{
  while (g_atomic_int_get (&opening->read) == 0)
    g_usleep (1000);
  waited = TRUE;
}

static void
run (Recorder *recorder, double sigma, FxDevice device)
{
  const BlurParams params = { .sigma_x = sigma, .sigma_y = sigma };
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  FxImage image;

  *recorder = (Recorder) { .image = memory_get_image (&noise->memory) };
  image = recorder->image;
  image.read = read_rows;
  image.write = write_rows;
  image.data = recorder;
  g_assert_true (run_blur (engine, &params, device, &image, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (recorder->written, ==, HEIGHT);
}

TEST (test_open, "/pipeline/open")
{
  Recorder recorder;

  opening = &recorder;
  waited = FALSE;
  fault_on_call ("cuDevicePrimaryCtxRetain", wait_for_rows);
  run (&recorder, 2.0, FX_DEVICE_GPU);
  fault_on_call (NULL, NULL);
  g_assert_true (waited);
}

/* A FIR needs but few rows ahead. */
TEST (test_stream, "/pipeline/stream")
{
  static const FxDevice devices[] = { FX_DEVICE_GPU, FX_DEVICE_CPU };
  Recorder recorder;

  for (gsize i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      run (&recorder, 2.0, devices[i]);
      g_assert_cmpint (recorder.read_at_first_write, <, HEIGHT);
      g_assert_cmpint (recorder.written_at_last_read, >, 0);
    }
}
