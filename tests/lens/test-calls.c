/* The work of matrices that are transformed, counted: none of it is a sum over the values, which
 * would take minutes for a thousand rows and columns. Infinities cost at most five transforms for
 * one, however many there are. The linker puts this file's functions in place of the engine's
 * own. */
#include "convolve.h"
#include "cpu-run.h"
#include "lens.h"
#include "memory.h"
#include "test.h"

#include <math.h>

#define WIDTH  40
#define HEIGHT 30
#define SIDE   CONVOLVE_SIZE_MAX

/* A transform convolves two layers together. For the infinities of each it takes two more: with the
 * values above 0 and with those below. */
#define TIMES 5

/* In place of the engine's. */

void __real_convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                        const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                        ConvolveFftPoint *scratch);
void __wrap_convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                        const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                        ConvolveFftPoint *scratch);
void __real_convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                                      float *sums);
void __wrap_convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                                      float *sums);

typedef struct {
  int transforms, sums;
} Counts;

static Counts counts;

void
__wrap_convolve_fft_tile_convolve (const ConvolveFftTile *tile, const ConvolveFftPair *pair,
                                   const ConvolveFftPoint *spectrum, ConvolveFftPoint *points,
                                   ConvolveFftPoint *scratch)
{
  g_atomic_int_inc (&counts.transforms);
  __real_convolve_fft_tile_convolve (tile, pair, spectrum, points, scratch);
}

void
__wrap_convolve_cpu_run_sum_row (const ConvolveCpuRun *run, ConvolveCpuScratch *scratch, int y,
                                 float *sums)
{
  g_atomic_int_inc (&counts.sums);
  __real_convolve_cpu_run_sum_row (run, scratch, y, sums);
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

static Counts
count_work (FxPlan *plan, int width, int height, gconstpointer source, gpointer result)
{
  const Memory memory = { source, result, width, height, format };
  const FxImage image = memory_get_image (&memory);
  g_autoptr (FxEngine) engine = fx_engine_new ();
  g_autoptr (GError) error = NULL;

  counts = (Counts) { 0 };
  g_assert_true (fx_engine_run (engine, plan, FX_DEVICE_CPU, &image, NULL, &error));
  g_assert_no_error (error);
  return counts;
}

/* The colour of each pixel of which the number can be divided by every is infinite; 0: none. */
static Counts
count_infinite (FxPlan *plan, int every)
{
  static float source[WIDTH * HEIGHT * 4], result[WIDTH * HEIGHT * 4];
  int infinite = 0;
  Counts work;

  for (int i = 0; i < WIDTH * HEIGHT * 4; i++)
    source[i] = i % 4 == 3 ? 1.0f : every && i / 4 % every == 0 ? INFINITY : 0.5f;
  work = count_work (plan, WIDTH, HEIGHT, source, result);
  g_assert_cmpint (work.sums, ==, 0);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    infinite += isinf (result[4 * i]) != 0;
  g_assert_cmpint (infinite > 0, ==, every > 0);
  g_test_message ("an infinity every %d pixels: %d transforms, %d infinite results", every,
                  work.transforms, infinite);
  return work;
}

static void
check_work (FxPlan *(*make) (void) )
{
  g_autoptr (FxPlan) plan = make ();
  const Counts finite = count_infinite (plan, 0), one = count_infinite (plan, WIDTH * HEIGHT);

  g_assert_cmpint (finite.transforms, >, 0);
  g_assert_cmpint (one.transforms, >, finite.transforms);
  g_assert_cmpint (one.transforms, <=, TIMES * finite.transforms);
  g_assert_cmpint (count_infinite (plan, 7).transforms, ==, one.transforms);
}

TEST (test_lens, "/lens/calls/lens")
{
  check_work (make_lens);
}

TEST (test_matrix, "/lens/calls/matrix")
{
  check_work (make_matrix);
}

/* Blurs a picture that is white within rect, or outside of it, and transparent elsewhere. Its
 * results are white or transparent, however little alpha they have, without a sum. Returns the
 * work. */
static Counts
count_white (int radius, int width, int height, FxRect rect, gboolean within)
{
  const LensParams params = { .radius = radius };
  const int n = width * height;
  g_autofree float *source = g_new (float, n * 4);
  g_autofree float *result = g_new (float, n * 4);
  g_autoptr (FxPlan) plan = lens_plan_new (&params, &format, NULL);
  Counts work;

  for (int i = 0; i < n * 4; i++)
    {
      const int x = i / 4 % width - rect.x, y = i / 4 / width - rect.y;
      const gboolean inside = x >= 0 && x < rect.width && y >= 0 && y < rect.height;

      source[i] = inside == within ? 1.0f : 0.0f;
    }
  work = count_work (plan, width, height, source, result);
  g_assert_cmpint (work.sums, ==, 0);
  for (int i = 0; i < n; i++)
    g_assert_true (result[4 * i + 3] == 0.0f ? result[4 * i] == 0.0f
                                             : fabsf (result[4 * i] - 1.0f) <= 1e-5f);
  return work;
}

/* Half of the picture is transparent, so that there are results of little alpha. */
TEST (test_transparent, "/lens/calls/transparent")
{
  count_white (100, 100, 3000, (FxRect) { 0, 0, 100, 1500 }, TRUE);
}

/* The same wherever the transparent part begins, beside an edge of the tiles, too. */
TEST (test_edges, "/lens/calls/edges")
{
  for (int first = 0, end = 1000; end < 2000; first = end, end += 8)
    count_white (100, 3000, 3, (FxRect) { first, 0, end - first, 3 }, TRUE);
}

/* A hole in a white picture, under a disc that sums could do. */
static Counts
count_hole (int size)
{
  const int start = 100 - size / 2;

  return count_white (30, 200, 200, (FxRect) { start, start, size, size }, FALSE);
}

/* Results of little alpha take no more work than others. */
TEST (test_hole, "/lens/calls/hole")
{
  const Counts none = count_hole (0);

  for (int size = 56; size <= 120; size += 64)
    g_assert_cmpint (count_hole (size).transforms, <=, none.transforms);
}

int
main (int argc, char **argv)
{
  g_setenv ("OMP_NUM_THREADS", "1", TRUE); /* on which the tiles depend */
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
