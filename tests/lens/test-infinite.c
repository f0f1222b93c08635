/* The work that infinities cost with a matrix of a thousand rows and columns, counted: none of it
 * is a sum over the values, which would take minutes, and the transforms are at most six times as
 * many, however many infinities there are. The linker puts this file's functions in place of the
 * engine's own. */
#include "convolve.h"
#include "cpu-fft.h"
#include "lens.h"
#include "memory.h"
#include "test.h"

#include <math.h>

#define WIDTH  40
#define HEIGHT 30
#define SIDE   CONVOLVE_SIZE_MAX

/* A transform convolves two layers together. If both have infinities, each takes three transforms:
 * of the finite samples, and of the infinities, with the values above 0 and with those below. */
#define TIMES 6

/* In place of the engine's. */

extern const ConvolveFftKind __real_convolve_fft_precise;
extern ConvolveFftKind __wrap_convolve_fft_precise;
ConvolveFftKind __wrap_convolve_fft_precise;

void __real_convolve_cpu_run_sum_taps (const ConvolveCpuRun *run, const float **pieces, int channel,
                                       int y, int x, gsize n, float *sums);
void __wrap_convolve_cpu_run_sum_taps (const ConvolveCpuRun *run, const float **pieces, int channel,
                                       int y, int x, gsize n, float *sums);

static struct {
  int transforms, sums;
} counts;

static void
count_transform (const ConvolveFftTile *tile, const ConvolveFftPair *pair, gconstpointer spectrum,
                 gpointer points, gpointer scratch)
{
  g_atomic_int_inc (&counts.transforms);
  __real_convolve_fft_precise.convolve (tile, pair, spectrum, points, scratch);
}

void
__wrap_convolve_cpu_run_sum_taps (const ConvolveCpuRun *run, const float **pieces, int channel,
                                  int y, int x, gsize n, float *sums)
{
  g_atomic_int_inc (&counts.sums);
  __real_convolve_cpu_run_sum_taps (run, pieces, channel, y, x, n, sums);
}

/* Plans. */

static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };

static FxPlan *
make_lens (void)
{
  const LensParams params = { .radius = LENS_RADIUS_MAX, .blades = 6, .rotation = 10.0 };

  return lens_plan_new (&params, &format, NULL);
}

static FxPlan *
make_matrix (void)
{
  g_autofree double *values = g_new (double, SIDE *SIDE);
  const ConvolveParams params = { .rows = SIDE,
                                  .columns = SIDE,
                                  .values = values,
                                  .channels = CONVOLVE_CHANNELS_ALL,
                                  .alpha = CONVOLVE_ALPHA_PREMULTIPLIED };

  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = g_test_rand_double_range (-0.5, 1.0);
  return convolve_plan_new (&params, &format, NULL);
}

/* Runs. */

/* The colour of each pixel of which the number can be divided by every is infinite; 0: none. */
static int
count_transforms (FxPlan *plan, int every)
{
  static float source[WIDTH * HEIGHT * 4], result[WIDTH * HEIGHT * 4];
  const Memory memory = { source, result, WIDTH, HEIGHT, format };
  const FxImage image = memory_get_image (&memory);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;
  int infinite = 0;

  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    source[i] = i % 4 == 3 ? 1.0f : every && i / 4 % every == 0 ? INFINITY : 0.5f;
  counts.transforms = counts.sums = 0;
  g_assert_true (fx_engine_run (engine, plan, FX_DEVICE_CPU, &image, NULL, &error));
  g_assert_no_error (error);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    infinite += isinf (result[4 * i]) != 0;
  g_assert_cmpint (infinite > 0, ==, every > 0);
  g_test_message ("an infinity every %d pixels: %d transforms, %d sums, %d infinite results", every,
                  counts.transforms, counts.sums, infinite);
  g_assert_cmpint (counts.sums, ==, 0);
  return counts.transforms;
}

static void
check_work (FxPlan *(*make) (void) )
{
  g_autoptr (FxPlan) plan = make ();
  const int finite = count_transforms (plan, 0), one = count_transforms (plan, WIDTH * HEIGHT);

  g_assert_cmpint (finite, >, 0);
  g_assert_cmpint (one, >, finite);
  g_assert_cmpint (one, <=, TIMES * finite);
  g_assert_cmpint (count_transforms (plan, 7), ==, one);
}

TEST (test_lens, "/lens/infinite/lens")
{
  check_work (make_lens);
}

TEST (test_matrix, "/lens/infinite/matrix")
{
  check_work (make_matrix);
}

int
main (int argc, char **argv)
{
  __wrap_convolve_fft_precise = __real_convolve_fft_precise;
  __wrap_convolve_fft_precise.convolve = count_transform;
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
