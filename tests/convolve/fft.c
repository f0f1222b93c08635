/* The convolution by Fourier transforms, which matrices of each size are made to take. */

#include "convolve-gpu.h"
#include "engine.h"
#include "gpu-fft-tile.h"
#include "matrices.h"
#include "memory.h"
#include "tested.h"
#include "trial.h"

#include <float.h>
#include <math.h>

static FxPlan *
make_plan (const Trial *trial)
{
  FxPlan *plan = convolve_plan_new (&trial->params, &trial->format, NULL);

  ((ConvolvePlan *) plan)->choice = trial->choice;
  return plan;
}

/* A transform is not exact enough for some matrices and formats. */
static gboolean
is_transformed (const Trial *trial)
{
  g_autoptr (FxPlan) plan = make_plan (trial);

  return ! plan->identity && plan->filter->get_gpu_path (plan) == &convolve_gpu_fft;
}

static Trial
make_trial (const double *values, int rows, int columns)
{
  Trial trial = { .seed = g_test_rand_int (),
                  .width = g_test_rand_int_range (1, 300),
                  .height = g_test_rand_int_range (1, 200),
                  .device = tested_device (),
                  .choice = { CONVOLVE_PATH_FFT } };

  trial.choice.columns = 128 << g_test_rand_int_range (0, 3);
  trial.choice.rows = 128 << g_test_rand_int_range (0, 3);
  trial.choice.scratch = g_test_rand_bit () ? 1 : 0; /* one tile at a time */
  trial.format = (FxFormat) { g_test_rand_int_range (0, 6), g_test_rand_int_range (1, 5),
                              g_test_rand_int_range (0, 2) };
  trial.picture = g_test_rand_int_range (0, trial.format.sample <= FX_SAMPLE_U32 ? PICTURE_HDR
                                                                                 : PICTURES);
  trial.params = (ConvolveParams) { .rows = rows,
                                    .columns = columns,
                                    .values = values,
                                    .abyss = g_test_rand_int_range (0, 4),
                                    .light = g_test_rand_int_range (0, 2),
                                    .alpha = g_test_rand_int_range (0, 3) };
  if (g_test_rand_int_range (0, 3) == 0)
    trial.params.offset = g_test_rand_double_range (-0.5, 1.0);
  if (g_test_rand_int_range (0, 3) == 0)
    trial.params.channels = g_test_rand_int_range (1, 16);
  return trial;
}

static void
check_kind (MatrixKind kind, int rows, int columns)
{
  g_autofree double *values = matrix_make (kind, rows, columns);
  Trial trial = make_trial (values, rows, columns);

  values[0] += 1.0; /* not all are 0 */
  for (int n = 0; n < 20 && ! is_transformed (&trial); n++)
    trial = make_trial (values, rows, columns);
  g_test_message ("kind %d, %dx%d: sample %d, %d channels, tile %dx%d", kind, rows, columns,
                  trial.format.sample, trial.format.channels, trial.choice.columns,
                  trial.choice.rows);
  g_assert_true (is_transformed (&trial));
  trial_check (&trial);
}

static void
test_kinds (void)
{
  static const struct {
    int rows, columns;
  } sizes[] = { { 1, 5 }, { 63, 1 }, { 3, 63 }, { 7, 7 }, { 15, 31 }, { 31, 31 }, { 63, 63 } };
  static const MatrixKind kinds[] = { MATRIX_POSITIVE, MATRIX_DENSE, MATRIX_SPARSE, MATRIX_BOX };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      check_kind (kinds[k], sizes[i].rows, sizes[i].columns);
}

/* Each length that is chosen. */
static void
test_lengths (void)
{
  static const struct {
    int columns, rows;
  } tiles[] = { { 512, 128 },  { 1024, 128 }, { 1536, 128 }, { 2048, 128 }, { 2560, 128 },
                { 2816, 128 }, { 3072, 128 }, { 4096, 128 }, { 4352, 128 }, { 4608, 128 },
                { 4864, 128 }, { 128, 512 },  { 128, 1024 }, { 128, 1536 }, { 128, 2048 },
                { 128, 2560 }, { 128, 2816 }, { 128, 3072 }, { 128, 4096 } };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      g_autofree double *values = matrix_make (MATRIX_POSITIVE, 9, 9);
      const Trial trial = { .seed = g_test_rand_int (),
                            .format = { FX_SAMPLE_FLOAT, 3, FALSE },
                            .width = 130,
                            .height = 60,
                            .params = { .rows = 9, .columns = 9, .values = values },
                            .device = tested_device (),
                            .choice = { CONVOLVE_PATH_FFT, tiles[i].columns, tiles[i].rows } };

      g_assert_true (is_transformed (&trial));
      trial_check (&trial);
    }
}

