/* The codec by itself: every format and curve against plain formulas in double precision. */
#include "codec.h"
#include "reference.h"
#include "rows.h"
#include "test.h"
#include "trcs.h"

#include <float.h>

#define SAMPLES (FX_SAMPLE_DOUBLE + 1)
#define CURVES  3
#define GUARD   0xa5

static void
decode (FxFormat format, FxCurve curve, const void *pixels, int n, float *const *planes)
{
  const FxCodec codec = { format, curve, FX_ALPHA_PREMULTIPLIED };

  fx_codec_decode (&codec, pixels, n, planes);
}

static void
encode (FxFormat format, FxCurve curve, float *const *planes, int n, void *pixels)
{
  const FxCodec codec = { format, curve, FX_ALPHA_PREMULTIPLIED };

  fx_codec_encode (&codec, planes, n, pixels);
}

static double
apply (const FxTrc *trc, FxCurve curve, double value)
{
  switch (curve)
    {
    case FX_CURVE_TO_LINEAR:
      return reference_trc_to_linear (trc, value);
    case FX_CURVE_TO_PERCEPTUAL:
      return reference_trc_to_gamma (trc, value);
    default:
      return value;
    }
}

static double
invert (const FxTrc *trc, FxCurve curve, double value)
{
  return apply (trc,
                curve == FX_CURVE_TO_LINEAR       ? FX_CURVE_TO_PERCEPTUAL
                : curve == FX_CURVE_TO_PERCEPTUAL ? FX_CURVE_TO_LINEAR
                                                  : curve,
                value);
}

/* Planes of n samples with a guard behind each, begun at an odd place. */
typedef struct {
  int n;
  float *all;
  float *planes[4];
} Planes;

static void
planes_init (Planes *p, int n)
{
  const gsize pitch = n + 3;

  p->n = n;
  p->all = g_new (float, 4 * pitch);
  memset (p->all, GUARD, 4 * pitch * sizeof (float));
  for (int c = 0; c < 4; c++)
    p->planes[c] = p->all + c * pitch + 1;
}

/* Nothing but the planes of channels may have been written. */
static void
planes_check (const Planes *p, int channels)
{
  float guard;

  memset (&guard, GUARD, sizeof guard);
  for (int c = 0; c < 4; c++)
    for (int i = -1; i < p->n + 2; i++)
      if (c >= channels || i < 0 || i >= p->n)
        g_assert_cmpmem (&p->planes[c][i], sizeof guard, &guard, sizeof guard);
}

static void
planes_clear (Planes *p)
{
  g_free (p->all);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Planes, planes_clear)

/* How much func changes from value if that is rounded. The slopes of tables are as they please. */
static double
get_leeway (double (*func) (const FxTrc *trc, FxCurve curve, double value), const FxTrc *trc,
            FxCurve curve, double value)
{
  return trc->table ? fabs (func (trc, curve, value * (1.0 + 3e-7)) -
                            func (trc, curve, value * (1.0 - 3e-7)))
                    : 0.0;
}

typedef void (*FormatFunc) (FxFormat format, FxCurve curve, int n);

/* Counts that fill no vector, and that are not whole pieces. */
static void
for_each_format (FormatFunc check)
{
  static const int counts[] = { 1, 7, 16, 255, 256, 257, 1001 };

  for (int i = 0; i < SAMPLES * 4 * CURVES * TRCS; i++)
    for (guint k = 0; k < G_N_ELEMENTS (counts); k++)
      {
        const FxFormat format = { i % SAMPLES, 1 + i / SAMPLES % 4, TRUE,
                                  trcs[i / SAMPLES / 4 / CURVES] };

        check (format, i / SAMPLES / 4 % CURVES, counts[k]);
      }
}

static void
check_decode (FxFormat format, FxCurve curve, int n)
{
  const int channels = format.channels, colors = channels - (channels % 2 == 0);
  const gsize size = fx_sample_size (format.sample);
  g_autofree guint8 *pixels = g_malloc ((n * channels + 1) * size);
  gpointer odd = pixels + size; /* as a rectangle's first pixel may lie */
  g_auto (Planes) p = { 0 };

  for (int i = 0; i < n * channels; i++)
    reference_encode (format.sample, g_test_rand_double_range (-0.1, 1.5), odd, i);
  planes_init (&p, n);
  decode (format, curve, odd, n, p.planes);
  planes_check (&p, channels);
  for (int i = 0; i < n * channels; i++)
    {
      const int c = i % channels, last = i - c + channels - 1;
      double expected = reference_decode (format.sample, odd, i);
      double leeway = format.trc.f > 0.0f ? 3e-7 : 1e-9; /* a difference */

      if (c < colors)
        {
          leeway += get_leeway (apply, &format.trc, curve, expected);
          expected = apply (&format.trc, curve, expected) *
                     (colors < channels ? reference_decode (format.sample, odd, last) : 1.0);
        }
      g_assert_cmpfloat_with_epsilon (p.planes[c][i / channels], expected,
                                      1e-6 * fabs (expected) + leeway);
    }
}

