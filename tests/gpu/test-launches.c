/* Long work in short launches: the same pixels, however they are cut, and between two of them
 * Cancel is heard. On the stand-in for CUDA (shim/). */
#include "error.h"
#include "fault.h"
#include "gpu-run.h"
#include "noise.h"
#include "run.h"
#include "test.h"
#include "stand-in.h"
#include "gpu-view.h"
#include "reduce-args.h"

#define WIDTH    300
#define HEIGHT   120      /* one chunk: nobody asks between chunks */
#define LIMIT    200000.0 /* less than a row of some of the blurs below costs */
#define PATIENCE (60 * G_USEC_PER_SEC)
#define DESKTOP  ((gsize) 400 << 20) /* bytes of the device's memory that are left to it */

/* The FIR in one kernel and in two, multi-resolution with one stage and with more, a mix. */
static const BlurParams blurs[] = {
  { .sigma_x = 2.0, .sigma_y = 3.0 },   { .sigma_x = 40.0, .sigma_y = 40.0, .kernel_size = 151 },
  { .sigma_x = 12.0, .sigma_y = 12.0 }, { .sigma_x = 90.0, .sigma_y = 70.0 },
  { .sigma_x = 1.0, .sigma_y = 20.0 },
};

static int launches; /* so far */

static void
count_launch (void)
{
  launches++;
}

static gboolean
run (FxEngine *engine, Noise *noise, const BlurParams *params, FxProgressFunc progress,
     GError **error)
{
  FxImage image = memory_get_image (&noise->memory);

  image.progress = progress;
  return run_blur (engine, params, FX_DEVICE_GPU, &image, NULL, error);
}

TEST (test_same, "/launches/same")
{
  fault_on_call ("cuLaunchKernel", count_launch);
  for (gsize i = 0; i < G_N_ELEMENTS (blurs); i++)
    {
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (Noise) whole = noise_new (WIDTH, HEIGHT);
      g_autoptr (Noise) cut = noise_copy (whole);
      g_autoptr (GError) error = NULL;
      int before = launches, few;

      stand_in_launch_limit = G_MAXDOUBLE;
      g_assert_true (run (engine, whole, &blurs[i], NULL, &error));
      few = launches - before;
      stand_in_launch_limit = LIMIT;
      g_assert_true (run (engine, cut, &blurs[i], NULL, &error));
      g_assert_no_error (error);
      g_test_message ("blur %u: %d launches, %d when cut", (guint) i, few, launches - before - few);
      g_assert_cmpint (launches - before - few, >=, 2 * few);
      g_assert_cmpmem (whole->result, whole->size, cut->result, cut->size);
    }
}

/* A run that is cancelled: its third launch waits until the caller has been asked between two
 * launches. */

static struct {
  GMutex lock;
  GCond changed;
  int reports, launches;
} cancelling;

static gboolean
cancel (gpointer data, double fraction)
{
  gboolean go_on;

  g_mutex_lock (&cancelling.lock);
  go_on = ++cancelling.reports < 3; /* at the start, and once the source is read */
  g_cond_signal (&cancelling.changed);
  g_mutex_unlock (&cancelling.lock);
  return go_on;
}

static void
wait_for_cancel (void)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  g_mutex_lock (&cancelling.lock);
  if (++cancelling.launches == 3)
    while (cancelling.reports < 3 && g_cond_wait_until (&cancelling.changed, &cancelling.lock, end))
      ;
  g_mutex_unlock (&cancelling.lock);
}

TEST (test_cancel, "/launches/cancel")
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);
  g_autoptr (GError) error = NULL;
  int before = launches, all;

  fault_on_call ("cuLaunchKernel", count_launch);
  stand_in_launch_limit = LIMIT;
  g_assert_true (run (engine, noise, &blurs[1], NULL, &error));
  all = launches - before;
  fault_on_call ("cuLaunchKernel", wait_for_cancel);
  g_assert_false (run (engine, noise, &blurs[1], cancel, &error));
  fault_on_call (NULL, NULL);
  g_assert_error (error, FX_ERROR, FX_ERROR_CANCELLED);
  g_test_message ("%d of %d launches", cancelling.launches, all);
  g_assert_cmpint (cancelling.launches, <, all);
  g_clear_error (&error);
  g_assert_true (run (engine, noise, &blurs[0], NULL, &error)); /* the engine is whole */
}

/* Views. */

#define VIEW_WIDTH  150
#define VIEW_HEIGHT 60

typedef struct {
  int left;     /* reports until it says no; below 0: never */
  int launches; /* when it did */
} Patience;

