/* Tests that GPUs can start every launch of every plan. Matrices of all sizes, in all formats,
 * sigmas and kernel sizes of the blur, radii of the lens blur, motions and windows of the selective
 * blur go through the engine's own plans and launches. The driver, for each compute capability,
 * runs nothing, but refuses what CUDA's driver refuses (shim/driver-limits.h). NVRTC compiles the
 * kernels. */
#include "alike-builder.h"
#include "blur.h"
#include "convolve.h"
#include "device-private.h"
#include "driver-limits.h"
#include "error.h"
#include "gpu-run.h"
#include "motion.h"
#include "selective.h"
#include "test.h"
#include "gpu-view.h"
#include "reduce-args.h"
#include "stand-in.h"
#include "sweep.h"
#include "whole-strip.h"

#define SIZE         40      /* of the image */
#define TALL         1100000 /* rows, about twice GIMP's largest height */
#define MESSAGES_MAX 40
#define SAMPLES      12 /* programs that are compared with their replacements */
#define GROUP_MAX    3  /* capabilities */

/* Groups of capabilities with the same shared memory per block, so that plans are the same on them.
 * Each plan runs on one of each group, chosen at random. */
static const int groups[][GROUP_MAX] = { { 52, 61 }, { 75 }, { 86, 89, 120 }, { 90 } };

/* One GPU of each capability, with generic programs and with specialised ones. */
static FxGpu *gpus[2][G_N_ELEMENTS (groups)][GROUP_MAX];

static struct {
  guint runs, refused;
} counts;

static FxGpu *
open_gpu (gboolean specialised, int arch)
{
  const FxConfig config = {
    .versions = specialised ? FX_VERSIONS_SPECIALISED : FX_VERSIONS_BOTH,
  };
  g_autoptr (GError) error = NULL;
  FxGpu *gpu;

  stand_in.arch = arch;
  gpu = fx_gpu_open (&config, &error);
  g_assert_no_error (error);
  return gpu;
}

static void
open_gpus (void)
{
  stand_in.processors = 132;
  for (gsize g = 0; g < G_N_ELEMENTS (groups); g++)
    for (int i = 0; i < GROUP_MAX && groups[g][i] > 0; i++)
      for (int specialised = 0; specialised < 2; specialised++)
        gpus[specialised][g][i] = open_gpu (specialised, groups[g][i]);
}

static void
close_gpus (void)
{
  for (gsize g = 0; g < G_N_ELEMENTS (groups); g++)
    for (int i = 0; i < GROUP_MAX; i++)
      {
        fx_gpu_close (gpus[0][g][i]);
        fx_gpu_close (gpus[1][g][i]);
      }
}

static int
choose (int group)
{
  int n = 0;

  while (n < GROUP_MAX && groups[group][n] > 0)
    n++;
  return g_test_rand_int_range (0, n);
}

/* One run. */

static gboolean
run_strip (FxGpu *gpu, const FxPlan *plan, int width, int height, gpointer pixels, GError **error)
{
  const FxStrip strip = whole_strip (width, height, height);
  FxRun *run = fx_gpu_backend.begin (gpu, plan, &strip, error);
  gboolean done;

  if (! run)
    return FALSE;
  done = fx_gpu_backend.push (run, pixels, 0, height, error) &&
         fx_gpu_backend.pull (run, pixels, 0, height, error);
  fx_gpu_backend.end (run);
  fx_gpu_free_kernels (gpu); /* so that the next run must request its shared memory again */
  return done;
}

/* Runs plan on one GPU of each group. what describes the filter's parameters. */
static void
check_on (gboolean specialised, const FxPlan *plan, int width, int height, const char *what)
{
  const FxFormat *format = &plan->codec.format;
  g_autofree gpointer pixels = g_malloc0 ((gsize) width * height * fx_format_size (format));

  for (gsize g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      int i = choose ((int) g), arch = groups[g][i];
      g_autoptr (GError) error = NULL;

      stand_in.arch = arch;
      counts.runs++;
      if (run_strip (gpus[specialised][g][i], plan, width, height, pixels, &error))
        continue;
      if (counts.refused++ < MESSAGES_MAX)
        g_test_message ("compute capability %d.%d, %s, %s, sample %d, %d channels, curve %d: %s",
                        arch / 10, arch % 10, specialised ? "specialised" : "generic", what,
                        format->sample, format->channels, plan->codec.curve, error->message);
    }
}

static void
check (const FxPlan *plan, SweepVersion version, const char *what)
{
  check_on (version == SWEEP_SPECIALISED, plan, SIZE, SIZE, what);
}

