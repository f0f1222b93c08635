
#include "matrices.h"
#include "shim-device.h"
#include "tested.h"
#include "traced.h"

/* The generic program serves until the specialised one is there, and that from then on. */
static void
check (MatrixKind kind, int size, const char *generic, const char *specialised)
{
  g_autofree double *values = matrix_make (kind, size, size);
  const Trial trial = { .seed = g_test_rand_int (),
                        .format = { FX_SAMPLE_U8, 3, TRUE },
                        .width = 70,
                        .height = 50,
                        .params = { .rows = size, .columns = size, .values = values },
                        .device = FX_DEVICE_GPU };

  for (int n = 0; n < 4; n++)
    {
      g_autofree char *line = NULL;

      shim_set_background (n >= 2);
      line = traced_run (&trial);
      g_assert_nonnull (strstr (line, n >= 2 ? specialised : generic));
    }
  shim_set_background (FALSE);
}

static void
test_takes_over (void)
{
  check (MATRIX_DENSE, 5, "taps, generic", "taps, compiled in");
  check (MATRIX_RANK_1, 15, "products, generic", "products, compiled in");
  check (MATRIX_POSITIVE, 21, "FFT, ", "FFT, "); /* more taps than are compiled in */
}

TESTS (add_background)
{
  if (! g_getenv ("CUDA_BLUR_PROGRAM")) /* there is but one program then */
    g_test_add_func ("/convolve/background", test_takes_over);
}
