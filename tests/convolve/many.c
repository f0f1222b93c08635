/* Matrices of many values, which the CPU convolves by FFT: tiles of a picture, and what must not
 * suffer from a transform's noise. */

#include "matrices.h"
#include "memory.h"
#include "reference.h"
#include "tested.h"
#include "traced.h"
#include "trcs.h"

#include <math.h>

/* A picture of a kind with some tiles along x and some bands along y. */
static Trial
make_wide (FxFormat format, int rows, int columns, const double *values)
{
  return (Trial) { .seed = g_test_rand_int (),
                   .format = format,
                   .width = 420,
                   .height = 150,
                   .params = { .rows = rows, .columns = columns, .values = values },
                   .device = tested_device () };
}

static gpointer
run (const Trial *trial, gconstpointer source)
{
  const FxRect region = trial_get_region (trial);
  gpointer result = g_malloc ((gsize) region.width * region.height *
                              fx_format_size (&trial->format));

  if (! trial_run (trial, source, result))
    memset (result, 0, 1); /* has failed */
  return result;
}

/* Odd shapes in every format, over every kind of abyss, with any channels and alpha. */
TEST (test_shapes, "/convolve/many/shapes")
{
  static const struct {
    int rows, columns;
  } shapes[] = { { 15, 15 }, { 3, 63 }, { 63, 5 }, { 31, 17 }, { 1, 63 }, { 63, 1 }, { 63, 63 } };
  const int channels = tested_device () == FX_DEVICE_CPU ? 4 : 1;

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    for (int n = 0; n < 6 * channels; n++)
      {
        g_autofree double *values = matrix_make (n % 3 ? MATRIX_POSITIVE : MATRIX_DENSE,
                                                 shapes[s].rows, shapes[s].columns);
        const Trial trial = { .seed = g_test_rand_int (),
                              .picture = n / 6 + n % 2,
                              .format = { n % 6, (n / 6 + s) % 4 + 1, n % 2 },
                              .width = g_test_rand_int_range (1, 100),
                              .height = g_test_rand_int_range (1, 50),
                              .params = { .rows = shapes[s].rows,
                                          .columns = shapes[s].columns,
                                          .values = values,
                                          .channels = n % 5 ? CONVOLVE_CHANNELS_ALL : 7,
                                          .alpha = n % 3,
                                          .abyss = (n + s) % 4,
                                          .light = n / 2 % 2 },
                              .device = tested_device () };

        trial_check (&trial);
      }
}

/* Tone curves that are tables: by sums, products and transforms, also of a large matrix. */
TEST (test_tables, "/convolve/many/tables")
{
  static const FxSample samples[] = { FX_SAMPLE_U8, FX_SAMPLE_U16, FX_SAMPLE_FLOAT };
  static const int sizes[] = { 5, 17, 65 };

  for (int n = 0; n < 12; n++)
    {
      const int size = sizes[n % 3];
      g_autofree double *values = matrix_make (n % 2 ? MATRIX_POSITIVE : MATRIX_DENSE, size, size);
      const Trial trial = { .seed = g_test_rand_int (),
                            .format = { samples[n / 4], 3 + n % 2, n % 4 > 0,
                                        trcs[TRC_PQ + n / 2 % 2] },
                            .width = 90,
                            .height = 40,
                            .params = { .rows = size,
                                        .columns = size,
                                        .values = values,
                                        .light = n % 4 ? FX_LIGHT_LINEAR : FX_LIGHT_PERCEPTUAL },
                            .device = tested_device () };

      trial_check (&trial);
    }
}

TEST (test_wide, "/convolve/many/tiles")
{
  static const FxFormat formats[] = {
    { FX_SAMPLE_U8, 4, TRUE },     { FX_SAMPLE_U16, 1, TRUE },  { FX_SAMPLE_U16, 4, TRUE },
    { FX_SAMPLE_FLOAT, 3, FALSE }, { FX_SAMPLE_HALF, 2, TRUE },
  };
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 15, 15);

  for (guint f = 0; f < (tested_device () == FX_DEVICE_CPU ? G_N_ELEMENTS (formats) : 1); f++)
    {
      Trial trial = make_wide (formats[f], 15, 15, values);

      trial.picture = PICTURE_EDGE + f % 2;
      trial_check (&trial);
    }
}

/* More rows at a time than tiles have, of which those beside a hole are recomputed. */
TEST (test_bands, "/convolve/many/bands")
{
  static const FxFormat formats[] = { { FX_SAMPLE_U8, 4, TRUE },
                                      { FX_SAMPLE_U16, 2, TRUE },
                                      { FX_SAMPLE_FLOAT, 4, FALSE } };
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 65, 33);

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    {
      Trial trial = make_wide (formats[f], 65, 33, values);

      trial.picture = PICTURE_HOLES;
      trial.width = 9;
      trial.height = 700;
      trial.band_rows = 512;
      trial_check (&trial);
    }
}

