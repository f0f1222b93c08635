/* The convolution's contract (convolve.h), on one device: random matrices and pictures in every
 * format against the definition. The same CUDA_BLUR_TEST_SEED with -p and the test's path repeats a
 * mismatch, and -m slow searches longer. */
#include "matrices.h"
#include "tested.h"
#include "traced.h"
#include "trial.h"

/* With a matrix of that kind and size, whose values are the caller's. */
static Trial
make_trial (MatrixKind kind, int rows, int columns)
{
  Trial trial = { .seed = g_test_rand_int (),
                  .width = g_test_rand_int_range (1, 90),
                  .height = g_test_rand_int_range (1, 70),
                  .device = tested_device () };

  trial.format = (FxFormat) { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                              g_test_rand_int_range (0, 2) };
  trial.picture = g_test_rand_int_range (0, trial.format.sample <= FX_SAMPLE_U32 ? PICTURE_HDR
                                                                                 : PICTURES);
  trial.params = (ConvolveParams) { .rows = rows,
                                    .columns = columns,
                                    .values = matrix_make (kind, rows, columns),
                                    .abyss = g_test_rand_int_range (0, 4),
                                    .light = g_test_rand_int_range (0, 2) };
  if (g_test_rand_int_range (0, 2))
    trial.params.divisor = g_test_rand_double_range (0.5, 20.0);
  if (g_test_rand_int_range (0, 3) == 0)
    trial.params.offset = g_test_rand_double_range (-0.5, 1.0);
  if (g_test_rand_int_range (0, 2))
    trial.params.channels = g_test_rand_int_range (0, 16);
  trial.params.alpha = g_test_rand_int_range (0, 3);
  if (g_test_rand_int_range (0, 3) == 0)
    {
      trial.region.x = g_test_rand_int_range (0, trial.width);
      trial.region.y = g_test_rand_int_range (0, trial.height);
      trial.region.width = g_test_rand_int_range (1, trial.width - trial.region.x + 1);
      trial.region.height = g_test_rand_int_range (1, trial.height - trial.region.y + 1);
    }
  return trial;
}

static int
get_random_size (void)
{
  const int most = g_test_rand_int_range (0, 8) ? 6 : 32;

  return 2 * g_test_rand_int_range (0, most) + 1;
}

static void
check (MatrixKind kind, int rows, int columns)
{
  Trial trial = make_trial (kind, rows, columns);

  trial_check (&trial);
  g_free ((gpointer) trial.params.values);
}

/* On the GPU many trials need programs that must first be compiled. */
static int
get_times (int cpu, int gpu)
{
  return (tested_device () == FX_DEVICE_GPU ? gpu : cpu) * (g_test_slow () ? 20 : 1);
}

TEST (test_kinds, "/convolve/kinds")
{
  for (int n = get_times (40, 4), kind; n > 0; n--)
    for (kind = 0; kind < MATRICES; kind++)
      check (kind, get_random_size (), get_random_size ());
}

TEST (test_sizes, "/convolve/sizes")
{
  for (int rows = 1; rows <= CONVOLVE_SMALL_MAX; rows += 2)
    {
      check (MATRIX_DENSE, rows, rows);
      check (MATRIX_RANK_1, rows, CONVOLVE_SMALL_MAX + 1 - rows);
    }
}

int
main (int argc, char **argv)
{
  return tested_main (argc, argv, NULL);
}