/* Both sides of a picture share what lies beyond it, if that is the same. The largest picture that
 * has room in a tile so, and one that is too large for that. */
static void
test_shared_margins (void)
{
  enum { ROWS = 21, COLUMNS = 31, TILE = 256 };
  g_autofree double *values = matrix_make (MATRIX_DENSE, ROWS, COLUMNS);

  for (int n = 0; n < 8; n++)
    {
      const Trial trial = { .seed = g_test_rand_int (),
                            .format = { FX_SAMPLE_FLOAT, n % 4 + 1, FALSE },
                            .width = TILE - COLUMNS / 2 + n / 4,
                            .height = TILE / 2 - ROWS / 2 + n / 4,
                            .params = { .rows = ROWS,
                                        .columns = COLUMNS,
                                        .values = values,
                                        .alpha = CONVOLVE_ALPHA_STRAIGHT,
                                        .abyss = (FxAbyss) (n % 4) },
                            .device = tested_device (),
                            .choice = { CONVOLVE_PATH_FFT, TILE, TILE / 2 } };

      g_assert_true (is_transformed (&trial));
      trial_check (&trial);
    }
}

/* A picture that is smaller than the matrix, of which a tile has to have all weights: those that
 * reach nothing but what lies beyond the edges count, too. */
static void
test_small_picture (void)
{
  enum { SIZE = 301 };
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, SIZE, SIZE);
  const Trial trial = {
    .seed = g_test_rand_int (),
    .format = { FX_SAMPLE_FLOAT, 2, FALSE },
    .width = 40,
    .height = 30,
    .params = { .rows = SIZE, .columns = SIZE, .values = values, .abyss = FX_ABYSS_WHITE },
    .device = tested_device (),
  };

  g_assert_true (is_transformed (&trial));
  trial_check (&trial);
}

static gsize
get_tile_size (const ConvolvePlan *plan, const FxStrip *strip, gboolean *whole)
{
  const ConvolveGpuFftTile tile = convolve_gpu_fft_choose_tile_for (plan, strip);

  *whole = tile.step_x >= strip->x1 - strip->x0 && tile.step_y >= strip->y1 - strip->y0;
  if (strip->x0 > 0)
    g_assert_cmpint (tile.step_x, ==, tile.columns - plan->matrix.columns + 1);
  if (strip->y0 > 0)
    g_assert_cmpint (tile.step_y, ==, tile.rows - plan->matrix.rows + 1);
  return (gsize) tile.columns * tile.rows;
}

/* A picture under a large matrix is one tile, which is smaller if margins are shared. */
static void
test_tiles (void)
{
  enum { SIZE = 1023 };
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  static const FxStrip all = { 3840, 2160, 0, 3840, 0, 2160, 0, 3840, 0, 2160, 4096 };
  static const FxStrip part = { 3840, 2160, 8, 3840, 8, 2160, 0, 3840, 0, 2160, 4096 };
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, SIZE, SIZE);
  ConvolveParams params = { .rows = SIZE, .columns = SIZE, .values = values };
  gsize sizes[2], part_size;
  gboolean whole;

  for (int n = 0; n < 2; n++)
    {
      g_autoptr (FxPlan) plan = NULL;

      params.abyss = n ? FX_ABYSS_NONE : FX_ABYSS_CLAMP;
      plan = convolve_plan_new (&params, &format, NULL);
      sizes[n] = get_tile_size (convolve_plan_get (plan), &all, &whole);
      g_assert_true (whole);
      part_size = get_tile_size (convolve_plan_get (plan), &part, &whole);
      g_assert_true (whole);
      g_assert_cmpuint (part_size, ==, sizes[0]);
    }
  g_assert_cmpuint (sizes[1], <, sizes[0]);
}