static gboolean
lose_patience (gpointer data, double fraction)
{
  Patience *patience = data;

  if (patience->left < 0 || patience->left-- > 0)
    return TRUE;
  patience->launches = launches;
  return FALSE;
}

static gboolean
render (FxPreview *preview, const BlurParams *params, Patience *patience, guint8 *rgba,
        GError **error)
{
  const FxView view = { .scale = 0.5, .rect = { 0, 0, VIEW_WIDTH, VIEW_HEIGHT } };

  return run_view (preview, params, FX_DEVICE_GPU, &view, rgba, lose_patience, patience, NULL,
                   error);
}

TEST (test_views, "/launches/views")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);

  fault_on_call ("cuLaunchKernel", count_launch);
  for (gsize i = 0; i < G_N_ELEMENTS (blurs); i++)
    {
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (FxPreview)
        preview = fx_preview_new (engine, &format, FALSE, WIDTH, HEIGHT, noise->source);
      guint8 whole[VIEW_HEIGHT][VIEW_WIDTH][4], cut[VIEW_HEIGHT][VIEW_WIDTH][4];
      Patience patience = { -1, 0 };
      g_autoptr (GError) error = NULL;

      stand_in_launch_limit = G_MAXDOUBLE;
      g_assert_true (render (preview, &blurs[i], &patience, **whole, &error));
      stand_in_launch_limit = LIMIT;
      g_assert_true (render (preview, &blurs[i], &patience, **cut, &error));
      g_assert_cmpmem (whole, sizeof whole, cut, sizeof cut);

      /* The image is there: one report as the view begins, others between launches. */
      patience.left = 3;
      g_assert_false (render (preview, &blurs[i], &patience, **cut, &error));
      g_assert_error (error, FX_ERROR, FX_ERROR_CANCELLED);
      g_assert_cmpint (patience.launches, >, 0);
      g_assert_cmpint (launches, ==, patience.launches);
    }
}

/* A view takes no more memory than is free, beside the image, which stays. */
TEST (test_memory, "/launches/memory")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autoptr (Noise) noise = noise_new (WIDTH, HEIGHT);
  const gsize free_bytes = noise->size * 3 / 2;
  guint8 views[2][VIEW_HEIGHT][VIEW_WIDTH][4];
  gsize taken[2];

  stand_in_launch_limit = G_MAXDOUBLE;
  for (int scarce = 0; scarce <= 1; scarce++)
    {
      g_autoptr (FxEngine) engine = fx_engine_new ();
      g_autoptr (FxPreview)
        preview = fx_preview_new (engine, &format, FALSE, WIDTH, HEIGHT, noise->source);
      Patience patience = { -1, 0 };
      g_autoptr (GError) error = NULL;

      if (scarce)
        stand_in.free_bytes = DESKTOP + free_bytes;
      g_assert_true (render (preview, &blurs[0], &patience, **views[scarce], &error));
      g_assert_no_error (error);
      taken[scarce] = stand_in_get_memory ();
    }
  stand_in_reset ();
  g_assert_cmpmem (views[0], sizeof views[0], views[1], sizeof views[1]);
  g_test_message ("%" G_GSIZE_FORMAT " bytes, %" G_GSIZE_FORMAT " where little is free", taken[0],
                  taken[1]);
  g_assert_cmpuint (taken[0], >, taken[1]);
  g_assert_cmpuint (taken[1], <, free_bytes + sizeof views[0] * 2);
}

/* An address that is no multiple of its type's size is refused, as a device would. */
TEST (test_aligned, "/launches/aligned")
{
  static guint8 memory[64] __attribute__ ((aligned (64)));
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const FxProgramCase program_case = { .codec = fx_codec_new (&format, FX_LIGHT_LINEAR) };
  const FxLaunch launch = { .x = 1, .y = 1, .threads = FX_REDUCE_THREADS };
  const FxConfig config = { 0 };
  FxGpu *gpu = fx_gpu_open (&config, NULL);
  FxKernel *kernel = fx_gpu_get_kernel (gpu, &fx_program_reduce, &program_case, NULL);

  for (int n = 0; n < 3; n++)
    {
      FxSource source = { .pixels = memory + 2 * (n == 0) };
      FxResult result = { .pixels = memory + 2 * (n == 1) };
      gpointer mask = NULL, columns = memory, rows = memory, view = memory + 2 * (n == 2);
      int width = 0, first = 0, lanes = 1, coverage = 0, resident = 0;
      void *args[] = { &source, &mask,  &result,   &columns,  &rows, &width,
                       &first,  &lanes, &coverage, &resident, &view };
      g_autoptr (GError) error = NULL;

      g_assert_false (fx_gpu_launch (gpu, kernel, &launch, args, &error));
      g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
    }
  fx_gpu_close (gpu);
}
