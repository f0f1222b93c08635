/* The operation with faults: the pixels are right all the same, and there is one message. Each case
 * runs in a separate process. */
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

/* The process's one message; NULL: none. */
static const struct {
  const char *path;
  FxDevice device;
  const char *variable, *value, *message;
} cases[] = {
  { "/faults/device", FX_DEVICE_AUTO, "CUDA_BLUR_DEVICE", "nonsense", "CUDA_BLUR_DEVICE" },
  { "/faults/memory", FX_DEVICE_CPU, "CUDA_BLUR_MEMORY_LIMIT", "much", "CUDA_BLUR_MEMORY_LIMIT" },
  { "/faults/idle", FX_DEVICE_CPU, "CUDA_BLUR_IDLE_SECONDS", "-3", NULL },
  /* Less than a line takes, which the CPU takes all the same. */
  { "/faults/little-memory", FX_DEVICE_CPU, "CUDA_BLUR_MEMORY_LIMIT", "1", NULL },
  /* No GPU can be seen, wherever this runs. */
  { "/faults/no-gpu", FX_DEVICE_GPU, "CUDA_VISIBLE_DEVICES", "", "" },
  { "/faults/no-gpu-automatic", FX_DEVICE_AUTO, "CUDA_VISIBLE_DEVICES", "", NULL },
  /* Every warning would end it. */
  { "/faults/warnings", FX_DEVICE_AUTO, "G_DEBUG", "fatal-warnings", NULL },
  { "/faults/nothing-wrong", FX_DEVICE_CPU, "CUDA_BLUR_DEVICE", "cpu", NULL },
};

/* Runs this test again with the variable. */
static void
test_case (gconstpointer data)
{
  const int i = GPOINTER_TO_INT (data);
  const char *message = cases[i].message;
  g_autofree char *once = g_strdup_printf ("*cuda-blur: *%s*", message ? message : "");
  g_autofree char *twice = g_strdup_printf ("*cuda-blur: *%s*cuda-blur: *", message ? message : "");

  if (g_test_subprocess ())
    {
      blur (cases[i].device);
      return;
    }
  g_setenv (cases[i].variable, cases[i].value, TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_unsetenv (cases[i].variable);
  g_test_trap_assert_passed ();
  if (message)
    g_test_trap_assert_stderr (once);
  else
    g_test_trap_assert_stderr_unmatched (once);
  g_test_trap_assert_stderr_unmatched (twice);
}

TESTS (add_cases)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add_data_func (cases[i].path, GUINT_TO_POINTER (i), test_case);
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