/* If the matrix reaches nothing but zeros, the result is 0, not noise. */
static void
check_zeros (FxFormat format)
{
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 15, 15);
  const Trial trial = { .seed = g_test_rand_int (),
                        .format = format,
                        .width = 300,
                        .height = 200,
                        .params = { .rows = 15, .columns = 15, .values = values },
                        .device = tested_device (),
                        .choice = { CONVOLVE_PATH_FFT, 256, 128 } };
  const gsize n = (gsize) trial.width * trial.height * format.channels;
  g_autofree float *source = trial_make_picture (&trial), *result = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    if (i / format.channels % 300 >= 150)
      source[i] = 0.0f;
  g_assert_true (trial_run (&trial, source, result));
  for (gsize i = 0; i < n; i++)
    if (i / format.channels % 300 >= 157)
      g_assert_cmpfloat (result[i], ==, 0.0f);
    else if (i / format.channels % 300 < 150)
      g_assert_cmpfloat (result[i], >, 0.0f);
}

static void
test_zeros (void)
{
  check_zeros ((FxFormat) { FX_SAMPLE_FLOAT, 3, FALSE });
  check_zeros ((FxFormat) { FX_SAMPLE_FLOAT, 4, TRUE });
  check_zeros ((FxFormat) { FX_SAMPLE_FLOAT, 1, FALSE });
}

/* Next to opaque white, colour under little alpha is not told by a transform: its errors would be a
 * thousand times as large. */
static void
test_faint (void)
{
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 9, 9);
  const Trial trial = { .seed = g_test_rand_int (),
                        .format = { FX_SAMPLE_FLOAT, 4, TRUE },
                        .width = 200,
                        .height = 150,
                        .params = { .rows = 9, .columns = 9, .values = values },
                        .device = tested_device (),
                        .choice = { CONVOLVE_PATH_FFT } };
  const int n = trial.width * trial.height * 4;
  g_autofree float *source = trial_make_picture (&trial), *result = g_new (float, n);
  g_autofree Correlation *all = NULL;

  for (int i = 0; i < n; i++)
    if (i / 4 % trial.width < 195)
      source[i] = 1.0f;
    else
      source[i] *= i % 4 == 3 ? 0.002f : 0.2f;
  all = trial_expect (&trial, source);
  g_assert_true (is_transformed (&trial) && trial_run (&trial, source, result));
  for (int i = 0; i < n; i++)
    if (! trial_is_right (&trial, &all[i], result[i], 1.0))
      {
        trial_fail (&trial, "%.9g at %d, expected %.9g", result[i], i, all[i].value);
        return;
      }
}

/* More may be wrong in a view, unless the curve shows it: a pure gamma does so in the dark. */
static void
test_shown (void)
{
  const ConvolveParams params = { .rows = 1, .columns = 1, .values = (const double[]) { 1.0 } };

  for (int n = 0; n < 2; n++)
    {
      const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE, { n * 2.2f, n } };
      g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);
      const ConvolvePlan *own = convolve_plan_get (plan);
      const ConvolveGpuFftTile tile = convolve_gpu_fft_choose_tile (own);
      const float stored = convolve_gpu_fft_get_errors (own, &tile, FALSE).allowed;
      const float shown = convolve_gpu_fft_get_errors (own, &tile, TRUE).allowed;

      g_assert_true (n ? shown == stored : shown > stored && 12.92 * shown <= 0.5 / 255.0);
    }
}

/* Makes samples of the largest magnitude, with signs that blocks of size x size pixels share. */
static void
fill_blocks (const Trial *trial, int size, float *source)
{
  const int stride = trial->width * trial->format.channels;
  const guint32 seed = g_test_rand_int ();

  for (int i = 0; i < stride * trial->height; i++)
    {
      const guint32 block = i / stride / size * 1000 + i % stride / trial->format.channels / size;

      source[i] = (block * 2654435761u + seed) * 2246822519u >> 31 ? 1.0f : -1.0f;
    }
}

