/* Lets every call fail in turn that the engine makes to the outside: the pixels are still right, or
 * there is one error; nothing hangs, nothing leaks, and the next run uses the GPU again. */
#include "compiler.h"
#include "device.h"
#include "error.h"
#include "fault.h"
#include "gpu-run.h"
#include "gpu-view.h"
#include "noise.h"
#include "nvrtc-folders.h"
#include "kernels/reduce-args.h"
#include "scene.h"
#include "test.h"
#include "stand-in.h"

/* Programs are compiled to PTX, not to a CUBIN. */
static gboolean ptx;

/* Programs are in the cache already. */
static gboolean resident;

/* An engine is used for few jobs. */
static gboolean few;

/* One call. */

static void
check_gpu_again (Scene *scene)
{
  const Outcome outcome = scene_use (scene, FX_DEVICE_GPU);

  g_assert_cmpstr (outcome.last, ==, "");
  g_assert_cmpuint (outcome.errors, ==, 0);
}

/* Uses an engine while one call fails. If that call is not made, closes the engine, which may make
 * it. Returns FALSE if it is not made at all. */
static gboolean
check_call (const char *point, guint skip, FaultMode mode, gboolean may_fail)
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;
  gboolean came;

  scene_init (&scene);
  scene.config.ptx = ptx;
  scene.few = few;
  scene_reopen (&scene);
  if (resident)
    {
      check_gpu_again (&scene);
      scene_reopen (&scene);
    }
  fault_order (point, skip, mode);
  outcome = scene_use (&scene, FX_DEVICE_AUTO);
  if (! fault_came ())
    scene_reopen (&scene);
  came = fault_end ();
  g_test_message ("%s %u: %s%u by the GPU, %u by the CPU, %u errors%s%s", point, skip,
                  came ? "" : "not called; ", outcome.gpu, outcome.cpu, outcome.errors,
                  *outcome.last ? ": " : "", outcome.last);
  g_assert_true (may_fail || outcome.errors == 0);
  if (mode == FAULT_ONCE && g_str_has_prefix (outcome.last, "CUDA failed in "))
    g_assert_nonnull (strstr (outcome.last, point));
  if (mode != FAULT_ONCE) /* a run may be needed to notice */
    scene_use_once (&scene, SCENE_FIR, FX_DEVICE_AUTO);
  stand_in_restore ();
  check_gpu_again (&scene);
  return came;
}

/* Lets each call of a point fail in turn, until there are no more. */
static void
check_point (const char *point, FaultMode mode, gboolean may_fail)
{
  guint skip = 0;

  while (check_call (point, skip, mode, may_fail))
    {
      skip++;
      stand_in_check_clean (point);
    }
  if (skip == 0)
    g_test_message ("%s is never called", point);
}

static void
check_group (FaultGroup group, FaultMode mode)
{
  for (const char *const *point = fault_get_points (group); *point; point++)
    check_point (*point, mode, group == FAULT_MEMORY);
}

TEST (test_cuda, "/faults/cuda")
{
  check_group (FAULT_CUDA, FAULT_ONCE);
}

TEST (test_sticky, "/faults/sticky")
{
  check_group (FAULT_CUDA, FAULT_STICKY);
}

TEST (test_lost, "/faults/lost")
{
  check_group (FAULT_CUDA, FAULT_LOST);
}

TEST (test_nvrtc, "/faults/nvrtc")
{
  check_group (FAULT_NVRTC, FAULT_ONCE);
  ptx = TRUE;
  check_point ("nvrtcGetPTXSize", FAULT_ONCE, FALSE);
  check_point ("nvrtcGetPTX", FAULT_ONCE, FALSE);
  ptx = FALSE;
}

/* The function that describes a failure fails, too. */
static void
check_words (const char *point, gboolean *works)
{
  for (guint skip = 0; skip < 3; skip++)
    {
      g_auto (Scene) scene = { 0 };
      Outcome outcome;

      scene_init (&scene);
      *works = FALSE;
      fault_order (point, skip, FAULT_ONCE);
      outcome = scene_use (&scene, FX_DEVICE_AUTO);
      g_assert_true (fault_end ());
      g_assert_cmpuint (outcome.gpu, ==, 0);
      g_assert_cmpuint (outcome.errors, ==, 0);
      *works = TRUE;
      check_gpu_again (&scene);
    }
}

