/* How much work on the CPU lies between two questions whether the result is still wanted: half a
 * second at most, whatever the settings. Work is counted, not done: blocks are not computed. */
#include "blur.h"
#include "cpu-blocks.h"
#include "motion.h"
#include "selective.h"
#include "test.h"

/* The work of half a second on a thread, by the filters' measured costs. */
#define PATH_SAMPLES  1.6e8
#define WINDOW_PIXELS 1.2e9

typedef struct {
  FxCpuBlocks *run;
  double (*get_work) (const FxRect *block);
  double work, most; /* since the last question, and the most between two */
  int questions;
} Watch;

static Watch watch;

static void
count_work (const FxCpuBlocks *run, const FxRect *block, guint8 *result, gsize stride, int thread)
{
  watch.work += watch.get_work (block);
}

static gboolean
ask (gpointer data, GError **error)
{
  watch.most = MAX (watch.most, watch.work);
  watch.work = 0.0;
  watch.questions++;
  return TRUE;
}

/* Runs the first rows of an image through the plan on one thread. */
static void
run_rows (const FxPlan *plan, int width, int height, int rows)
{
  const FxBackend *backend = &fx_cpu_backend;
  const FxImage image = {
    .format = plan->codec.format, .width = width, .height = height, .region = { 0, 0, width, rows }
  };
  FxCpu cpu = { .threads = 1 };
  FxLayout layout = fx_layout_new (backend, &cpu, plan, &image, FALSE, G_MAXSIZE);
  FxStrip strip = fx_layout_get_strip (&layout, &plan->reach, &image, 0);
  gsize bytes = (gsize) width * height * fx_format_size (&image.format);
  g_autofree guint8 *source = g_malloc0 (bytes), *result = g_malloc (bytes);
  FxRun *run = backend->begin (&cpu, plan, &strip, NULL);
  int y, end;

  watch.run = (FxCpuBlocks *) run;
  run->is_wanted = ask;
  if (watch.get_work)
    watch.run->filter = count_work;
  for (y = strip.source_y0; y < strip.source_y1; y = end)
    {
      end = fx_strip_get_chunk_end (&strip, y, strip.source_y1);
      g_assert_true (backend->push (run, source, y, end - y, NULL));
    }
  g_assert_true (backend->pull (run, result, 0, rows, NULL));
  watch.most = MAX (watch.most, watch.work);
  backend->end (run);
}

static const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };

/* A turn around a point far away. */
static const FxGeometry photo = { 0, 0, 6000, 4000 };
static const MotionParams turn = {
  .kind = MOTION_SPIN, .angle = 360.0, .center_x = 10.0, .center_y = 0.5
};

static double
get_samples (const FxRect *block)
{
  double x = turn.center_x * photo.width - block->x;
  double y = turn.center_y * photo.height - block->y;

  return 2.0 * G_PI * hypot (x, y) * block->width * block->height;
}

TEST (test_spin, "/engine/pace/spin")
{
  g_autoptr (FxPlan) plan = motion_plan_new (&turn, &format, &photo, NULL);

  watch = (Watch) { .get_work = get_samples };
  run_rows (plan, (int) photo.width, 64, 64);
  g_assert_cmpfloat (watch.most, >, 0.0);
  g_assert_cmpfloat (watch.most, <=, PATH_SAMPLES);
}

/* The largest window, in a wide picture. */
#define RADIUS SELECTIVE_RADIUS_MAX

static double
get_window_pixels (const FxRect *block)
{
  return (2.0 * RADIUS + 1.0) * (2.0 * RADIUS + 1.0) * block->width * block->height;
}

TEST (test_selective, "/engine/pace/selective")
{
  const SelectiveParams params = { .sigma = SELECTIVE_SIGMA_MAX, .radius = RADIUS, .delta = 0.1 };
  g_autoptr (FxPlan) plan = selective_plan_new (&params, &format, NULL);

  watch = (Watch) { .get_work = get_window_pixels };
  run_rows (plan, 30000, 16, 16);
  g_assert_cmpfloat (watch.most, >, 0.0);
  g_assert_cmpfloat (watch.most, <=, WINDOW_PIXELS);
}

/* The largest kernel: the first block alone takes seconds, of a picture larger than this one. */
TEST (test_kernel, "/engine/pace/kernel")
{
  const BlurParams params = { .sigma_x = 2000.0, .sigma_y = 2000.0, .kernel_size = 9999 };
  g_autoptr (FxPlan) plan = blur_plan_new (&params, &format, NULL);

  watch = (Watch) { 0 };
  run_rows (plan, 300, 100, 100);
  g_assert_cmpint (watch.questions, >=, 100);
}