static double
get_bound (const double *values, int n, const ConvolveChoice *choice)
{
  double magnitude = 0.0, squares = 0.0;

  for (int i = 0; i < n; i++)
    {
      magnitude += values[i];
      squares += values[i] * values[i];
    }
  return FLT_EPSILON / 2.0 * sqrt (log2 ((double) choice->columns * choice->rows)) *
         hypot (0.65, 1.2 * sqrt (squares) / magnitude);
}

/* The error is noise, whose standard deviation has a bound (gpu-fft-error.c). A matrix averages out
 * the source's part of it, unless one weight prevails. */
static void
check_noise (int columns, int rows, int size, double prevailing)
{
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 9, 9);
  const Trial trial = { .seed = g_test_rand_int (),
                        .format = { FX_SAMPLE_FLOAT, 3, FALSE },
                        .width = 500,
                        .height = 200,
                        .params = { .rows = 9, .columns = 9, .values = values },
                        .device = tested_device (),
                        .choice = { CONVOLVE_PATH_FFT, columns, rows } };
  const int n = trial.width * trial.height * 3;
  g_autofree float *source = g_new (float, n), *result = g_new (float, n);
  g_autofree Correlation *all = NULL;
  double squares = 0.0, most = 0.0, bound;

  values[4 * 9 + 4] += prevailing;
  fill_blocks (&trial, size, source);
  bound = get_bound (values, 9 * 9, &trial.choice);
  all = trial_expect (&trial, source);
  g_assert_true (is_transformed (&trial) && trial_run (&trial, source, result));
  for (int i = 0; i < n; i++)
    {
      const double error = fabs (result[i] - all[i].value);

      squares += error * error;
      most = MAX (most, error);
    }
  g_test_message ("%dx%d: %g, at most %g; bound %g", columns, rows, sqrt (squares / n), most,
                  bound);
  g_assert_cmpfloat (sqrt (squares / n), <=, bound);
  g_assert_cmpfloat (most, <=, 7.0 * bound);
}

static void
test_noise (void)
{
  static const struct {
    int columns, rows;
  } tiles[] = { { 256, 256 }, { 512, 256 }, { 1024, 512 }, { 4864, 128 }, { 128, 3072 } };

  for (guint i = 0; i < G_N_ELEMENTS (tiles); i++)
    {
      check_noise (tiles[i].columns, tiles[i].rows, 1, 1e6);
      check_noise (tiles[i].columns, tiles[i].rows, 8, 0.0);
    }
}

/* Wherever a region begins, and however little memory there is, a pixel is the same but for
 * rounding: tiles begin elsewhere. */
static void
test_parts (void)
{
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 17, 21);
  Trial trial = { .seed = g_test_rand_int (),
                  .format = { FX_SAMPLE_U8, 4, TRUE },
                  .width = 420,
                  .height = 300,
                  .params = { .rows = 17, .columns = 21, .values = values },
                  .device = tested_device (),
                  .choice = { CONVOLVE_PATH_FFT } };
  const int stride = trial.width * 4, n = stride * trial.height;
  g_autofree guint8 *source = trial_make_picture (&trial), *expected = g_malloc (n);

  g_assert_true (is_transformed (&trial) && trial_run (&trial, source, expected));
  for (int part = 0; part < 8; part++)
    {
      g_autofree guint8 *result = g_malloc (n);
      FxRect *region = &trial.region;

      region->x = g_test_rand_int_range (0, trial.width);
      region->y = g_test_rand_int_range (0, trial.height);
      region->width = g_test_rand_int_range (1, trial.width - region->x + 1);
      region->height = g_test_rand_int_range (1, trial.height - region->y + 1);
      if (part % 2)
        g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "4M", TRUE);
      g_assert_true (trial_run (&trial, source, result));
      g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
      for (int y = 0; y < region->height; y++)
        for (int i = 0; i < region->width * 4; i++)
          g_assert_cmpint (ABS (result[y * region->width * 4 + i] -
                                expected[(region->y + y) * stride + region->x * 4 + i]),
                           <=, 1);
    }
}

