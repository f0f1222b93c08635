/* The transforms by which the CPU convolves, by themselves: lines and tiles against sums in double
 * precision, of matrices up to 1023x1023. */
#include "cpu-fft.h"
#include "test.h"
#include "whole-strip.h"

#include <complex.h>

#define NOISE 6.1e-8 /* half a unit in the last place of the results */

static ConvolveFftPoint *
allocate_points (gsize n)
{
  return g_new0 (ConvolveFftPoint, n);
}

/* Lines. */

static void
fill_points (ConvolveFftPoint *points, int n)
{
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
      {
        points[k].re[i] = g_test_rand_double_range (-1.0, 1.0);
        points[k].im[i] = g_test_rand_double_range (-1.0, 1.0);
      }
}

static complex double
get_frequency (const ConvolveFftPoint *points, int n, int line, int frequency)
{
  complex double sum = 0.0;

  for (int k = 0; k < n; k++)
    sum += (points[k].re[line] + I * (double) points[k].im[line]) *
           cexp (-2.0 * G_PI * I * ((double) ((gint64) k * frequency % n) / n));
  return sum;
}

/* Whether one of the n results is this frequency: they have an order of their own. */
static gboolean
has_frequency (const ConvolveFftPoint *points, int n, int line, complex double frequency)
{
  for (int k = 0; k < n; k++)
    if (cabs (points[k].re[line] + I * (double) points[k].im[line] - frequency) < 1e-6 * n)
      return TRUE;
  return FALSE;
}

/* All frequencies are there, and the inverse gives the points again. */
static void
check_lines (int n)
{
  g_autofree double *factors = convolve_fft_make_factors (n);
  g_autofree ConvolveFftPoint *points = allocate_points (n), *source = NULL;

  fill_points (points, n);
  source = g_memdup2 (points, n * sizeof *points);
  convolve_fft_transform (points, n, factors);
  for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
    for (int f = 0; f < n; f += MAX (n / 16, 1))
      g_assert_true (has_frequency (points, n, i, get_frequency (source, n, i, f)));
  convolve_fft_invert (points, n, factors);
  for (int k = 0; k < n; k++)
    for (int i = 0; i < CONVOLVE_FFT_LINES; i++)
      {
        g_assert_cmpfloat_with_epsilon (points[k].re[i] / n, source[k].re[i], 1e-6);
        g_assert_cmpfloat_with_epsilon (points[k].im[i] / n, source[k].im[i], 1e-6);
      }
}

TEST (test_lines, "/transform/lines")
{
  for (int n = 16; n <= 2048; n *= 2)
    {
      check_lines (n);
      check_lines (3 * n / 2);
    }
}

/* Tiles. */

typedef struct {
  int width, height; /* of each layer */
  float *samples[CONVOLVE_FFT_LAYERS], *results[CONVOLVE_FFT_LAYERS];
  float *weights; /* rows x columns */
  int rows, columns;
  double magnitude;
} Picture;