TEST (test_words, "/faults/words")
{
  check_words ("cuGetErrorName", &stand_in.launches);
  check_words ("cuGetErrorString", &stand_in.launches);
  check_words ("nvrtcGetProgramLogSize", &stand_in.compiles);
  check_words ("nvrtcGetProgramLog", &stand_in.compiles);
}

/* Few jobs will do: the cache does not know what a program is for, and writing an entry reads all
 * others. */
TEST (test_disk, "/faults/disk")
{
  few = TRUE;
  check_group (FAULT_DISK, FAULT_ONCE);
  resident = TRUE;
  check_point ("openat", FAULT_ONCE, FALSE);
  check_point ("fstat", FAULT_ONCE, FALSE);
  check_point ("read", FAULT_ONCE, FALSE);
  resident = few = FALSE;
}

/* An identity plan copies the image through a buffer of a few rows. */
static void
check_copy (void)
{
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (Noise) noise = noise_new (40, 30);
  g_autoptr (FxPlan) plan = fx_plan_new_identity (&noise->memory.format);
  g_autoptr (GError) error = NULL;
  FxImage image = memory_get_image (&noise->memory);

  fault_order ("g_try_malloc_n", 0, FAULT_ONCE);
  g_assert_false (fx_engine_run (engine, plan, FX_DEVICE_AUTO, &image, NULL, &error));
  g_assert_true (fault_end ());
  g_assert_error (error, FX_ERROR, FX_ERROR_MEMORY);
  g_assert_true (fx_engine_run (engine, plan, FX_DEVICE_AUTO, &image, NULL, NULL));
  g_assert_cmpmem (noise->result, noise->size, noise->source, noise->size);
}

TEST (test_memory, "/faults/memory")
{
  check_group (FAULT_MEMORY, FAULT_ONCE);
  resident = TRUE;
  check_point ("g_try_malloc", FAULT_ONCE, TRUE);
  resident = FALSE;
  check_copy ();
}

/* The machine. If it lacks something, the reason is one sentence and the CPU takes over; once the
 * machine has it, the same engine uses the GPU. */

static void
check_lack (const char *reason)
{
  const StandIn lacking = stand_in;
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  scene_init (&scene);
  outcome = scene_use (&scene, FX_DEVICE_AUTO);
  g_test_message ("%s", outcome.last);
  g_assert_cmpuint (outcome.cpu, ==, SCENE_USES);
  g_assert_nonnull (strstr (outcome.last, reason));
  g_assert_null (strchr (outcome.last, '\n'));
  outcome = scene_use_once (&scene, SCENE_FIR, FX_DEVICE_GPU);
  g_assert_cmpuint (outcome.errors, ==, 1);
  g_assert_nonnull (strstr (outcome.last, reason));
  stand_in_reset ();
  if (lacking.arch != stand_in.arch) /* a device cannot be replaced while the engine runs */
    scene_reopen (&scene);
  check_gpu_again (&scene);
}

TEST (test_lacks, "/faults/machine/lacks")
{
  static const struct {
    StandIn stand_in;
    const char *reason;
  } cases[] = {
    { { .driver = 0 }, "There is no NVIDIA driver" },
    { { .driver = 10020 }, "The NVIDIA driver is for CUDA 10.2, but CUDA" },
    { { .driver = 13000 }, "The NVIDIA driver finds no GPU that may be used" },
    { { .driver = 13000, .updated = TRUE },
      "The NVIDIA driver was updated while it was in use. Restart the computer" },
    { { 13000, 1, 90, "", .builtins = TRUE },
      "NVRTC, the CUDA run-time compiler (libnvrtc), was not found: run sh plugin/setup.sh" },
    { { 13000, 1, 90, "14.0", .builtins = TRUE }, "NVRTC, the CUDA run-time compiler" },
    { { 13000, 1, 90, "13.0", .builtins = FALSE },
      "NVRTC 13.0 needs libnvrtc-builtins.so.13.0, which was not found: " },
    { { 13000, 1, 61, "13.0", .builtins = TRUE },
      "The GPU has compute capability 6.1, but NVRTC 13.0 compiles for 7.5 and later: install "
      "NVRTC 12.9 or older" },
    { { 13000, 1, 90, "13.0", .builtins = TRUE, .compiles = FALSE },
      "NVRTC 13.0 did not compile a program: " },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      stand_in = cases[i].stand_in;
      stand_in.free_bytes = (gsize) 1 << 30;
      stand_in.processors = 1;
      stand_in.launches = TRUE;
      check_lack (cases[i].reason);
      stand_in_reset ();
    }
}

