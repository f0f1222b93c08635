/* The filters of lines by themselves: against plain sums in double precision. */
#include "fir.h"
#include "line.h"
#include "rows.h"
#include "test.h"

#define GUARD 12345.0f

/* A line of the image, and the values beyond its ends. */
typedef struct {
  FxSpan span;
  float *samples;
  float left, right;
} Source;

static void
source_init (Source *source, int first, int count)
{
  *source = (Source) {
    .span = { first, count },
    .samples = g_new (float, count),
    .left = (float) g_test_rand_double (),
    .right = (float) g_test_rand_double (),
  };
  for (int i = 0; i < count; i++)
    source->samples[i] = (float) g_test_rand_double ();
}

static void
source_clear (Source *source)
{
  g_free (source->samples);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Source, source_clear)

static double
source_get (const Source *source, int place)
{
  if (place < source->span.first)
    return source->left;
  if (place >= source->span.first + source->span.count)
    return source->right;
  return source->samples[place - source->span.first];
}

/* Filters source; out[0] is result's first sample. Twice: a line serves many rows. */
static float *
filter (const BlurAxis *axis, const Source *source, FxSpan result)
{
  const gsize room = ((gsize) result.count + 63) / 64 * 64;
  float *out = g_new (float, room + 1);
  BlurLine *line = blur_line_new (axis, source->span, result);

  out[room] = GUARD;
  for (int n = 0; n < 2; n++)
    {
      for (int i = 0; i < source->span.count; i++)
        blur_line_get_source (line)[i] = n ? source->samples[i] : 7.0f;
      blur_line_filter (line, n ? source->left : -3.0f, n ? source->right : 11.0f, out);
    }
  blur_line_free (line);
  g_assert_cmpfloat (out[room], ==, GUARD);
  return out;
}

/* A part of span; often all of it. */
static FxSpan
choose_part (FxSpan span)
{
  int first, end;

  if (g_test_rand_int_range (0, 3) == 0)
    return span;
  first = span.first + g_test_rand_int_range (0, span.count);
  end = g_test_rand_int_range (first, span.first + span.count) + 1;
  return (FxSpan) { first, end - first };
}

static const int counts[] = { 1, 2, 63, 64, 65, 200, 511 };

/* Radii around those at which the sum is cut into slabs, and beyond the line. */
TEST (test_fir, "/line/fir")
{
  static const int radii[] = { 0, 1, 2, 20, 63, 64, 127, 128, 129, 300 };

  for (guint n = 0; n < 4 * G_N_ELEMENTS (radii) * G_N_ELEMENTS (counts); n++)
    {
      const int radius = radii[n / 4 % G_N_ELEMENTS (radii)];
      g_autofree float *weights = g_new (float, radius + 1);
      const BlurAxis axis = { .reach = radius, .radius = radius, .weights = weights };
      g_autofree float *out = NULL;
      g_auto (Source) source = { 0 };
      FxSpan result;

      for (int k = 0; k <= radius; k++)
        weights[k] = (float) g_test_rand_double_range (-1.0, 1.0) / (2 * radius + 1);
      source_init (&source, g_test_rand_int_range (-40, 1000),
                   counts[n / 4 / G_N_ELEMENTS (radii)]);
      result = choose_part (source.span);
      out = filter (&axis, &source, result);
      for (int i = 0; i < result.count; i++)
        {
          double expected = 0.0;

          for (int k = -radius; k <= radius; k++)
            expected += weights[ABS (k)] * source_get (&source, result.first + i + k);
          g_assert_cmpfloat_with_epsilon (out[i], expected, 1e-6);
        }
    }
}

/* The Gaussian at place, straight from its definition. */
static double
blur_at (const Source *source, double sigma, int place)
{
  const int radius = (int) ceil (9.0 * sigma);
  double sum = 0.0, weights = 0.0;

  for (int k = -radius; k <= radius; k++)
    {
      const double weight = exp (-0.5 * k * k / (sigma * sigma));

      sum += weight * source_get (source, place + k);
      weights += weight;
    }
  return sum / weights;
}

/* One stage to four, of lines shorter and longer than what they reach. The bounds are those of
 * multires.c, and what single precision adds. */
