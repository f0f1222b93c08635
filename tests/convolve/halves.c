/* Whole numbers on 8-bit data: results, and halves among them, against whole-number arithmetic, in
 * which halves round up. */
#include "matrices.h"
#include "tested.h"
#include "trial.h"

/* The largest divisor and sum of magnitudes for which convolve.h promises that halves round up, in
 * general and for colour divided by alpha. */
#define MOST             500
#define MOST_UNDER_ALPHA 250

typedef struct {
  int rows, columns, taps;
  ConvolvePath path; /* on a GPU */
} Shape;

/* The taps of a matrix that are not 0. */
typedef struct {
  int n;
  int value[MOST], x[MOST], y[MOST]; /* x and y relative to the pixel */
  int magnitude, sum;
} Taps;

/* Makes a matrix of whole numbers that are not 0 in at most so many places. */
static double *
make_sparse (const Shape *shape, gboolean positive)
{
  const int n = shape->rows * shape->columns;
  double *values = g_new0 (double, n);

  values[0] = values[n - 1] = 1.0; /* the box has this size */
  for (int i = 2; i < shape->taps; i++)
    {
      const int value = g_test_rand_int_range (positive ? 0 : -3, 4);

      values[shape->taps >= n ? i - 1 : g_test_rand_int_range (0, n)] = value;
    }
  return values;
}

/* Makes one of whole numbers that is one product, if its taps are 0. */
static double *
make_product (const Shape *shape, gboolean positive)
{
  double *values = g_new0 (double, shape->rows * shape->columns);
  int column[CONVOLVE_SMALL_MAX];

  for (int j = 0; j < shape->rows; j++)
    column[j] = j % 2 ? 1 : g_test_rand_int_range (positive ? 0 : -1, 2);
  for (int i = 0; i < shape->columns; i++)
    {
      const int row = i % 3 ? 1 : g_test_rand_int_range (positive ? 1 : -2, 3);

      for (int j = 0; j < shape->rows; j++)
        values[j * shape->columns + i] = column[j] * row;
    }
  return values;
}

static void
list_taps (const ConvolveParams *params, Taps *taps)
{
  *taps = (Taps) { 0 };
  for (int i = 0; i < params->rows * params->columns; i++)
    if (params->values[i] != 0.0)
      {
        const int value = (int) params->values[i];

        g_assert_cmpint (taps->n, <, MOST);
        taps->value[taps->n] = value;
        taps->x[taps->n] = i % params->columns - params->columns / 2;
        taps->y[taps->n++] = i / params->columns - params->rows / 2;
        taps->magnitude += ABS (value);
        taps->sum += value;
      }
}

/* A channel's sum; the edges go on beyond the picture. */
static gint64
add_taps (const Trial *trial, const Taps *taps, const guint8 *source, int x, int y, int channel)
{
  gint64 sum = 0;

  for (int i = 0; i < taps->n; i++)
    {
      const int column = CLAMP (x + taps->x[i], 0, trial->width - 1);
      const int row = CLAMP (y + taps->y[i], 0, trial->height - 1);

      sum += (gint64) taps->value[i] *
             source[(row * trial->width + column) * trial->format.channels + channel];
    }
  return sum;
}

/* Returns numerator / denominator to the nearest level, halves up. */
static int
round_up (gint64 numerator, gint64 denominator)
{
  const gint64 twice = 2 * numerator + denominator;

  return twice < 0 ? 0 : (int) MIN (twice / (2 * denominator), 255);
}

/* Checks the channels from first on, with an offset of offset / (2 divisor) levels. Returns the
 * number of halves. */
static int
check_halves (const Trial *trial, const Taps *taps, const guint8 *source, const guint8 *result,
              int offset, int first)
{
  const FxRect r = trial_get_region (trial);
  const int channels = trial->format.channels, divisor = (int) trial->params.divisor;
  const int sign = divisor < 0 ? -1 : 1;
  int halves = 0;

  for (int i = first; i < r.width * r.height * channels; i++)
    if (i % channels >= first)
      {
        const int x = r.x + i / channels % r.width, y = r.y + i / channels / r.width;
        const gint64 twice = 2 * add_taps (trial, taps, source, x, y, i % channels) + offset;
        const int expected = round_up (sign * twice, 2 * sign * divisor);

        halves += (twice + divisor) % (2 * divisor) == 0;
        if (result[i] == expected)
          continue;
        trial_fail (trial, "%d at %d,%d channel %d, expected %d of %d / %d", result[i], x, y,
                    i % channels, expected, (int) twice, 2 * divisor);
        break;
      }
  return halves;
}

typedef enum {
  KIND_OPAQUE,   /* without alpha */
  KIND_STRAIGHT, /* alpha that has no part in colour */
  KIND_DIVIDED,  /* opaque pixels whose colour is divided by alpha */
  KIND_LINEAR,   /* soft alpha; colour in another light than its own */
  KINDS,
} Kind;

static FxFormat
get_format (Kind kind)
{
  const gboolean gamma = kind == KIND_LINEAR || g_test_rand_bit ();

  return (FxFormat) { FX_SAMPLE_U8, kind == KIND_OPAQUE ? 3 : g_test_rand_bit () ? 2 : 4, gamma };
}