static void
end_checks (void)
{
  guint refused = counts.refused;

  g_test_message ("%u runs, %u refused, %u programs", counts.runs, refused, alike_count ());
  counts.runs = counts.refused = 0;
  g_assert_cmpuint (refused, ==, 0);
}

/* First, for a test below takes samples of what it compiles. */
TESTS (add_sweep)
{
  static const Sweep sweep = { .check = check, .end = end_checks };

  sweep_add ("/launch-limits", &sweep);
}

/* Images are so tall that there are more blocks vertically than a GPU can start at once. */
TEST (test_tall, "/launch-limits/tall")
{
  const double values[] = { 1, 2, 1, 2, 5, 2, 1, 2, 1 };
  const ConvolveParams matrix = { .rows = 3, .columns = 3, .values = values };
  const BlurParams blurs[] = {
    { .sigma_x = 1.0, .sigma_y = 1.0 },                       /* in one kernel */
    { .sigma_x = 90.0, .sigma_y = 90.0, .kernel_size = 499 }, /* one axis after the other */
    { .sigma_x = 20.0, .sigma_y = 20.0 },
    { .sigma_x = 20.0, .sigma_y = 0.0 },
  };
  const MotionParams motion = { .kind = MOTION_SPIN, .angle = 1.0 };
  const SelectiveParams selectives[] = {
    { .sigma = 2.0, .radius = 6, .delta = 0.1 },
    { .sigma = 20.0, .radius = 60, .delta = 0.1 }, /* some rows of the window after the others */
  };
  const FxGeometry geometry = { .width = 1.0, .height = TALL };
  const FxFormat format = { FX_SAMPLE_U8, 1, TRUE };
  FxPlan *plans[G_N_ELEMENTS (blurs) + 4] = {
    convolve_plan_new (&matrix, &format, NULL),
    motion_plan_new (&motion, &format, &geometry, NULL),
    selective_plan_new (&selectives[0], &format, NULL),
    selective_plan_new (&selectives[1], &format, NULL),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (blurs); i++)
    plans[4 + i] = blur_plan_new (&blurs[i], &format, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (plans); i++)
    {
      g_autofree char *what = g_strdup_printf ("tall, %u", (guint) i);

      check_on (FALSE, plans[i], 1, TALL, what);
      check_on (TRUE, plans[i], 1, TALL, what);
      fx_plan_free (plans[i]);
    }
  end_checks ();
}

/* A replacement has the same blocks as the program itself, for a sample of the programs in the
 * tests before. */
TEST (test_alike, "/launch-limits/alike")
{
  GPtrArray *samples = alike_get_samples ();

  if (samples->len == 0)
    {
      g_test_skip ("No plan was swept before");
      return;
    }
  for (guint i = 0; i < SAMPLES; i++)
    {
      const AlikeSample *sample = g_ptr_array_index (samples, i * (samples->len - 1) / SAMPLES);
      g_autoptr (GBytes) code = alike_compile_exactly (sample->program, sample->text);
      g_autoptr (GBytes) other = alike_find (sample->program, sample->text);
      LimitsKernel itself, alike;

      limits_read_cubin (g_bytes_get_data (code, NULL), &itself);
      limits_read_cubin (g_bytes_get_data (other, NULL), &alike);
      g_test_message ("%s: %d bytes, %d threads", sample->program->name, itself.shared,
                      itself.threads);
      g_assert_cmpint (itself.shared, ==, alike.shared);
      g_assert_cmpint (itself.threads, ==, alike.threads);
    }
}

/* Launches that need more than the device has are refused with a message. */

static FxKernel *
get_reduce (FxGpu *gpu)
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const FxProgramCase what = { .codec = fx_codec_new (&format, FX_LIGHT_LINEAR) };
  FxKernel *kernel = fx_gpu_get_kernel (gpu, &fx_program_reduce, &what, NULL);

  g_assert_nonnull (kernel);
  return kernel;
}

static void
check_refused (gboolean done, GError **error)
{
  g_assert_false (done);
  g_assert_error (*error, FX_ERROR, FX_ERROR_DEVICE);
  g_test_message ("%s", (*error)->message);
  g_assert_nonnull (strstr ((*error)->message, "The GPU cannot start a kernel with "));
  g_clear_error (error);
}