/* Wherever a region begins, and however little memory there is, a pixel is the same. */
TEST (test_regions, "/convolve/many/regions")
{
  const FxFormat format = { FX_SAMPLE_U8, 4, TRUE };
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 17, 21);
  const Trial all = make_wide (format, 17, 21, values);
  g_autofree guint8 *source = trial_make_picture (&all), *expected = run (&all, source);

  for (int n = 0; n < 8; n++)
    {
      Trial trial = all;
      g_autofree guint8 *result = NULL;

      trial.region.x = g_test_rand_int_range (0, trial.width);
      trial.region.y = g_test_rand_int_range (0, trial.height);
      trial.region.width = g_test_rand_int_range (1, trial.width - trial.region.x + 1);
      trial.region.height = g_test_rand_int_range (1, trial.height - trial.region.y + 1);
      if (n % 2)
        g_setenv ("CUDA_BLUR_MEMORY_LIMIT", "2M", TRUE);
      result = run (&trial, source);
      g_unsetenv ("CUDA_BLUR_MEMORY_LIMIT");
      for (int y = 0; y < trial.region.height; y++)
        for (int i = 0; i < trial.region.width * 4; i++)
          g_assert_cmpint (
            ABS (result[y * trial.region.width * 4 + i] -
                 expected[((trial.region.y + y) * trial.width + trial.region.x) * 4 + i]),
            <=, 1);
    }
}

/* Where there is nothing but zeros under the matrix, the sum is 0 and not noise: beside bright
 * pixels, and where a channel or all of a tile is black. */
TEST (test_zeros, "/convolve/many/zeros")
{
  const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  const int rows = 21, columns = 31;
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, rows, columns);

  for (int alpha = CONVOLVE_ALPHA_PREMULTIPLIED; alpha <= CONVOLVE_ALPHA_STRAIGHT; alpha++)
    {
      Trial trial = make_wide (format, rows, columns, values);
      const int stride = trial.width * 4;
      g_autofree float *source = g_new0 (float, stride *trial.height), *result = NULL;

      trial.params.alpha = alpha;
      for (int y = 60; y < 90; y++)
        for (int x = 180; x < 200; x++)
          for (int c = 1; c < 4; c++)
            source[y * stride + x * 4 + c] = (float) g_test_rand_double_range (0.1, 1.0);
      result = run (&trial, source);
      for (int i = 0; i < stride * trial.height; i++)
        {
          const int x = i / 4 % trial.width, y = i / stride;
          const gboolean reached = i % 4 > 0 && x >= 180 - columns / 2 && x < 200 + columns / 2 &&
                                   y >= 60 - rows / 2 && y < 90 + rows / 2;

          if (reached)
            g_assert_cmpfloat (result[i], >, 0.0f);
          else
            g_assert_cmpfloat (result[i], ==, 0.0f);
        }
    }
}

/* Colour that is nearly transparent is divided by a sum of alpha that is smaller than the noise of
 * the opaque pixels beside it. */
static void
check_transparent (FxFormat format, double alpha)
{
  g_autofree double *values = matrix_make (MATRIX_POSITIVE, 15, 15);
  Trial trial = make_wide (format, 15, 15, values);
  const gsize n = (gsize) trial.width * trial.height * 4;
  g_autofree guint8 *source = NULL, *result = NULL;
  g_autofree Correlation *expected = NULL;
  double range;

  trial.params.alpha = CONVOLVE_ALPHA_PREMULTIPLIED;
  source = trial_make_picture (&trial);
  for (gsize i = 3; i < n; i += 4)
    {
      const gboolean opaque = i / 4 % trial.width >= 60;
      const double rest = i / 4 % 50 == 0 ? alpha : 0.0; /* few pixels, some under each matrix */

      reference_encode (format.sample, opaque ? 1.0 : rest, source, i);
    }
  result = run (&trial, source);
  expected = trial_expect (&trial, source);
  range = trial_get_range (&trial, source);
  for (gsize i = 0; i < n; i++)
    {
      const double got = reference_decode (format.sample, result, i);

      if (trial_is_right (&trial, &expected[i], got, range))
        continue;
      trial_fail (&trial, "%.9g at sample %" G_GSIZE_FORMAT ", expected %.9g", got, i,
                  expected[i].value);
      return;
    }
}