TEST (test_multires, "/line/multires")
{
  static const double sigmas[] = { 4.0, 5.3, 8.0, 12.0, 42.4, 130.0, 400.0, 2000.0 };
  static const struct {
    double ratio, bound;
  } ratios[] = { { 2.0, 9e-6 }, { 2.65, 2e-6 }, { 3.0, 2e-6 }, { 4.0, 2e-6 } };
  const guint n_ratios = G_N_ELEMENTS (ratios), n_counts = G_N_ELEMENTS (counts);

  for (guint n = 0; n < G_N_ELEMENTS (sigmas) * n_ratios * n_counts; n++)
    {
      const double sigma = sigmas[n / n_ratios / n_counts];
      const guint r = n / n_counts % n_ratios;
      BlurAxis axis = { 0 };
      g_autofree float *out = NULL;
      g_auto (Source) source = { 0 };
      FxSpan result;

      if (! blur_axis_init_multires (&axis, sigma, ratios[r].ratio))
        continue;
      source_init (&source, g_test_rand_int_range (-40, 1000), counts[n % n_counts]);
      result = choose_part (source.span);
      out = filter (&axis, &source, result);
      for (int i = 0; i < result.count; i += 1 + result.count / 9)
        g_assert_cmpfloat_with_epsilon (out[i], blur_at (&source, sigma, result.first + i),
                                        ratios[r].bound);
      blur_axis_clear (&axis);
    }
}

/* One infinity: what it reaches is infinite, of its sign, and nothing is NaN. */
TEST (test_infinite, "/line/infinite")
{
  for (int negative = 0; negative <= 1; negative++)
    for (double sigma = 4.0; sigma < 100.0; sigma *= 2.0)
      {
        const float infinite = negative ? -INFINITY : INFINITY;
        const int middle = 300;
        BlurAxis axis = { 0 };
        g_autofree float *out = NULL;
        g_auto (Source) source = { 0 };

        g_assert_true (blur_axis_init_multires (&axis, sigma, 2.0));
        source_init (&source, 0, 2 * middle);
        source.samples[middle] = infinite;
        out = filter (&axis, &source, source.span);
        for (int i = 0; i < 2 * middle; i++)
          {
            const int distance = ABS (i - middle);

            if (isfinite (out[i]))
              g_assert_cmpfloat (distance, >, 4.0 * sigma);
            else
              g_assert_cmpfloat (out[i], ==, infinite);
            if (distance > BLUR_REACH_MAX * sigma)
              g_assert_true (isfinite (out[i]));
          }
        blur_axis_clear (&axis);
      }
}

static float *
make_noise (gsize n)
{
  float *noise = g_new (float, n);

  for (gsize i = 0; i < n; i++)
    noise[i] = (float) g_test_rand_double_range (-1.0, 1.0);
  return noise;
}

static const int taps_of[] = { 1, 2, 3, 4, 5, 31, 127, 128, 129, 300 };

/* Fewer and more rows than a tile has, and taps than it has rows. */
static void
check_column (const FxFir *fir)
{
  for (guint t = 0; t < G_N_ELEMENTS (taps_of); t++)
    for (int count = 1; count <= 9; count++)
      {
        const int taps = taps_of[t];
        g_autofree float *weights = make_noise (taps);
        g_autofree float *in = make_noise ((gsize) (count + taps - 1) * FX_COLUMN);
        g_autofree float *out = make_noise ((gsize) (count + 1) * FX_COLUMN);
        float *const end = out + (gsize) count * FX_COLUMN;
        const float guard = *end;

        fir->convolve_column ((const float (*)[FX_COLUMN]) in, weights, taps, count, out,
                              FX_COLUMN);
        g_assert_cmpfloat (*end, ==, guard);
        for (int i = 0; i < count * FX_COLUMN; i++)
          {
            double expected = 0.0;

            for (int k = 0; k < taps; k++)
              expected += weights[k] * in[i + k * FX_COLUMN];
            g_assert_cmpfloat_with_epsilon (out[i], expected, 1e-6 * taps);
          }
      }
}

/* With each kind of vector unit that this processor has. */
TEST (test_column, "/line/column")
{
  for (FxVectorUnit unit = FX_VECTOR_PLAIN; unit <= fx_vector_get_unit (); unit++)
    check_column (fx_fir_get (unit));
}