/* Launches are as short on a GPU with few multiprocessors as on an H100. */
TEST (test_processors, "/faults/machine/processors")
{
  static const struct {
    int processors;
    double limit;
  } cases[] = { { 6, 1e10 * 6 / 132 }, { 132, 1e10 }, { 170, 1e10 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Scene) scene = { 0 };
      g_autoptr (GError) error = NULL;
      FxGpu *gpu;

      scene_init (&scene);
      stand_in.processors = cases[i].processors;
      gpu = fx_gpu_open (&scene.config, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat_with_epsilon (fx_gpu_get_launch_limit (gpu), cases[i].limit, 1.0);
      fx_gpu_close (gpu);
      stand_in_reset ();
    }
}

/* A tenth of the memory is left for the desktop, and 400 MiB at the least. */
TEST (test_reserve, "/faults/machine/reserve")
{
  static const struct {
    gsize all, free, taken; /* MiB */
  } cases[] = { { 2000, 1500, 1100 }, { 2000, 300, 0 }, { 24000, 20000, 17600 } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_auto (Scene) scene = { 0 };
      g_autoptr (GError) error = NULL;
      FxGpu *gpu;
      gsize bytes;

      scene_init (&scene);
      stand_in.all_bytes = cases[i].all << 20;
      stand_in.free_bytes = cases[i].free << 20;
      gpu = fx_gpu_open (&scene.config, &error);
      g_assert_no_error (error);
      g_assert_true (fx_gpu_get_free_memory (gpu, &bytes, &error));
      g_assert_cmpuint (bytes, ==, cases[i].taken << 20);
      fx_gpu_close (gpu);
      if (cases[i].taken > 0)
        check_gpu_again (&scene);
      stand_in_reset ();
    }
}

/* Others use all of the device's memory. */
TEST (test_no_memory, "/faults/machine/no-memory")
{
  stand_in.free_bytes = 1000;
  check_lack ("GPU memory");
  stand_in_reset ();
}

/* The message ends with the compiler's complete log. */
TEST (test_log, "/faults/machine/log")
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  scene_init (&scene);
  stand_in.compiles = FALSE;
  outcome = scene_use_once (&scene, SCENE_FIR, FX_DEVICE_GPU);
  stand_in_reset ();
  g_assert_cmpuint (outcome.errors, ==, 1);
  g_assert_true (g_str_has_suffix (outcome.last, "\nprogram.cu(7): error: as the test wants"));
}

/* Combines GPUs that NVRTC supports, and newer ones, with each NVRTC. */
TEST (test_versions, "/faults/machine/versions")
{
  static const char *const versions[] = { "11.8", "12.4", "13.0", "11.8 12.4 13.0" };
  static const int archs[] = { 75, 89, 90, 91, 130 };

  for (gsize v = 0; v < G_N_ELEMENTS (versions); v++)
    for (gsize a = 0; a < G_N_ELEMENTS (archs); a++)
      {
        g_auto (Scene) scene = { 0 };

        stand_in.nvrtc = versions[v];
        stand_in.arch = archs[a];
        scene_init (&scene);
        check_gpu_again (&scene);
        stand_in_reset ();
      }
}

/* An older NVRTC serves a GPU that the newest one does not know any more. */
TEST (test_older, "/faults/machine/older")
{
  g_auto (Scene) scene = { 0 };

  stand_in.nvrtc = "12.4 13.0";
  stand_in.arch = 61;
  scene_init (&scene);
  check_gpu_again (&scene);
  stand_in_reset ();
}

