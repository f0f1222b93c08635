/* Infinities and NaN. */

#include "matrices.h"
#include "memory.h"
#include "reference.h"
#include "tested.h"
#include "trial.h"

/* A colour sample to set. */
typedef struct {
  int x, y, channel;
  double value;
} Poke;

/* The pokes that a sample of the result has in reach. */
typedef struct {
  gboolean plus, minus;
} Reached;

static gboolean
is_premultiplied (const Trial *trial)
{
  return trial->format.channels % 2 == 0 && trial->params.alpha == CONVOLVE_ALPHA_PREMULTIPLIED;
}

/* Under an alpha of 0 it is nothing. */
static gboolean
is_nothing (const Trial *trial, gconstpointer source, const Poke *poke)
{
  const int channels = trial->format.channels;
  const gsize pixel = (gsize) poke->y * trial->width + poke->x;

  return is_premultiplied (trial) &&
         reference_decode (trial->format.sample, source, pixel * channels + channels - 1) == 0.0;
}

/* Through every tap that sees it: at an edge, a pixel stands for those beyond. */
static void
reach (const Trial *trial, const Poke *poke, int x, int y, Reached *reached)
{
  const ConvolveParams *params = &trial->params;
  const double divisor = convolve_params_get_divisor (params);
  const gboolean clamped = params->abyss == FX_ABYSS_CLAMP;

  for (int n = 0; n < params->rows * params->columns; n++)
    {
      const int from_x = x + n % params->columns - params->columns / 2;
      const int from_y = y + n / params->columns - params->rows / 2;
      const int at_x = clamped ? CLAMP (from_x, 0, trial->width - 1) : from_x;
      const int at_y = clamped ? CLAMP (from_y, 0, trial->height - 1) : from_y;
      const double sign = params->values[n] / divisor * (isnan (poke->value) ? 1.0 : poke->value);

      if (at_x != poke->x || at_y != poke->y || params->values[n] == 0.0)
        continue;
      reached->plus |= isnan (poke->value) || sign > 0.0;
      reached->minus |= isnan (poke->value) || sign < 0.0;
    }
}

static gboolean
is_largest (FxSample sample, double value)
{
  return fabs (value) >= (sample == FX_SAMPLE_HALF ? 65504.0 : (double) G_MAXFLOAT);
}

/* Returns what is wrong with a sample, or NULL. */
static const char *
find_fault (const Trial *trial, const Reached *reached, const Correlation *expected, double got,
            double range)
{
  if (isnan (got))
    return "not a number";
  if (! reached->plus && ! reached->minus)
    return trial_is_right (trial, expected, got, range) ? NULL : "out of reach";
  if (! is_largest (trial->format.sample, got))
    return "within reach, yet finite";
  return (got > 0.0 ? reached->plus : reached->minus) ? NULL : "the wrong sign";
}

/* finite: the picture without the pokes, which the definition gets. */
static void
check_samples (const Trial *trial, gconstpointer finite, gconstpointer result, const Poke *pokes,
               int n)
{
  const int channels = trial->format.channels;
  g_autofree Correlation *all = trial_expect (trial, finite);
  const double range = trial_get_range (trial, finite);

  for (gsize i = 0; i < (gsize) trial->width * trial->height * channels; i++)
    {
      const int channel = i % channels, x = i / channels % trial->width;
      const int y = i / channels / trial->width;
      const double got = reference_decode (trial->format.sample, result, i);
      Reached reached = { 0 };
      const char *fault;

      for (int p = 0; p < n; p++)
        if (pokes[p].channel == channel && ! is_nothing (trial, finite, &pokes[p]))
          reach (trial, &pokes[p], x, y, &reached);
      fault = find_fault (trial, &reached, &all[i], got, range);
      if (fault)
        {
          trial_fail (trial, "%s: %.9g at %d,%d channel %d, expected %.9g", fault, got, x, y,
                      channel, all[i].value);
          return;
        }
    }
}

static void
check (MatrixKind kind, int rows, int columns, int width, FxFormat format, ConvolveAlpha alpha,
       Picture picture, FxAbyss abyss, ConvolvePath path)
{
  g_autofree double *values = matrix_make (kind, rows, columns);
  const Trial trial = { .seed = g_test_rand_int (),
                        .picture = picture,
                        .format = format,
                        .width = width,
                        .height = 45,
                        .params = { .rows = rows,
                                    .columns = columns,
                                    .values = values,
                                    .divisor = 1.5,
                                    .channels = CONVOLVE_CHANNELS_ALL,
                                    .alpha = alpha,
                                    .abyss = abyss },
                        .device = tested_device (),
                        .choice = { path } };
  const Poke pokes[] = { { 30, 20, 0, INFINITY },
                         { 36, 22, 0, -INFINITY },
                         { 69, 44, 0, NAN },
                         { width - 68, 40, 0, -INFINITY } };
  const gsize bytes = (gsize) trial.width * trial.height * fx_format_size (&format);
  g_autofree guint8 *finite = trial_make_picture (&trial), *poked = g_memdup2 (finite, bytes);
  g_autofree guint8 *result = g_malloc (bytes);

  for (guint p = 0; p < G_N_ELEMENTS (pokes); p++)
    reference_encode (format.sample, pokes[p].value, poked,
                      ((gsize) pokes[p].y * trial.width + pokes[p].x) * format.channels);
  if (trial_run (&trial, poked, result))
    check_samples (&trial, finite, result, pokes, G_N_ELEMENTS (pokes));
}