/* Every step, with fewer and more taps than neighbouring sums share, into blocks that lie apart. */
static void
check_row (const FxFir *fir)
{
  const int n = 256, pitch = 3 * FX_COLUMN;

  for (guint t = 0; t < G_N_ELEMENTS (taps_of); t++)
    for (int step = 1; step <= 4; step *= 2)
      {
        const int taps = taps_of[t];
        g_autofree float *weights = make_noise (taps);
        g_autofree float *in = make_noise ((gsize) n + (gsize) (taps - 1) * step);
        g_autofree float *out = make_noise ((gsize) n / FX_COLUMN * pitch);
        const float guard = out[FX_COLUMN];

        fir->convolve_row (in, step, weights, taps, n, out, pitch);
        g_assert_cmpfloat (out[FX_COLUMN], ==, guard);
        for (int i = 0; i < n; i++)
          {
            double expected = 0.0;

            for (int k = 0; k < taps; k++)
              expected += weights[k] * in[i + k * step];
            g_assert_cmpfloat_with_epsilon (out[i / FX_COLUMN * pitch + i % FX_COLUMN], expected,
                                            1e-6 * taps);
          }
      }
}

TEST (test_row, "/line/row")
{
  for (FxVectorUnit unit = FX_VECTOR_PLAIN; unit <= fx_vector_get_unit (); unit++)
    check_row (fx_fir_get (unit));
}

TEST (test_interleave, "/line/interleave")
{
  for (int channels = 1; channels <= 4; channels++)
    for (int n = 1; n <= 37; n += 9)
      {
        const int step = fx_interleave_get_step (channels);
        g_autofree float *in = make_noise ((gsize) channels * n);
        g_autofree float *out = make_noise ((gsize) channels * n);
        g_autofree float *pixels = make_noise ((gsize) step * n + 1);
        const float guard = pixels[step * n];
        float *from[4], *to[4];

        for (int c = 0; c < channels; c++)
          {
            from[c] = in + (gsize) c * n;
            to[c] = out + (gsize) c * n;
          }
        fx_interleave (from, channels, n, pixels);
        g_assert_cmpfloat (pixels[step * n], ==, guard);
        for (int i = 0; i < n * step; i++)
          g_assert_cmpfloat (pixels[i], ==, from[MIN (i % step, channels - 1)][i / step]);
        fx_deinterleave (pixels, channels, n, to);
        g_assert_cmpmem (in, channels * n * sizeof *in, out, channels * n * sizeof *out);
      }
}

TEST (test_rows, "/line/rows")
{
  for (guint t = 0; t < G_N_ELEMENTS (taps_of); t++)
    for (int n = 64; n <= 192; n += 64)
      {
        const int taps = taps_of[t];
        g_autofree float *weights = make_noise (taps);
        g_autofree float *in = make_noise ((gsize) n * taps);
        g_autofree float *out = make_noise (n);
        g_autofree float *sum = make_noise (n);
        g_autofree const float **rows = g_new (const float *, taps);

        for (int k = 0; k < taps; k++)
          rows[k] = in + (gsize) (taps - 1 - k) * n;
        fx_rows_combine (rows, weights, taps, n, out);
        memset (sum, 0, n * sizeof *sum);
        for (int k = 0; k < taps; k++)
          fx_row_accumulate (rows[k], weights[k], n, sum);
        for (int i = 0; i < n; i++)
          {
            double expected = 0.0;

            for (int k = 0; k < taps; k++)
              expected += weights[k] * rows[k][i];
            g_assert_cmpfloat_with_epsilon (out[i], expected, 1e-6 * taps);
            g_assert_cmpfloat_with_epsilon (sum[i], expected, 1e-6 * taps);
          }
      }
}

/* Sums that are not finite become the sum of the infinities in reach; finite ones stay. */
TEST (test_mend, "/line/mend")
{
  enum { N = 40, TAPS = 5, STRIDE = 3 };
  float in[N + (TAPS - 1) * STRIDE] = { 0 };
  float out[N];

  in[20] = INFINITY;
  in[30] = -INFINITY;
  for (int i = 0; i < N; i++)
    out[i] = NAN;
  out[0] = 2.0f;
  out[1] = INFINITY; /* of finite samples that are too large */
  fx_rows_mend (in, STRIDE, TAPS, N, out);
  g_assert_cmpfloat (out[0], ==, 2.0);
  g_assert_cmpfloat (out[1], ==, INFINITY);
  for (int i = 2; i < N; i++)
    {
      const gboolean plus = i <= 20 && 20 - i < TAPS * STRIDE && (20 - i) % STRIDE == 0;
      const gboolean minus = i <= 30 && 30 - i < TAPS * STRIDE && (30 - i) % STRIDE == 0;

      if (plus != minus)
        g_assert_cmpfloat (out[i], ==, plus ? INFINITY : -INFINITY);
      else
        g_assert_true (isnan (out[i]));
    }
}