/* NVRTC lies where the loader does not search, in a folder of Conda's or of a Flatpak's host. It is
 * taken only if its builtins lie beside it, and only from where nobody else may put files. */
TEST (test_folder, "/faults/machine/folder")
{
  static const char *const folders[] = { "/nonexistent/conda/lib", FX_HOST "/usr/lib64" };

  g_setenv ("CONDA_PREFIX", "/nonexistent/conda", TRUE);
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_auto (Scene) scene = { 0 };
      Outcome outcome;

      scene_init (&scene);
      stand_in.lib = folders[i];
      for (int lack = 0; lack < 2; lack++)
        {
          stand_in.builtins = lack != 0;
          stand_in.unsafe = lack == 1;
          outcome = scene_use_once (&scene, SCENE_FIR, FX_DEVICE_GPU);
          g_assert_nonnull (strstr (outcome.last, "NVRTC, the CUDA run-time compiler"));
        }
      stand_in.unsafe = FALSE;
      check_gpu_again (&scene);
      stand_in_reset ();
    }
  g_unsetenv ("CONDA_PREFIX");
}

/* An address that is no multiple of its type's size is refused, as a device would. */
TEST (test_aligned, "/faults/machine/aligned")
{
  static guint8 memory[64] __attribute__ ((aligned (64)));
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  const FxProgramCase program_case = { .codec = fx_codec_new (&format, FX_LIGHT_LINEAR) };
  const FxLaunch launch = { .x = 1, .y = 1, .threads = FX_REDUCE_THREADS };
  g_auto (Scene) scene = { 0 };
  FxKernel *kernel;
  FxGpu *gpu;

  scene_init (&scene);
  gpu = fx_gpu_open (&scene.config, NULL);
  g_assert_true (fx_gpu_use (gpu, NULL));
  kernel = fx_gpu_get_kernel (gpu, &fx_program_reduce, &program_case, NULL);
  for (int n = 0; n < 3; n++)
    {
      FxSource source = { .pixels = memory + 2 * (n == 0) };
      FxResult result = { .pixels = memory + 2 * (n == 1) };
      gpointer mask = NULL, columns = memory, rows = memory, view = memory + 2 * (n == 2);
      int width = 0, first = 0, lanes = 1, coverage = 0, kept = 0;
      void *args[] = { &source, &mask,  &result,   &columns, &rows, &width,
                       &first,  &lanes, &coverage, &kept,    &view };
      g_autoptr (GError) error = NULL;

      g_assert_false (fx_gpu_launch (gpu, kernel, &launch, args, &error));
      g_assert_error (error, FX_ERROR, FX_ERROR_DEVICE);
    }
  fx_gpu_close (gpu);
}

/* Opens each NVRTC by its name, but none that is newer than the driver. Each has an identity. */
TEST (test_majors, "/faults/machine/majors")
{
  for (int major = 10; major <= 14; major++)
    {
      g_autofree char *expected = g_strdup_printf ("%d.0", MIN (major, 13));
      g_autoptr (GError) error = NULL;
      g_autoptr (FxCompiler) compiler = NULL;

      stand_in.nvrtc = "11.0 12.0 13.0";
      compiler = fx_compiler_open (major, &error);
      stand_in_reset ();
      if (major < 11)
        {
          g_assert_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE);
          continue;
        }
      g_assert_no_error (error);
      g_assert_cmpstr (fx_compiler_get_version (compiler), ==, expected);
      g_assert_true (g_str_has_prefix (fx_compiler_get_identity (compiler), expected));
    }
}

/* Compilations that take long, or never end. */

static struct {
  GMutex lock;
  GCond changed;
  gboolean held;
  int arrived;
} compiling;

