#include "traced.h"

#include "matrices.h"
#include "tested.h"

/* Runs and checks a trial with the trace on. Returns what was written to standard error; free
 * it. */
static char *
capture (const Trial *trial)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  const int file = g_file_open_tmp ("trace-XXXXXX", &path, &error);
  const int saved = fcntl (STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  char *text;

  g_assert_no_error (error);
  g_assert_true (saved >= 0 && dup2 (file, STDERR_FILENO) >= 0);
  close (file);
  g_setenv ("CUDA_BLUR_TRACE", "1", TRUE);
  trial_check (trial);
  g_unsetenv ("CUDA_BLUR_TRACE");
  fflush (stderr);
  g_assert_true (dup2 (saved, STDERR_FILENO) >= 0);
  close (saved);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_unlink (path);
  return text;
}

char *
traced_run (const Trial *trial)
{
  g_autofree char *text = capture (trial);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  char *found = NULL;

  for (int i = 0; lines[i]; i++)
    if (g_str_has_prefix (lines[i], "cuda-blur: convolve "))
      {
        g_free (found);
        found = g_strdup (lines[i]);
      }
  g_test_message ("%s", found ? found : "no line");
  g_assert_nonnull (found);
  return found;
}

/* Products of infinities do not cancel out, as those of numbers do: on the CPU a matrix that is
 * more than one goes by its taps or by FFT where there may be any. Sixteen bits in linear light are
 * too exact for an FFT if the matrix magnifies them. On the GPU it depends on the run whether
 * they are compiled in yet, but alpha's own weights never are. */
TEST (test_ways, "/convolve/traced")
{
  static const FxFormat u8 = { FX_SAMPLE_U8, 4, TRUE }, u16 = { FX_SAMPLE_U16, 1, TRUE };
  static const FxFormat half = { FX_SAMPLE_HALF, 3, FALSE }, real = { FX_SAMPLE_FLOAT, 1, FALSE };
  static const struct {
    MatrixKind kind;
    int size;
    const FxFormat *format;
    guint channels;
    const char *facts, *cpu, *gpu;
  } ways[] = {
    { MATRIX_DENSE, 5, &u8, 15, "5x5, 25 taps, rank 5: ", "taps, CPU", "taps, " },
    { MATRIX_RANK_1, 31, &u8, 15, "31x31, 961 taps, rank 1: ", "products, CPU", "products, " },
    { MATRIX_RANK_1, 31, &u8, 7, "31x31, 961 taps, rank 1: ", "FFT, CPU", "taps, generic" },
    { MATRIX_RANK_1, 31, &real, 15, "31x31, 961 taps, rank 1: ", "products, CPU", "products, " },
    { MATRIX_RANK_2, 31, &u16, 15, "31x31, 961 taps, rank 2: ", "products, CPU", "products, " },
    { MATRIX_RANK_2, 31, &half, 15, "31x31, 961 taps, rank 2: ", "FFT, CPU", "products, " },
    { MATRIX_RANK_3, 31, &real, 15, "31x31, 961 taps, rank 3: ", "FFT, CPU", "products, " },
    { MATRIX_RANK_2, 9, &real, 15, "9x9, 81 taps, rank 2: ", "taps, CPU", "taps, " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      const int size = ways[i].size;
      g_autofree double *values = matrix_make (ways[i].kind, size, size);
      const Trial trial = { .seed = g_test_rand_int (),
                            .format = *ways[i].format,
                            .width = 40,
                            .height = 30,
                            .params = { .rows = size,
                                        .columns = size,
                                        .values = values,
                                        .divisor = 9.0,
                                        .channels = ways[i].channels,
                                        .alpha = CONVOLVE_ALPHA_PREMULTIPLIED },
                            .device = tested_device () };
      g_autofree char *line = traced_run (&trial);
      g_autofree char *expected = g_strconcat (ways[i].facts,
                                               trial.device == FX_DEVICE_CPU ? ways[i].cpu
                                                                             : ways[i].gpu,
                                               NULL);

      g_assert_nonnull (strstr (line, expected));
    }
}