TEST (test_transparent, "/convolve/many/transparent")
{
  check_transparent ((FxFormat) { FX_SAMPLE_FLOAT, 4, FALSE }, 1e-5);
  check_transparent ((FxFormat) { FX_SAMPLE_U8, 4, TRUE }, 1.0 / 255.0);
  check_transparent ((FxFormat) { FX_SAMPLE_U16, 4, TRUE }, 1.0 / 65535.0);
}

/* One colour in the left quarter, under any alpha; the rest is transparent. */
static void
fill_faint (float *source, int width, int n)
{
  static const float color[] = { 0.5f, 0.3f, 1.0f };

  for (int i = 0; i < n; i++)
    if (i % width < width / 4)
      {
        memcpy (source + 4 * i, color, sizeof color);
        source[4 * i + 3] = (float) g_test_rand_double_range (0.2, 1.0);
      }
}

/* A mean of one colour is that colour, however little alpha the matrix reaches. */
static void
check_faint (const float *result, int width, int n, int radius)
{
  for (int i = 0; i < n; i++)
    {
      const float *pixel = result + 4 * i;

      if (i % width >= width / 4 + radius)
        g_assert_true (pixel[0] == 0.0f && pixel[1] == 0.0f && pixel[2] == 0.0f &&
                       pixel[3] == 0.0f);
      else if (pixel[3] > 0.0f)
        {
          g_assert_cmpfloat_with_epsilon (pixel[0], 0.5f, 1e-5f);
          g_assert_cmpfloat_with_epsilon (pixel[1], 0.3f, 1e-5f);
          g_assert_cmpfloat_with_epsilon (pixel[2], 1.0f, 1e-5f);
        }
    }
}

/* A bell whose ends weigh some 1e-7. */
TEST (test_large_faint, "/convolve/many/large-faint")
{
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  enum { SIZE = 129, WIDTH = 240, HEIGHT = 40 };
  g_autofree double *values = g_new (double, SIZE *SIZE);
  g_autofree float *source = g_new0 (float, WIDTH *HEIGHT * 4);
  g_autofree float *result = g_new0 (float, WIDTH *HEIGHT * 4);
  const ConvolveParams params = {
    .rows = SIZE, .columns = SIZE, .values = values, .abyss = FX_ABYSS_NONE
  };
  const Memory memory = { source, result, WIDTH, HEIGHT, format };
  const FxImage image = memory_get_image (&memory);
  g_autoptr (GError) error = NULL;
  g_autoptr (FxPlan) plan = NULL;

  for (int i = 0; i < SIZE * SIZE; i++)
    {
      const double x = i % SIZE - SIZE / 2, y = i / SIZE - SIZE / 2;

      values[i] = exp (-(x * x + y * y) / 250.0) * g_test_rand_double_range (0.5, 1.0);
    }
  fill_faint (source, WIDTH, WIDTH * HEIGHT);
  plan = convolve_plan_new (&params, &format, &error);
  g_assert_no_error (error);
  fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, &error);
  g_assert_no_error (error);
  check_faint (result, WIDTH, WIDTH * HEIGHT, SIZE / 2);
}

/* The sum of whole numbers that a sample of 8 bits holds; beyond the edge, there is black. */
static int
get_whole_sum (const Trial *trial, const guint8 *source, int x, int y)
{
  const ConvolveParams *params = &trial->params;
  int sum = 0;

  for (int n = 0; n < params->rows * params->columns; n++)
    {
      const int row = y + n / params->columns - params->rows / 2;
      const int column = x + n % params->columns - params->columns / 2;

      if (row >= 0 && row < trial->height && column >= 0 && column < trial->width)
        sum += (int) params->values[n] * source[row * trial->width + column];
    }
  return CLAMP (sum, 0, 255);
}

/* Sums of whole numbers are whole, and their rounding is not left to noise. */
TEST (test_whole_numbers, "/convolve/many/whole-numbers")
{
  const FxFormat format = { FX_SAMPLE_U8, 1, FALSE };
  const int size = 15;
  g_autofree double *values = g_new (double, size *size);
  Trial trial = make_wide (format, size, size, values);
  const int n = trial.width * trial.height;
  g_autofree guint8 *source = g_malloc (n), *result = NULL;

  trial.params.divisor = 1.0;
  trial.params.abyss = FX_ABYSS_BLACK;
  for (int i = 0; i < size * size; i++)
    values[i] = g_test_rand_int_range (-2, 4);
  for (int i = 0; i < n; i++)
    source[i] = (guint8) g_test_rand_int_range (0, 3);
  result = run (&trial, source);
  for (int i = 0; i < n; i++)
    g_assert_cmpint (result[i], ==,
                     get_whole_sum (&trial, source, i % trial.width, i / trial.width));
}