static void
hold (const char *source)
{
  g_mutex_lock (&compiling.lock);
  while (compiling.held)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

static void
set_held (gboolean held)
{
  g_mutex_lock (&compiling.lock);
  compiling.held = held;
  g_cond_broadcast (&compiling.changed);
  g_mutex_unlock (&compiling.lock);
}

/* The CPU takes over until the GPU has the compiled program. */
TEST (test_slow_compiler, "/faults/machine/slow-compiler")
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  stand_in_on_compile (hold);
  set_held (TRUE);
  scene_init (&scene);
  scene.config.timeout = 1;
  scene_reopen (&scene);
  for (int i = 0; i < 3; i++)
    {
      outcome = scene_use_once (&scene, SCENE_FIR, FX_DEVICE_AUTO);
      g_assert_cmpuint (outcome.cpu, ==, 1);
      g_assert_nonnull (strstr (outcome.last, "NVRTC has taken more than 0.001 seconds"));
    }
  set_held (FALSE);
  do
    outcome = scene_use_once (&scene, SCENE_FIR, FX_DEVICE_AUTO);
  while (outcome.gpu == 0);
  stand_in_on_compile (NULL);
}

/* Closing an engine does not wait for the compilation. */
TEST (test_endless_compiler, "/faults/machine/endless-compiler")
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  stand_in_on_compile (hold);
  set_held (TRUE);
  scene_init (&scene);
  scene.config.timeout = 1;
  scene_reopen (&scene);
  outcome = scene_use (&scene, FX_DEVICE_AUTO);
  g_assert_cmpuint (outcome.cpu, ==, SCENE_USES);
  scene_reopen (&scene);
  stand_in_check_clean ("");
  set_held (FALSE); /* the abandoned thread then ends by itself */
  stand_in_on_compile (NULL);
  scene.config.timeout = 0;
  scene_reopen (&scene);
  check_gpu_again (&scene);
}

static void
hold_specialised (const char *source)
{
  if (strstr (source, "#define RADIUS_X "))
    hold (source);
}

/* A background compilation does not delay runs that need other programs. */
TEST (test_slow_background, "/faults/machine/slow-background")
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  stand_in_on_compile (hold_specialised);
  set_held (TRUE);
  scene_init (&scene);
  outcome = scene_use (&scene, FX_DEVICE_GPU);
  g_assert_cmpuint (outcome.gpu, ==, SCENE_USES);
  set_held (FALSE);
  scene_reopen (&scene);
  stand_in_on_compile (NULL);
}

/* Waits until two compilations are under way. */
static void
meet (const char *source)
{
  g_mutex_lock (&compiling.lock);
  compiling.arrived++;
  g_cond_broadcast (&compiling.changed);
  while (compiling.arrived < 2)
    g_cond_wait (&compiling.changed, &compiling.lock);
  g_mutex_unlock (&compiling.lock);
}

/* The programs of one run are compiled in parallel. */
TEST (test_side_by_side, "/faults/machine/side-by-side")
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  stand_in_on_compile (meet);
  scene_init (&scene);
  outcome = scene_use_once (&scene, SCENE_GRIDS, FX_DEVICE_GPU);
  g_assert_cmpstr (outcome.last, ==, "");
  g_assert_cmpuint (outcome.gpu, ==, 1);
  scene_reopen (&scene);
  stand_in_on_compile (NULL);
}

/* Another user in the process keeps the broken context: there is no new one until that user
 * releases it. */
TEST (test_shared_context, "/faults/machine/shared-context")
{
  g_auto (Scene) scene = { 0 };
  Outcome outcome;

  scene_init (&scene);
  stand_in.shared = TRUE;
  fault_order ("cuLaunchKernel", 2, FAULT_STICKY);
  outcome = scene_use (&scene, FX_DEVICE_AUTO);
  g_assert_true (fault_end ());
  g_assert_cmpuint (outcome.errors, ==, 0);
  outcome = scene_use (&scene, FX_DEVICE_AUTO);
  g_assert_cmpuint (outcome.cpu, ==, SCENE_USES);
  g_assert_nonnull (strstr (outcome.last, "as the test wants"));
  stand_in_unshare ();
  check_gpu_again (&scene);
}

/* The cache cannot be written. */
TEST (test_no_cache, "/faults/machine/no-cache")
{
  static const char *const folders[] = { "/proc/cuda-blur/cache", "/dev/null", "/nonexistent/a/b" };

  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_auto (Scene) scene = { 0 };

      scene_init (&scene);
      scene.config.cache_dir = (char *) folders[i];
      scene_reopen (&scene);
      check_gpu_again (&scene);
    }
}