/* Every way: by the taps, with weights of 0 among them; by products, which cancel out; by FFT,
 * which would spread an infinity over all of a tile. */
TEST (test_nonfinite, "/convolve/nonfinite")
{
  static const FxFormat formats[] = {
    { FX_SAMPLE_FLOAT, 4, TRUE },   { FX_SAMPLE_FLOAT, 1, FALSE }, { FX_SAMPLE_HALF, 4, FALSE },
    { FX_SAMPLE_DOUBLE, 2, FALSE }, { FX_SAMPLE_FLOAT, 3, TRUE },
  };
  static const struct {
    MatrixKind kind;
    int rows, columns, width;
  } matrices[] = {
    { MATRIX_DENSE, 3, 5, 70 },    { MATRIX_SPARSE, 9, 7, 70 },      { MATRIX_SPARSE, 31, 31, 70 },
    { MATRIX_RANK_1, 15, 9, 70 },  { MATRIX_RANK_2, 15, 15, 70 },    { MATRIX_RANK_3, 21, 31, 70 },
    { MATRIX_OPPOSITE, 7, 7, 70 }, { MATRIX_BOX, 11, 11, 70 },       { MATRIX_ONE, 17, 17, 70 },
    { MATRIX_DENSE, 21, 15, 300 }, { MATRIX_POSITIVE, 15, 21, 300 },
  };

  for (guint m = 0; m < G_N_ELEMENTS (matrices); m++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      for (int fft = 0; fft < 2; fft++)
        check (matrices[m].kind, matrices[m].rows, matrices[m].columns, matrices[m].width,
               formats[f], (m + f) % 2 ? CONVOLVE_ALPHA_STRAIGHT : CONVOLVE_ALPHA_PREMULTIPLIED,
               m % 2 ? PICTURE_HOLES : PICTURE_NOISE, f % 2 ? FX_ABYSS_CLAMP : FX_ABYSS_NONE,
               fft ? CONVOLVE_PATH_FFT : CONVOLVE_PATH_CHEAPEST);
}

/* With a large matrix: the CPU finds them by transforms. */
TEST (test_large_nonfinite, "/convolve/large-nonfinite")
{
  static const FxFormat formats[] = {
    { FX_SAMPLE_FLOAT, 4, TRUE },
    { FX_SAMPLE_HALF, 2, FALSE },
    { FX_SAMPLE_DOUBLE, 1, FALSE },
  };

  for (guint f = 0; f < G_N_ELEMENTS (formats) && tested_device () == FX_DEVICE_CPU; f++)
    for (int n = 0; n < 4; n++)
      check (n % 2 ? MATRIX_SPARSE : MATRIX_DENSE, n < 2 ? 65 : 9, n < 2 ? 33 : 127, 250,
             formats[f], n % 2 ? CONVOLVE_ALPHA_STRAIGHT : CONVOLVE_ALPHA_PREMULTIPLIED,
             n < 2 ? PICTURE_HOLES : PICTURE_NOISE, n < 2 ? FX_ABYSS_CLAMP : FX_ABYSS_NONE,
             CONVOLVE_PATH_CHEAPEST);
}

/* Runs a box on an RGBA picture of floats, of which one is infinite. */
static gboolean
run_infinite (int channels, GError **error)
{
  static const FxFormat format = { FX_SAMPLE_FLOAT, 4, FALSE };
  g_autofree double *values = matrix_make (MATRIX_BOX, 65, 65);
  const ConvolveParams params = {
    .rows = 65, .columns = 65, .values = values, .channels = channels
  };
  float source[4 * 4] = { 1.0f, 0.5f, INFINITY, 1.0f }, result[4 * 4];
  const Memory memory = { source, result, 2, 2, format };
  const FxImage image = memory_get_image (&memory);
  g_autoptr (FxPlan) plan = convolve_plan_new (&params, &format, NULL);

  return fx_engine_run (tested_engine (), plan, tested_device (), &image, NULL, error);
}

/* A GPU refuses them, and also a large matrix that divides colour by an alpha that it does not
 * write. */
TEST (test_large_refused, "/convolve/large-refused")
{
  g_autoptr (GError) infinite = NULL, unwritten = NULL;
  const gboolean gpu = tested_device () == FX_DEVICE_GPU;

  g_assert_true (run_infinite (CONVOLVE_CHANNELS_ALL, &infinite) != gpu);
  g_assert_true (run_infinite (CONVOLVE_RED, &unwritten) != gpu);
  if (! gpu)
    return;
  g_assert_error (infinite, FX_ERROR, FX_ERROR_ARGUMENT);
  g_assert_error (unwritten, FX_ERROR, FX_ERROR_ARGUMENT);
}