TEST (test_decode, "/codec/decode")
{
  for_each_format (check_decode);
}

/* How far a stored sample may be from the value that it is made of. */
static double
get_step (FxSample sample, double value)
{
  static const double levels[] = { 255.0, 65535.0, 4294967295.0 };

  if (sample <= FX_SAMPLE_U32)
    return 0.5 / levels[sample] + 1e-6;
  return fabs (value) * (sample == FX_SAMPLE_HALF ? 0x1p-11 + 2e-6 : 2e-6) + 0x1p-25;
}

static void
check_encode (FxFormat format, FxCurve curve, int n)
{
  const int channels = format.channels, colors = channels - (channels % 2 == 0);
  const gsize size = n * fx_format_size (&format), step = fx_sample_size (format.sample);
  g_autofree double *expected = g_new (double, n *channels);
  g_autofree double *leeways = g_new0 (double, n *channels);
  g_autofree guint8 *pixels = g_malloc (size + 2 * step);
  g_auto (Planes) p = { 0 };

  memset (pixels, GUARD, size + 2 * step);
  planes_init (&p, n);
  for (int i = 0; i < n; i++)
    {
      const float alpha = (float) g_test_rand_double_range (0.05, 1.1);

      for (int c = 0; c < channels; c++)
        p.planes[c][i] = (float) g_test_rand_double_range (-0.1, 1.5);
      if (colors < channels)
        p.planes[colors][i] = alpha;
      for (int c = 0; c < channels; c++)
        {
          const double light = p.planes[c][i] / (colors < channels ? alpha : 1.0);

          expected[i * channels + c] = c == colors ? alpha : invert (&format.trc, curve, light);
          if (c < colors)
            leeways[i * channels + c] = get_leeway (invert, &format.trc, curve, light);
        }
    }
  encode (format, curve, p.planes, n, pixels + step);
  for (int i = 0; i < n * channels; i++)
    {
      double value = expected[i];

      if (format.sample <= FX_SAMPLE_U32)
        value = CLAMP (value, 0.0, 1.0);
      if (format.sample == FX_SAMPLE_HALF && fabs (value) > 65000.0) /* a table's first segment */
        continue;
      g_assert_cmpfloat_with_epsilon (reference_decode (format.sample, pixels + step, i), value,
                                      get_step (format.sample, value) + leeways[i]);
    }
  for (gsize i = 0; i < step; i++)
    g_assert_true (pixels[i] == GUARD && pixels[size + step + i] == GUARD);
}

TEST (test_encode, "/codec/encode")
{
  for_each_format (check_encode);
}

/* Pixels of floats are the planes' samples side by side, and are stored the same. */
static void
check_pixels (FxFormat format, FxCurve curve, int n)
{
  const int channels = format.channels, step = fx_interleave_get_step (channels);
  const gsize size = n * fx_format_size (&format);
  const FxCodec codec = { format, curve, FX_ALPHA_PREMULTIPLIED };
  g_autofree guint8 *pixels = g_malloc (size), *back = g_malloc (size), *other = g_malloc (size);
  g_autofree float *floats = g_new (float, (gsize) n *step + 1);
  g_auto (Planes) p = { 0 };

  for (int i = 0; i < n * channels; i++)
    reference_encode (format.sample, g_test_rand_double_range (-0.1, 1.5), pixels, i);
  memset (floats, GUARD, (n * step + 1) * sizeof *floats);
  planes_init (&p, n);
  fx_codec_decode (&codec, pixels, n, p.planes);
  fx_codec_decode_pixels (&codec, pixels, n, floats);
  for (int i = 0; i < n * step; i++)
    g_assert_true (floats[i] == p.planes[MIN (i % step, channels - 1)][i / step]);
  for (gsize i = 0; i < sizeof *floats; i++)
    g_assert_cmpint (((const guint8 *) (floats + n * step))[i], ==, GUARD);
  fx_codec_encode_pixels (&codec, floats, n, back);
  fx_codec_encode (&codec, p.planes, n, other);
  g_assert_cmpmem (back, size, other, size);
}

TEST (test_pixels, "/codec/pixels")
{
  for_each_format (check_pixels);
}