TEST (test_refused, "/launch-limits/refused")
{
  for (gsize g = 0; g < G_N_ELEMENTS (groups); g++)
    {
      const FxLaunch wide = { .x = 1, .y = 1, .threads = FX_REDUCE_THREADS + 1 };
      FxLaunch large = { .x = 1, .y = 1, .threads = FX_REDUCE_THREADS };
      FxGpu *gpu = gpus[0][g][0];
      FxKernel *kernel;
      GError *error = NULL;
      gsize processor;
      int blocks = 0;

      stand_in.arch = groups[g][0];
      kernel = get_reduce (gpu);
      check_refused (fx_gpu_launch (gpu, kernel, &wide, NULL, &error), &error);
      check_refused (fx_gpu_get_capacity (gpu, kernel, wide.threads, 0, &blocks, &error), &error);
      fx_gpu_get_shared (gpu, &large.shared, &processor); /* in addition to the static ones */
      check_refused (fx_gpu_launch (gpu, kernel, &large, NULL, &error), &error);
      stand_in.crowded = TRUE;
      check_refused (fx_gpu_get_capacity (gpu, kernel, large.threads, 0, &blocks, &error), &error);
      stand_in.crowded = FALSE;
      g_assert_true (fx_gpu_get_capacity (gpu, kernel, large.threads, 0, &blocks, NULL));
      g_assert_cmpint (blocks, >, 0);
    }
}

/* Tests of the driver's stand-in. */

TEST (test_driver, "/launch-limits/driver")
{
  const LimitsKernel kernel = { .shared = 1024, .registers = 32, .threads = 512 };
  const LimitsKernel heavy = { .registers = 255 };
  const struct {
    unsigned grid[3], block[3];
    gsize shared;
    CUresult result;
  } cases[] = {
    { { 1, 1, 1 }, { 512, 1, 1 }, 48128, CUDA_SUCCESS },
    { { 1, 1, 1 }, { 512, 1, 1 }, 48129, CUDA_ERROR_INVALID_VALUE },
    { { 0x7fffffff, 65535, 65535 }, { 1, 1, 1 }, 0, CUDA_SUCCESS },
    { { 1, 65536, 1 }, { 1, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { { 1, 1, 65536 }, { 1, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { { 0, 1, 1 }, { 1, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { { 1, 0, 1 }, { 1, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { { 1, 1, 1 }, { 0, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { { 1, 1, 1 }, { 1025, 1, 1 }, 0, CUDA_ERROR_INVALID_VALUE },
    { { 1, 1, 1 }, { 513, 1, 1 }, 0, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES },
  };
  const unsigned one[3] = { 1, 1, 1 }, block[3] = { 257, 1, 1 };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (limits_check_launch (&kernel, cases[i].grid, cases[i].block, cases[i].shared),
                     ==, cases[i].result);
  g_assert_cmpint (limits_check_launch (&heavy, one, block, 0), ==,
                   CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

/* The shared memory that a kernel may request, and the blocks per multiprocessor, as documented. */
TEST (test_capabilities, "/launch-limits/capabilities")
{
  const struct {
    int arch, most; /* kilobytes of shared memory that a block may have */
    int blocks;     /* blocks of 256 threads */
    int large;      /* the same, with 24 KB each */
  } cases[] = {
    { 52, 48, 8, 4 }, { 61, 48, 8, 4 },  { 75, 64, 4, 2 },  { 86, 99, 6, 4 },
    { 89, 99, 6, 4 }, { 90, 227, 8, 8 }, { 120, 99, 6, 4 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const CUfunction_attribute attribute = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
      LimitsKernel kernel = { .shared = 1024, .registers = 32 };
      int arch = cases[i].arch, most = (cases[i].most - 1) * 1024;

      g_assert_cmpint (limits_count_blocks (&kernel, arch, 256, 0), ==, cases[i].blocks);
      g_assert_cmpint (limits_count_blocks (&kernel, arch, 256, 23 * 1024), ==, cases[i].large);
      g_assert_cmpint (limits_count_blocks (&kernel, arch, 256, 48 * 1024), ==, 0);
      g_assert_cmpint (limits_set_attribute (&kernel, arch, attribute, most + 1), ==,
                       CUDA_ERROR_INVALID_VALUE);
      g_assert_cmpint (limits_set_attribute (&kernel, arch, attribute, -1), ==,
                       CUDA_ERROR_INVALID_VALUE);
      g_assert_cmpint (limits_set_attribute (&kernel, arch, attribute, most), ==, CUDA_SUCCESS);
      g_assert_cmpint (limits_count_blocks (&kernel, arch, 256, most), >, 0);
    }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int status;

  seed_test_init (&argc, &argv);
  if (! alike_open (&error))
    {
      g_print ("1..0 # SKIP %s\n", error->message);
      return 77;
    }
  open_gpus ();
  status = g_test_run ();
  close_gpus ();
  alike_close ();
  return status;
}