/* Beside the tile's last rows and columns there is room for the part that is not used. */
static void
init_picture (Picture *picture, int width, int height, int rows, int columns)
{
  const int n = rows * columns;

  *picture = (Picture) { .width = width, .height = height, .rows = rows, .columns = columns };
  picture->weights = g_new (float, n);
  for (int i = 0; i < n; i++)
    {
      picture->weights[i] = (float) (g_test_rand_double_range (-0.3, 1.0) / n);
      picture->magnitude += fabs (picture->weights[i]);
    }
  for (int layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    {
      picture->samples[layer] = g_new (float, width *height);
      picture->results[layer] = g_new0 (float, width *height);
      for (int i = 0; i < width * height; i++)
        picture->samples[layer][i] = (float) g_test_rand_double ();
    }
}

static void
clear_picture (Picture *picture)
{
  for (int layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    {
      g_free (picture->samples[layer]);
      g_free (picture->results[layer]);
    }
  g_free (picture->weights);
}

static void
convolve (const Picture *picture, int columns, int rows)
{
  const gsize n = convolve_fft_tile_count_points (columns, rows);
  g_autofree ConvolveFftPoint *points = allocate_points (n), *spectrum = allocate_points (n);
  g_autofree ConvolveFftPoint *scratch = allocate_points (rows);
  g_autofree const float **lines = g_new (const float *, 2 * picture->height);
  g_autofree float *matrix_lines = g_new (float, (picture->rows + 1) * columns);
  ConvolveFftPair pair = { .rows = picture->height,
                           .result_rows = picture->height - picture->rows + 1,
                           .stride = picture->width };
  const ConvolveMatrix matrix = { .rows = picture->rows,
                                  .columns = picture->columns,
                                  .weights = picture->weights };
  ConvolveFftTile tile;

  for (int layer = 0; layer < CONVOLVE_FFT_LAYERS; layer++)
    {
      for (int y = 0; y < picture->height; y++)
        lines[layer * picture->height + y] = picture->samples[layer] + y * picture->width;
      pair.layers[layer] = (ConvolveFftLayer) {
        .source = lines + layer * picture->height,
        .columns = picture->width,
        .result = picture->results[layer],
        .result_columns = (picture->width - picture->columns + 1) & ~(CONVOLVE_FFT_LINES - 1),
      };
    }
  convolve_fft_tile_init (&tile, columns, rows);
  convolve_fft_tile_get_spectrum (&tile, &matrix, CONVOLVE_FFT_WEIGHTS, matrix_lines, spectrum,
                                  scratch);
  convolve_fft_tile_convolve (&tile, &pair, spectrum, points, scratch);
  convolve_fft_tile_clear (&tile);
}

static double
get_sum (const Picture *picture, int layer, int x, int y)
{
  double sum = 0.0;

  for (int j = 0; j < picture->rows; j++)
    for (int i = 0; i < picture->columns; i++)
      sum += (double) picture->weights[j * picture->columns + i] *
             picture->samples[layer][(y + j) * picture->width + x + i];
  return sum;
}

static void
check_tile (int width, int height, int rows, int columns, int tile_columns, int tile_rows)
{
  Picture picture;
  double worst = 0.0;

  init_picture (&picture, width, height, rows, columns);
  convolve (&picture, tile_columns, tile_rows);
  for (int n = 0; n < 64; n++)
    {
      const int layer = n % CONVOLVE_FFT_LAYERS;
      const int x = g_test_rand_int_range (0, (width - columns + 1) & ~(CONVOLVE_FFT_LINES - 1));
      const int y = g_test_rand_int_range (0, height - rows + 1);

      worst = MAX (worst,
                   fabs (picture.results[layer][y * width + x] - get_sum (&picture, layer, x, y)));
    }
  g_test_message ("%dx%d in %dx%d: %g", rows, columns, tile_rows, tile_columns,
                  worst / picture.magnitude);
  g_assert_cmpfloat (worst, <=, NOISE * picture.magnitude);
  clear_picture (&picture);
}

/* Full tiles, and such that are 0 beyond some column and row. */
TEST (test_tiles, "/transform/tiles")
{
  check_tile (32, 16, 1, 1, 32, 16);
  check_tile (128, 190, 63, 63, 128, 256);
  check_tile (250, 201, 63, 3, 256, 256);
  check_tile (130, 17, 5, 99, 256, 32);
  check_tile (256, 255, 127, 127, 256, 256);
  check_tile (500, 382, 255, 255, 512, 512);
  check_tile (2048, 1150, 1023, 1023, 2048, 2048);
  check_tile (192, 190, 63, 63, 192, 192);
  check_tile (700, 382, 255, 255, 768, 384);
}

/* Memory. */

static gsize
get_bytes (const ConvolvePlan *plan, const FxStrip *strip, ConvolveFftNeeds needs, int threads)
{
  needs.threads = threads;
  return convolve_fft_get_bytes (plan, strip, &needs);
}

/* The threads' tiles keep to the limit, unless even one thread exceeds it. */
static void
check_needs (const ConvolvePlan *plan, int chunk_rows, int threads, gsize memory)
{
  const FxStrip strip = whole_strip (6000, 4000, chunk_rows);
  const ConvolveFftNeeds needs = convolve_fft_get_needs (plan, &strip, threads, memory);
  const gsize fixed = get_bytes (plan, &strip, needs, 0);
  const gsize tiles = get_bytes (plan, &strip, needs, needs.threads) - fixed;

  g_test_message ("%d threads, %" G_GSIZE_FORMAT " bytes: %d of %dx%d, %" G_GSIZE_FORMAT, threads,
                  memory, needs.threads, needs.size.rows, needs.size.columns, tiles);
  g_assert_cmpint (needs.threads, >=, 1);
  g_assert_cmpint (needs.threads, <=, threads);
  g_assert_true (memory > 0 || needs.threads == threads);
  g_assert_true (memory == 0 || needs.threads == 1 || tiles <= memory);
  g_assert_cmpint (needs.size.step_x, >, 0);
  g_assert_cmpint (needs.size.step_y, >=, MIN (chunk_rows, 128));
  g_assert_cmpint (needs.size.step_y, <=, chunk_rows);
}

/* A tile gives at least half as many rows as it has. */
static void
check_chunk_rows (const ConvolvePlan *plan)
{
  const int rows = plan->strategy.cpu.chunk_rows;
  const FxStrip strip = { .x1 = 4096, .y1 = 4096, .chunk_rows = rows };
  const ConvolveFftNeeds needs = convolve_fft_get_needs (plan, &strip, 1, 0);

  g_assert_cmpint (rows & (rows - 1), ==, 0);
  g_assert_cmpint (rows, >=, 128);
  g_assert_cmpint (2 * needs.size.step_y, >=, needs.size.rows);
}

TEST (test_memory, "/transform/memory")
{
  static const FxFormat formats[] = { { FX_SAMPLE_U8, 3, TRUE }, { FX_SAMPLE_FLOAT, 4, FALSE } };
  static const int sizes[] = { 21, 63, 201, 1023 };

  for (int n = 0; n < 8; n++)
    {
      const int size = sizes[n / 2];
      g_autofree double *values = g_new (double, size *size);
      const ConvolveParams params = { .rows = size, .columns = size, .values = values };
      g_autoptr (FxPlan) plan = NULL;

      for (int i = 0; i < size * size; i++)
        values[i] = g_test_rand_double ();
      plan = convolve_plan_new (&params, &formats[n % 2], NULL);
      check_chunk_rows (convolve_plan_get (plan));
      for (int threads = 1; threads <= 256; threads *= 4)
        for (int rows = 32; rows <= 1024; rows *= 4)
          {
            check_needs (convolve_plan_get (plan), rows, threads, 0);
            for (gsize memory = 1 << 20; memory <= 1 << 30; memory *= 4)
              check_needs (convolve_plan_get (plan), rows, threads, memory);
          }
    }
}

int
main (int argc, char **argv)
{
  seed_test_init (&argc, &argv);
  return g_test_run ();
}
