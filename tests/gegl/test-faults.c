/* The operation where something is wrong: the pixels are right all the same, and whoever calls
 * hears of it once. Each case is a process of its own. */
#include "compare.h"
#include "judge.h"
#include "scene.h"
#include "test.h"
#include "session.h"

static const FxFormat rgba = { FX_SAMPLE_U8, 4, TRUE };

/* Three nodes, so that there is more than one occasion to complain. */
static void
blur (FxDevice device)
{
  judge_allow_failures ();
  session_start ();
  for (guint i = 0; i < 3; i++)
    {
      Scene scene = scene_make (i, rgba, FX_LIGHT_LINEAR, 150, 100, 3.0, 20.0);

      scene.c.device = device;
      scene_check (&scene);
    }
  session_end ();
}

/* Runs this test again with the variable; what it says has to match, if anything is said. */
static void
run (FxDevice device, const char *variable, const char *value, const char *message)
{
  g_autofree char *once = g_strdup_printf ("*cuda-blur: *%s*", message ? message : "");
  g_autofree char *twice = g_strdup_printf ("*cuda-blur: *%s*cuda-blur: *", message ? message : "");

  if (g_test_subprocess ())
    {
      blur (device);
      return;
    }
  g_setenv (variable, value, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_unsetenv (variable);
  g_test_trap_assert_passed ();
  if (message)
    g_test_trap_assert_stderr (once);
  else
    g_test_trap_assert_stderr_unmatched (once);
  g_test_trap_assert_stderr_unmatched (twice);
}

TEST (test_device, "/faults/device")
{
  run (FX_DEVICE_AUTO, "CUDA_BLUR_DEVICE", "nonsense", "CUDA_BLUR_DEVICE");
}

TEST (test_memory, "/faults/memory")
{
  run (FX_DEVICE_CPU, "CUDA_BLUR_MEMORY_LIMIT", "much", "CUDA_BLUR_MEMORY_LIMIT");
}

TEST (test_idle, "/faults/idle")
{
  run (FX_DEVICE_CPU, "CUDA_BLUR_IDLE_SECONDS", "-3", NULL);
}

/* Less than a line takes, which the CPU takes all the same. */
TEST (test_little_memory, "/faults/little-memory")
{
  run (FX_DEVICE_CPU, "CUDA_BLUR_MEMORY_LIMIT", "1", NULL);
}

/* No GPU is to be seen, wherever this runs. */
TEST (test_no_gpu, "/faults/no-gpu")
{
  run (FX_DEVICE_GPU, "CUDA_VISIBLE_DEVICES", "", "");
}

TEST (test_no_gpu_automatic, "/faults/no-gpu-automatic")
{
  run (FX_DEVICE_AUTO, "CUDA_VISIBLE_DEVICES", "", NULL);
}

/* The CPU does what the configuration asks a GPU for; GEGL's own graph would leave no trace. */
TEST (test_no_gpu_configured, "/faults/no-gpu-configured")
{
  static const char *const set[][2] = { { "CUDA_BLUR_DEVICE", "gpu" },
                                        { "CUDA_VISIBLE_DEVICES", "" },
                                        { "CUDA_BLUR_TRACE", "1" } };

  if (g_test_subprocess ())
    {
      blur (FX_DEVICE_AUTO);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (set); i++)
    g_setenv (set[i][0], set[i][1], TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (set); i++)
    g_unsetenv (set[i][0]);
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr ("*process * CPU, *process * CPU, *process * CPU, *");
}

/* Every warning would end it. */
TEST (test_warnings, "/faults/warnings")
{
  run (FX_DEVICE_AUTO, "G_DEBUG", "fatal-warnings", NULL);
}

TEST (test_nothing_wrong, "/faults/nothing-wrong")
{
  run (FX_DEVICE_CPU, "CUDA_BLUR_DEVICE", "cpu", NULL);
}