/* Whole numbers times levels of 8 bits are levels, which no error may round to others. */
static void
test_whole (void)
{
  const int n = 13 * 13;
  g_autofree double *values = g_new (double, n);
  double sum = 0.0;
  Trial trial = { .seed = g_test_rand_int (),
                  .picture = PICTURE_EDGE,
                  .format = { FX_SAMPLE_U8, 3, TRUE },
                  .width = 200,
                  .height = 150,
                  .params = { .rows = 13,
                              .columns = 13,
                              .values = values,
                              .divisor = 1.0,
                              .light = FX_LIGHT_PERCEPTUAL },
                  .device = tested_device (),
                  .choice = { CONVOLVE_PATH_TAPS } };
  const gsize bytes = (gsize) trial.width * trial.height * 3;
  g_autofree guint8 *source = trial_make_picture (&trial), *result = g_malloc (bytes);
  g_autofree guint8 *expected = g_malloc (bytes);

  for (int i = 0; i < n; i++)
    sum += values[i] = g_test_rand_int_range (-2, 3);
  values[n / 2] += 1.0 - sum;
  g_assert_true (trial_run (&trial, source, expected));
  trial.choice = (ConvolveChoice) { CONVOLVE_PATH_FFT };
  g_assert_true (is_transformed (&trial) && trial_run (&trial, source, result));
  g_assert_cmpmem (result, bytes, expected, bytes);
}

/* A large matrix takes the place of a plan's own. */
static void
test_large (void)
{
  enum { SIZE = 127, WIDTH = 260, HEIGHT = 170 };
  const FxFormat format = { FX_SAMPLE_FLOAT, 1, FALSE };
  const double one = 1.0;
  const ConvolveParams params = { .rows = 1, .columns = 1, .values = &one, .offset = 0.5 };
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, SIZE, SIZE);
  g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);
  ConvolvePlan *own = (ConvolvePlan *) plan;
  g_autofree float *source = g_new (float, WIDTH *HEIGHT), *result = g_new (float, WIDTH *HEIGHT);
  const Memory memory = { source, result, WIDTH, HEIGHT, format };
  const FxImage image = memory_get_image (&memory);
  g_autoptr (GError) error = NULL;
  double sum = 0.0, expected;

  for (int i = 0; i < SIZE * SIZE; i++)
    sum += values[i];
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    source[i] = (float) g_test_rand_double ();
  convolve_matrix_clear (&own->matrix);
  convolve_matrix_init (&own->matrix, values, SIZE, SIZE, sum);
  plan->reach = (FxReach) { SIZE / 2, SIZE / 2, SIZE / 2, SIZE / 2 };
  own->choice = (ConvolveChoice) { CONVOLVE_PATH_FFT };
  g_assert_true (plan->filter->get_gpu_path (plan) == &convolve_gpu_fft);
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  for (int n = 0; n < 2000; n++)
    {
      const int x = g_test_rand_int_range (0, WIDTH), y = g_test_rand_int_range (0, HEIGHT);

      expected = 0.0;
      for (int i = 0; i < SIZE * SIZE; i++)
        expected += values[i] / sum *
                    source[CLAMP (y + i / SIZE - SIZE / 2, 0, HEIGHT - 1) * WIDTH +
                           CLAMP (x + i % SIZE - SIZE / 2, 0, WIDTH - 1)];
      g_assert_cmpfloat_with_epsilon (result[y * WIDTH + x], expected + 0.5, 1e-5);
    }
}

/* The CPU has no such path. */
TESTS (add_fft)
{
  if (tested_device () != FX_DEVICE_GPU)
    return;
  g_test_add_func ("/convolve/fft/kinds", test_kinds);
  g_test_add_func ("/convolve/fft/lengths", test_lengths);
  g_test_add_func ("/convolve/fft/shared-margins", test_shared_margins);
  g_test_add_func ("/convolve/fft/small-picture", test_small_picture);
  g_test_add_func ("/convolve/fft/tiles", test_tiles);
  g_test_add_func ("/convolve/fft/zeros", test_zeros);
  g_test_add_func ("/convolve/fft/faint", test_faint);
  g_test_add_func ("/convolve/fft/parts", test_parts);
  g_test_add_func ("/convolve/fft/shown", test_shown);
  g_test_add_func ("/convolve/fft/noise", test_noise);
  g_test_add_func ("/convolve/fft/whole", test_whole);
  g_test_add_func ("/convolve/fft/large", test_large);
}