/* Decodes n pixels and encodes them again; they must be as before. */
static void
check_round_trip (FxFormat format, FxCurve curve, gconstpointer pixels, int n)
{
  const gsize size = n * fx_format_size (&format);
  g_autofree guint8 *back = g_malloc (size);
  g_auto (Planes) p = { 0 };

  planes_init (&p, n);
  decode (format, curve, pixels, n, p.planes);
  encode (format, curve, p.planes, n, back);
  g_assert_cmpmem (back, size, pixels, size);
}

/* All values of 8 bits and of 16 bits, in each number of channels, opaque. */
TEST (test_levels, "/codec/levels")
{
  g_autofree guint16 *wide = g_new (guint16, 65536 * 4);

  for (FxCurve curve = 0; curve < CURVES; curve++)
    for (int channels = 1; channels <= 4; channels++)
      {
        guint8 narrow[256 * 4];

        for (int i = 0; i < 65536 * channels; i++)
          wide[i] = channels % 2 == 0 && i % channels == channels - 1 ? 65535 : i / channels;
        for (int i = 0; i < 256 * channels; i++)
          narrow[i] = channels % 2 == 0 && i % channels == channels - 1 ? 255 : i / channels;
        check_round_trip ((FxFormat) { FX_SAMPLE_U8, channels, TRUE }, curve, narrow, 256);
        check_round_trip ((FxFormat) { FX_SAMPLE_U16, channels, TRUE }, curve, wide, 65536);
      }
}

/* Every 8-bit grey with every alpha; under an alpha of 0 it becomes 0. */
TEST (test_grey_alpha, "/codec/grey-alpha")
{
  const FxFormat format = { FX_SAMPLE_U8, 2, TRUE };
  g_autofree guint8 *pixels = g_malloc (65536 * 2);

  for (int i = 0; i < 65536; i++)
    {
      pixels[2 * i] = i / 256 ? i % 256 : 0;
      pixels[2 * i + 1] = i / 256;
    }
  for (FxCurve curve = 0; curve < CURVES; curve++)
    check_round_trip (format, curve, pixels, 65536);
  for (FxCurve curve = 0; curve < CURVES; curve++)
    for (int i = 0; i < 256; i++)
      {
        guint8 clear[] = { i, 0 }, back[] = { GUARD, GUARD };
        g_auto (Planes) p = { 0 };

        planes_init (&p, 1);
        decode (format, curve, clear, 1, p.planes);
        g_assert_cmpfloat (p.planes[0][0], ==, 0.0);
        encode (format, curve, p.planes, 1, back);
        g_assert_cmpint (back[0] + back[1], ==, 0);
      }
}

/* All halves, and back to the bit; NaN is stored as infinity. */
TEST (test_half, "/codec/half")
{
  const FxFormat format = { FX_SAMPLE_HALF, 1, FALSE };
  g_autofree guint16 *halves = g_new (guint16, 65536);
  g_autofree guint16 *back = g_new (guint16, 65536);
  g_auto (Planes) p = { 0 };

  planes_init (&p, 65536);
  for (int i = 0; i < 65536; i++)
    halves[i] = i;
  decode (format, FX_CURVE_NONE, halves, 65536, p.planes);
  for (int i = 0; i < 65536; i++)
    if ((i & 0x7fff) > 0x7c00)
      g_assert_true (isnan (p.planes[0][i]));
    else
      g_assert_cmpfloat (p.planes[0][i], ==, reference_decode (FX_SAMPLE_HALF, halves, i));
  encode (format, FX_CURVE_NONE, p.planes, 65536, back);
  for (int i = 0; i < 65536; i++)
    g_assert_cmphex (back[i], ==, (i & 0x7fff) > 0x7c00 ? 0x7c00 : i);
}

/* Floats halfway between halves, and their neighbours, of both signs: ties go to the even one. */
TEST (test_half_rounding, "/codec/half-rounding")
{
  const FxFormat format = { FX_SAMPLE_HALF, 1, FALSE };

  for (int i = 0; i < 0x7c00; i++)
    {
      const guint16 pair[] = { i, i + 1 };
      const double low = reference_decode (FX_SAMPLE_HALF, pair, 0);
      const double high = i == 0x7bff ? 65536.0 : reference_decode (FX_SAMPLE_HALF, pair, 1);
      const float middle = (float) ((low + high) / 2.0);
      float values[6] = { middle, nextafterf (middle, 0.0f), nextafterf (middle, INFINITY) };
      float *planes[] = { values };
      guint16 expected[6], got[6];

      for (int k = 0; k < 3; k++)
        values[k + 3] = -values[k];
      for (int k = 0; k < 6; k++)
        reference_encode (FX_SAMPLE_HALF, values[k], expected, k);
      encode (format, FX_CURVE_NONE, planes, 6, got);
      g_assert_cmpmem (got, sizeof got, expected, sizeof expected);
    }
}