/* The divisor, even or odd, is one that keeps results among the levels. */
static int
choose_divisor (const Taps *taps, Kind kind)
{
  const int most = kind == KIND_DIVIDED ? MOST_UNDER_ALPHA : MOST;
  const int least = MAX (ABS (taps->sum), taps->magnitude / 3);
  const int divisor = g_test_rand_int_range (MAX (least / 4, 1), CLAMP (2 * least, 2, most) + 1);

  return kind != KIND_DIVIDED && g_test_rand_int_range (0, 4) == 0 ? -divisor : divisor;
}

static Trial
make_trial (const Shape *shape, Kind kind, const double *values, const Taps *taps)
{
  Trial trial = { .seed = g_test_rand_int (),
                  .picture = kind == KIND_DIVIDED ? PICTURE_EDGE : PICTURE_NOISE,
                  .format = get_format (kind),
                  .width = 150,
                  .height = 100,
                  .params = { .rows = shape->rows,
                              .columns = shape->columns,
                              .values = values,
                              .divisor = choose_divisor (taps, kind),
                              .channels = CONVOLVE_CHANNELS_ALL },
                  .device = tested_device (),
                  .choice = { shape->path } };

  trial.params.light = trial.format.gamma != (kind == KIND_LINEAR) ? FX_LIGHT_PERCEPTUAL
                                                                   : FX_LIGHT_LINEAR;
  trial.params.alpha = kind == KIND_DIVIDED ? CONVOLVE_ALPHA_PREMULTIPLIED
                                            : CONVOLVE_ALPHA_STRAIGHT;
  if (MAX (shape->rows, shape->columns) > CONVOLVE_SMALL_MAX)
    trial.region = (FxRect) { 40, 30, 40, 20 };
  return trial;
}

/* Makes a picture in which alpha is 255, if colour is divided by it, and levels are random. */
static guint8 *
make_picture (const Trial *trial, Kind kind)
{
  const int channels = trial->format.channels, n = trial->width * trial->height * channels;
  guint8 *source = g_malloc (n);

  for (int i = 0; i < n; i++)
    source[i] = kind == KIND_DIVIDED && i % channels == channels - 1
                  ? 255
                  : (guint8) g_test_rand_int_range (0, 256);
  return source;
}

/* Returns the number of halves. */
static int
check (const Shape *shape, Kind kind)
{
  const gboolean positive = kind == KIND_DIVIDED || g_test_rand_bit ();
  g_autofree double *values = shape->taps ? make_sparse (shape, positive)
                                          : make_product (shape, positive);
  const ConvolveParams params = { .rows = shape->rows,
                                  .columns = shape->columns,
                                  .values = values };
  Trial trial;
  Taps taps;
  g_autofree guint8 *source = NULL, *result = NULL;
  FxRect r;
  int offset;

  list_taps (&params, &taps);
  if (taps.magnitude > (kind == KIND_DIVIDED ? MOST_UNDER_ALPHA : MOST))
    return 0;
  trial = make_trial (shape, kind, values, &taps);
  r = trial_get_region (&trial);
  offset = g_test_rand_bit () ? 0
                              : g_test_rand_int_range (-1, 2) * (int) trial.params.divisor * 255;
  trial.params.offset = offset / (510.0 * trial.params.divisor);
  source = make_picture (&trial, kind);
  result = g_malloc ((gsize) r.width * r.height * trial.format.channels);
  if (! trial_run (&trial, source, result))
    return 0;
  return check_halves (&trial, &taps, source, result, offset,
                       kind == KIND_LINEAR ? trial.format.channels - 1 : 0);
}

/* By taps, by products and by transforms. */
static const Shape shapes[] = {
  { 3, 3, 9, CONVOLVE_PATH_TAPS },        { 3, 3, 9, CONVOLVE_PATH_FFT },
  { 5, 7, 35, CONVOLVE_PATH_CHEAPEST },   { 15, 15, 60, CONVOLVE_PATH_TAPS },
  { 15, 15, 225, CONVOLVE_PATH_FFT },     { 9, 11, 0, CONVOLVE_PATH_CHEAPEST },
  { 15, 13, 0, CONVOLVE_PATH_CHEAPEST },  { 1, 63, 0, CONVOLVE_PATH_CHEAPEST },
  { 31, 31, 250, CONVOLVE_PATH_TAPS },    { 31, 31, 250, CONVOLVE_PATH_FFT },
  { 63, 63, 64, CONVOLVE_PATH_CHEAPEST }, { 63, 63, 240, CONVOLVE_PATH_FFT },
  { 127, 65, 200, CONVOLVE_PATH_FFT },    { 255, 255, 64, CONVOLVE_PATH_FFT },
  { 1023, 1023, 99, CONVOLVE_PATH_FFT },
};

/* Programs of the GPU for large matrices take the stand-in for CUDA long. */
static gboolean
takes_long (const Shape *shape)
{
  return tested_device () == FX_DEVICE_GPU && ! g_test_slow () &&
         MAX (shape->rows, shape->columns) > CONVOLVE_SMALL_MAX;
}

TEST (test_halves, "/convolve/halves")
{
  const int times = (tested_device () == FX_DEVICE_CPU ? 8 : 1) * (g_test_slow () ? 20 : 1);

  for (guint s = 0; s < G_N_ELEMENTS (shapes); s++)
    {
      int halves = 0;

      for (int n = takes_long (&shapes[s]) ? KINDS - 1 : 0; n < times * KINDS; n++)
        halves += check (&shapes[s], n % KINDS);
      g_test_message ("%dx%d: %d halves", shapes[s].rows, shapes[s].columns, halves);
    }
}