/* Integers: values next to a tie on either side, values out of range, and NaN. */
TEST (test_rounding, "/codec/rounding")
{
  static const double levels[] = { 255.0, 65535.0 };

  for (FxSample sample = FX_SAMPLE_U8; sample <= FX_SAMPLE_U16; sample++)
    for (int k = 0; k < levels[sample]; k++)
      {
        float values[] = { (float) ((k + 0.49) / levels[sample]),
                           (float) ((k + 0.51) / levels[sample]),
                           -0.001f,
                           1.5f,
                           -INFINITY,
                           INFINITY,
                           NAN };
        const double expected[] = { k, k + 1, 0.0, levels[sample], 0.0, levels[sample], 0.0 };
        float *planes[] = { values };
        guint16 got[G_N_ELEMENTS (values)];

        encode ((FxFormat) { sample, 1, FALSE }, FX_CURVE_NONE, planes, G_N_ELEMENTS (values), got);
        for (guint i = 0; i < G_N_ELEMENTS (values); i++)
          g_assert_cmpfloat_with_epsilon (reference_decode (sample, got, i) * levels[sample],
                                          expected[i], 1e-6);
      }
}

/* Alphas that are nothing, nearly nothing, and infinite. */
TEST (test_alpha, "/codec/alpha")
{
  static const struct {
    float color, alpha, decoded;
  } cases[] = {
    { 0.5f, 0.0f, 0.0f },         { INFINITY, 0.0f, 0.0f },       { NAN, 0.0f, 0.0f },
    { 0.5f, -0.0f, 0.0f },        { 0.5f, 1e-40f, 0.0f },         { INFINITY, 1e-40f, 0.0f },
    { 0.5f, FLT_MIN, 0x1p-127f }, { INFINITY, 0.5f, INFINITY },   { -INFINITY, 0.5f, -INFINITY },
    { 0.5f, INFINITY, INFINITY }, { -0.5f, INFINITY, -INFINITY }, { 2.0f, -0.5f, -1.0f },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int channels = 2; channels <= 4; channels += 2)
      {
        const FxFormat format = { FX_SAMPLE_FLOAT, channels, FALSE };
        float pixel[4] = { cases[i].color, cases[i].color, cases[i].color, cases[i].alpha };
        g_auto (Planes) p = { 0 };

        pixel[channels - 1] = cases[i].alpha;
        planes_init (&p, 1);
        decode (format, FX_CURVE_NONE, pixel, 1, p.planes);
        for (int c = 0; c < channels - 1; c++)
          g_assert_cmpfloat (p.planes[c][0], ==, cases[i].decoded);
        g_assert_cmpfloat (p.planes[channels - 1][0], ==, cases[i].alpha);
      }
}

/* Encoding: colour without alpha becomes 0, infinities stay, NaN becomes infinite. */
TEST (test_alpha_back, "/codec/alpha-back")
{
  static const struct {
    float color, alpha, encoded;
  } cases[] = {
    { 0.5f, 0.0f, 0.0f },         { 0.5f, 1e-31f, 0.0f },         { 0.5f, -1e-31f, 0.0f },
    { INFINITY, 0.0f, INFINITY }, { -INFINITY, 0.5f, -INFINITY }, { INFINITY, -0.5f, INFINITY },
    { NAN, 0.5f, INFINITY },      { 0.5f, 0.25f, 2.0f },          { 0.5f, -0.25f, -2.0f },
  };
  const FxFormat format = { FX_SAMPLE_FLOAT, 2, FALSE };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      float color = cases[i].color, alpha = cases[i].alpha, pixel[2];
      float *planes[] = { &color, &alpha };

      encode (format, FX_CURVE_NONE, planes, 1, pixel);
      g_assert_cmpfloat (pixel[0], ==, cases[i].encoded);
      g_assert_cmpfloat (pixel[1], ==, cases[i].alpha);
    }
}

/* Straight colour is read and stored as if there were no alpha, even if alpha is 0. */
TEST (test_straight, "/codec/straight")
{
  const FxCodec codec = { { FX_SAMPLE_FLOAT, 4, FALSE }, FX_CURVE_NONE, FX_ALPHA_STRAIGHT };
  const float pixels[8] = { 0.25f, 0.5f, 2.0f, 0.0f, -1.0f, INFINITY, 0.125f, 0.5f };
  float planes[4][2], back[8];
  float *const places[] = { planes[0], planes[1], planes[2], planes[3] };

  fx_codec_decode (&codec, pixels, 2, places);
  for (int i = 0; i < 8; i++)
    g_assert_true (planes[i % 4][i / 4] == pixels[i]);
  fx_codec_encode (&codec, places, 2, back);
  g_assert_cmpmem (back, sizeof back, pixels, sizeof pixels);
}
