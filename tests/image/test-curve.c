/* Curves by themselves, as the codec applies them, against their formulas in double precision. */
#include "codec.h"
#include "error.h"
#include "reference.h"
#include "test.h"
#include "trcs.h"

/* Curves that rise but are not continuous: an ICC curve of type 1, black up to 0.1, and a lifted
 * one. */
static const FxTrc toe = { .g = 2.2f, .a = 1.0f / 0.9f, .b = -0.1f / 0.9f, .d = 0.1f };
static const FxTrc lifted = { .g = 2.0f, .a = 0.9f, .b = 0.1f, .e = 0.05f };

static FxCodec
get_codec (const FxTrc *trc, FxCurve curve)
{
  return (FxCodec) { { FX_SAMPLE_FLOAT, 1, TRUE, *trc }, curve };
}

static void
decode (const FxTrc *trc, FxCurve curve, const float *in, int n, float *out)
{
  const FxCodec codec = get_codec (trc, curve);

  fx_codec_decode (&codec, in, n, &out);
}

static double
apply (const FxTrc *trc, FxCurve curve, double value)
{
  return curve == FX_CURVE_TO_LINEAR ? reference_trc_to_linear (trc, value)
                                     : reference_trc_to_gamma (trc, value);
}

/* Floats to the next one at value. */
static double
get_ulp (double value)
{
  int exponent;

  frexp (fabs (value), &exponent);
  return ldexp (1.0, MAX (exponent - 24, -149));
}

/* The curve's worst error in ulp, at some floats from first to last. If black is not 0, the ulp are
 * those of a value that is larger by ten times the offset. */
static double
measure (const FxTrc *trc, FxCurve curve, float first, float last)
{
  double worst = 0.0;
  guint32 bits, end;

  memcpy (&bits, &first, sizeof bits);
  memcpy (&end, &last, sizeof end);
  for (; bits < end; bits += 101)
    {
      float in, out;
      double expected;

      memcpy (&in, &bits, sizeof in);
      decode (trc, curve, &in, 1, &out);
      expected = apply (trc, curve, in);
      worst = MAX (worst, fabs (out - expected) / get_ulp (fabs (expected) + 10.0 * trc->f));
    }
  return worst;
}

/* The straight part, the power up to 1, and values brighter than white, in which the exponent takes
 * bits from the fraction. Bounds are of processors that round products before they are added. */
TEST (test_srgb, "/curve/srgb")
{
  static const struct {
    float first, last;
    double to_linear, to_perceptual; /* ulp */
  } ranges[] = {
    { 1e-6f, 0.0031f, 1.0, 1.0 },
    { 0.0031f, 0.041f, 14.0, 10.0 },
    { 0.041f, 1.0f, 18.0, 6.5 },
    { 1.0f, 65504.0f, 64.0, 10.0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (ranges); i++)
    {
      const double linear = measure (&trcs[TRC_SRGB], FX_CURVE_TO_LINEAR, ranges[i].first,
                                     ranges[i].last);
      const double perceptual = measure (&trcs[TRC_SRGB], FX_CURVE_TO_PERCEPTUAL, ranges[i].first,
                                         ranges[i].last);

      g_test_message ("%g to %g: %.2f ulp to linear light, %.2f ulp to perceptual", ranges[i].first,
                      ranges[i].last, linear, perceptual);
      g_assert_cmpfloat (linear, <=, ranges[i].to_linear);
      g_assert_cmpfloat (perceptual, <=, ranges[i].to_perceptual);
    }
}

/* The same of all others: their constants are not known to the compiler. */
TEST (test_others, "/curve/others")
{
  static const float ends[] = { 1e-6f, 0.0031f, 0.2f, 1.0f, 65504.0f };

  for (TrcName t = TRC_GAMMA_22; t < TRCS; t++)
    for (guint i = 0; i < G_N_ELEMENTS (ends) - 1; i++)
      {
        const double linear = measure (&trcs[t], FX_CURVE_TO_LINEAR, ends[i], ends[i + 1]);
        const double perceptual = measure (&trcs[t], FX_CURVE_TO_PERCEPTUAL, ends[i], ends[i + 1]);

        g_test_message ("%s, %g to %g: %.2f ulp to linear light, %.2f ulp to perceptual",
                        trc_names[t], ends[i], ends[i + 1], linear, perceptual);
        g_assert_cmpfloat (linear, <=, 70.0);
        g_assert_cmpfloat (perceptual, <=, 70.0);
      }
}

/* Below 0 a curve is straight, or black; and infinities stay, and NaN. */
static void
check_ends (const FxTrc *trc)
{
  const float in[] = { -0.5f, -100.0f, -0.0f, 0.0f, INFINITY, -INFINITY, NAN };
  float out[G_N_ELEMENTS (in)];

  for (FxCurve curve = FX_CURVE_TO_LINEAR; curve <= FX_CURVE_TO_PERCEPTUAL; curve++)
    {
      decode (trc, curve, in, G_N_ELEMENTS (in), out);
      for (int i = 0; i < 4; i++)
        {
          const double expected = apply (trc, curve, in[i]);

          g_assert_cmpfloat_with_epsilon (out[i], expected, 1e-4 + 1e-6 * fabs (expected));
        }
      g_assert_true (out[4] == INFINITY && out[5] == -INFINITY && isnan (out[6]));
    }
}

TEST (test_ends, "/curve/ends")
{
  float zeros[2] = { -0.0f, 0.0f };

  for (TrcName t = 0; t < TRCS; t++)
    check_ends (&trcs[t]);
  check_ends (&toe);
  check_ends (&lifted);
  for (FxCurve curve = FX_CURVE_TO_LINEAR; curve <= FX_CURVE_TO_PERCEPTUAL; curve++)
    {
      decode (&trcs[TRC_GAMMA_22], curve, zeros, 2, zeros);
      g_assert_true (zeros[0] == 0.0f && zeros[1] == 0.0f); /* black is black */
    }
}

/* Nothing that is positive comes out as infinite, or as NaN. */
TEST (test_extremes, "/curve/extremes")
{
  const float in[] = { 1e-45f, 1e-38f, 1e-20f, 1e20f, 3e38f, -1e-45f, -1e-20f };
  float out[G_N_ELEMENTS (in)];

  for (TrcName t = 0; t < TRCS; t++)
    for (FxCurve curve = FX_CURVE_TO_LINEAR; curve <= FX_CURVE_TO_PERCEPTUAL; curve++)
      {
        decode (&trcs[t], curve, in, G_N_ELEMENTS (in), out);
        for (guint i = 0; i < G_N_ELEMENTS (in); i++)
          {
            const double expected = apply (&trcs[t], curve, in[i]);

            if (expected < 1e35)
              g_assert_cmpfloat_with_epsilon (out[i], expected, 1e-4 * fabs (expected) + 1e-15);
            else
              g_assert_true (out[i] > 1e35f && isfinite (out[i]));
          }
      }
}

/* The light of equal entries becomes 0, 1, or the lowest of their samples; so does light beyond
 * them if they are the first or the last ones. */
TEST (test_runs, "/curve/table/runs")
{
  static const float in[] = { -1.0f, 0.1f, 0.25f, 0.5f, 0.9f, 2.0f };
  static const double expected[] = { 0.0, 0.0, 1950.0, 2000.0, 1.0, 1.0 };
  FxTrc trc = { 0 };
  float entries[FX_TRC_ENTRIES], out[G_N_ELEMENTS (in)];

  for (int i = 0; i < FX_TRC_ENTRIES; i++)
    entries[i] = i < 1900 ? 0.1f : i < 2000 ? 0.1f + (i - 1900) * 0.003f : i < 2100 ? 0.5f : 0.9f;
  trc.table = fx_trc_table_get (entries, NULL);
  decode (&trc, FX_CURVE_TO_PERCEPTUAL, in, G_N_ELEMENTS (in), out);
  for (guint i = 0; i < G_N_ELEMENTS (in); i++)
    g_assert_cmpfloat_with_epsilon (out[i], expected[i] > 1.0 ? expected[i] / 4095.0 : expected[i],
                                    1e-6);
}

/* Curves whose parts do not meet. */
TEST (test_gap, "/curve/gap")
{
  const float in[] = { 0.0f, 0.05f, 0.09f, 0.1f, 1.0f }, light[] = { -1.0f, 0.0f, 0.03f, 0.06f };
  float out[G_N_ELEMENTS (in)];

  decode (&toe, FX_CURVE_TO_LINEAR, in, G_N_ELEMENTS (in), out);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpfloat (out[i], ==, 0.0f);
  g_assert_cmpfloat_with_epsilon (out[4], 1.0, 1e-6);
  decode (&toe, FX_CURVE_TO_PERCEPTUAL, light, G_N_ELEMENTS (light), out);
  g_assert_cmpfloat (out[0], ==, 0.0f);
  g_assert_cmpfloat_with_epsilon (out[1], 0.1, 1e-6);
  decode (&lifted, FX_CURVE_TO_LINEAR, in, G_N_ELEMENTS (in), out);
  g_assert_cmpfloat_with_epsilon (out[0], 0.06, 1e-6);
  decode (&lifted, FX_CURVE_TO_PERCEPTUAL, light, G_N_ELEMENTS (light), out);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (out[i], 0.0, 1e-6);
}

/* A level comes back as one whose light is the same, but for rounding to levels. */
static void
check_light (const FxTrc *trc, int level, int got, double levels)
{
  const double light = reference_trc_to_linear (trc, level / levels);

  g_assert_cmpfloat (reference_trc_to_linear (trc, (got - 0.51) / levels), <=, light);
  g_assert_cmpfloat (reference_trc_to_linear (trc, (got + 0.51) / levels), >=, light);
}

/* All values of 8 bits and of 16 bits come back as they were. In the overlap of Rec. 709's parts,
 * two values may have the same light, and so have those of a run of equal entries. */
TEST (test_levels, "/curve/levels")
{
  g_autofree float *plane = g_new (float, 65536);
  g_autofree guint16 *wide = g_new (guint16, 65536);

  for (TrcName t = 0; t < TRCS; t++)
    {
      FxCodec codec = get_codec (&trcs[t], FX_CURVE_TO_LINEAR);
      guint8 narrow[256];

      for (int i = 0; i < 65536; i++)
        narrow[i / 256] = i / 256, wide[i] = i;
      codec.format.sample = FX_SAMPLE_U8;
      fx_codec_decode (&codec, narrow, 256, &plane);
      fx_codec_encode (&codec, &plane, 256, narrow);
      codec.format.sample = FX_SAMPLE_U16;
      fx_codec_decode (&codec, wide, 65536, &plane);
      fx_codec_encode (&codec, &plane, 65536, wide);
      for (int i = 0; i < 256 && t == TRC_GRAY; i++)
        check_light (&trcs[t], i, narrow[i], 255.0);
      for (int i = 0; i < 65536 && t == TRC_GRAY; i++)
        check_light (&trcs[t], i, wide[i], 65535.0);
      for (int i = 0; i < 256 && t != TRC_GRAY; i++)
        g_assert_cmpint (narrow[i], ==, i);
      for (int i = 0; i < 65536 && t != TRC_GRAY; i++)
        g_assert_cmpint (ABS (wide[i] - i), <=, t == TRC_REC_709 && i / 65535.0 >= 0.081 ? 17 : 0);
    }
}

/* A row of 8 bits has a table, a few pixels have none: to the bit the same. */
TEST (test_table, "/curve/table")
{
  guint8 pixels[3 * 256];
  float all[3][256], one[3];
  float *const planes[] = { all[0], all[1], all[2] };
  float *const places[] = { &one[0], &one[1], &one[2] };

  for (int i = 0; i < 3 * 256; i++)
    pixels[i] = i % 3 == 0 ? i / 3 : g_test_rand_int_range (0, 256);
  for (TrcName t = 0; t < TRCS; t++)
    for (FxCurve curve = 0; curve <= FX_CURVE_TO_PERCEPTUAL; curve++)
      {
        const FxCodec codec = { { FX_SAMPLE_U8, 3, TRUE, trcs[t] }, curve };

        fx_codec_decode (&codec, pixels, 256, planes);
        for (int i = 0; i < 256; i++)
          {
            fx_codec_decode (&codec, pixels + 3 * i, 1, places);
            for (int c = 0; c < 3; c++)
              g_assert_true (all[c][i] == one[c]);
          }
      }
}

/* The steepest slope on the way out, by its definition over all levels. */
TEST (test_magnification, "/curve/magnification")
{
  for (TrcName t = 0; t < TRCS; t++)
    {
      FxCodec codec = get_codec (&trcs[t], FX_CURVE_TO_LINEAR);
      double steepest = 0.0, got;

      for (int i = 0; i < 255; i++)
        steepest = MAX (steepest, 1.0 / 255.0 /
                                    (reference_trc_to_linear (&trcs[t], (i + 1) / 255.0) -
                                     reference_trc_to_linear (&trcs[t], i / 255.0)));
      codec.format.sample = FX_SAMPLE_U8;
      got = fx_codec_get_magnification (&codec);
      g_test_message ("%s: %g, of levels %g", trc_names[t], got, steepest);
      if (isfinite (steepest))
        g_assert_cmpfloat_with_epsilon (got, steepest, 0.1 * steepest);
      else
        g_assert_true (isinf (got));
      codec.format.sample = FX_SAMPLE_FLOAT;
      got = fx_codec_get_magnification (&codec);
      g_assert_true (isinf (got) ? t == TRC_GAMMA_18 || t == TRC_GAMMA_22 || t == TRC_GRAY
                                 : got < (t == TRC_PQ    ? 1e6
                                          : t == TRC_HLG ? 13e3
                                                         : 14.0));
      codec.curve = FX_CURVE_TO_PERCEPTUAL;
      got = fx_codec_get_magnification (&codec);
      for (int i = 0; i < 1000; i++)
        g_assert_cmpfloat (1000.0 * (reference_trc_to_linear (&trcs[t], (i + 1) / 1000.0) -
                                     reference_trc_to_linear (&trcs[t], i / 1000.0)),
                           <=, got);
      codec.curve = FX_CURVE_NONE;
      g_assert_cmpfloat (fx_codec_get_magnification (&codec), ==, 1.0);
    }
}

/* f (m) by its definition in codec.h. */
static double
expand (const FxHighlights *h, double m)
{
  if (m <= h->threshold)
    return m;
  return m < 1.0 ? m + h->bend * pow (m - h->threshold, 2.0) : h->gain * m;
}

/* Sets planes to what a pixel of floats becomes, and back to what that is stored as. */
static void
pass_through (const FxCodec *codec, const float *pixel, float *planes, float *back)
{
  float scratch[4], *places[] = { scratch, scratch + 1, scratch + 2, scratch + 3 };

  fx_codec_decode (codec, pixel, 1, places);
  memcpy (planes, scratch, codec->format.channels * sizeof *planes);
  fx_codec_encode (codec, places, 1, back);
}

/* In the light of the samples, so that no other curve applies. */
static FxCodec
make_bright (int channels, FxLight light, double stops, double threshold)
{
  const FxFormat format = { FX_SAMPLE_FLOAT, channels, light == FX_LIGHT_PERCEPTUAL };
  FxCodec codec = fx_codec_new (&format, light);

  fx_codec_set_highlights (&codec, light, stops, threshold);
  return codec;
}

static void
check_highlights (double stops, double threshold, FxLight light)
{
  static const float beyond[] = { -1e30f, -2.0f, -0.0f, 1.0001f, 2.0f, 1e4f, INFINITY, -INFINITY };
  const double value = MIN (threshold, 254.0 / 255.0);
  const FxCodec codec = make_bright (1, light, stops, threshold);
  const FxHighlights *h = &codec.highlights;
  float got, back;

  g_assert_cmpfloat_with_epsilon (h->threshold,
                                  light == FX_LIGHT_LINEAR ? reference_to_linear (value) : value,
                                  1e-6);
  g_assert_cmpfloat_with_epsilon (h->gain, exp2 (stops), 1e-6 * h->gain);
  g_assert_cmpfloat_with_epsilon (1.0 + h->bend * pow (1.0 - h->threshold, 2.0), exp2 (stops),
                                  1e-6 * h->gain); /* f is continuous at 1 */
  for (int i = 0; i <= 1000 + (int) G_N_ELEMENTS (beyond); i++)
    {
      const float x = i <= 1000 ? i / 1000.0f : beyond[MIN (i - 1001, 7)];
      const double expected = expand (h, x);

      pass_through (&codec, &x, &got, &back);
      if (isfinite (x))
        g_assert_cmpfloat_with_epsilon (got, expected, 1e-6 * fabs (expected) + 1e-12);
      else
        g_assert_cmpfloat (got, ==, x);
      if (isfinite (x))
        g_assert_cmpfloat_with_epsilon (back, x, 1e-6 * MAX (fabs (x), 0.01));
      else
        g_assert_cmpfloat (back, ==, x);
    }
}

TEST (test_highlights, "/curve/highlights")
{
  static const double stops[] = { 1e-6, 0.01, 0.5, 1.0, 3.0, 6.0 };
  static const double thresholds[] = { 0.0, 0.2, 0.8, 0.99, 0.999999, 1.0 };

  for (guint i = 0; i < G_N_ELEMENTS (stops); i++)
    for (guint k = 0; k < G_N_ELEMENTS (thresholds); k++)
      for (int light = 0; light < 2; light++)
        check_highlights (stops[i], thresholds[k], light);
}

/* All colours of a pixel are multiplied by the factor of its brightest, which keeps its hue. */
TEST (test_highlights_colors, "/curve/highlights/colors")
{
  static const struct {
    float pixel[3];
    double most;
  } cases[] = {
    { { 1.0f, 0.8f, 0.4f }, 1.0 },      { { 0.1f, 0.9f, 0.3f }, 0.9 },
    { { 0.2f, -0.5f, 4.0f }, 4.0 },     { { 0.2f, 0.3f, 0.1f }, 0.3 },
    { { -1.0f, -0.5f, -2.0f }, 0.0 },   { { 0.0f, 0.0f, 0.0f }, 0.0 },
    { { NAN, 0.9f, 0.2f }, 0.9 },       { { 0.9f, 0.2f, -INFINITY }, 0.9 },
    { { 0.9f, 0.2f, INFINITY }, 1e30 },
  };
  const FxCodec codec = make_bright (3, FX_LIGHT_LINEAR, 3.0, 0.8);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const double m = cases[i].most;
      const double factor = m > 0.0 ? expand (&codec.highlights, m) / m : 1.0;
      float got[3], back[3];

      pass_through (&codec, cases[i].pixel, got, back);
      for (int c = 0; c < 3; c++)
        {
          const float x = cases[i].pixel[c];

          if (isnan (x))
            g_assert_true (isnan (got[c]) && back[c] == INFINITY);
          else if (isinf (x))
            g_assert_true (got[c] == x && back[c] == x);
          else
            {
              g_assert_cmpfloat_with_epsilon (got[c], x * factor, 1e-6 * fabs (x * factor) + 1e-12);
              g_assert_cmpfloat_with_epsilon (back[c], x, 1e-6 * fabs (x) + 1e-12);
            }
        }
    }
}

/* 8-bit colour; alpha is as it was, and colour is multiplied by it after. */
TEST (test_highlights_levels, "/curve/highlights/levels")
{
  const FxFormat format = { FX_SAMPLE_U8, 2, TRUE };
  FxCodec codec = fx_codec_new (&format, FX_LIGHT_LINEAR);
  guint8 pixels[512], back[512];
  float colors[256], alphas[256], *planes[] = { colors, alphas, alphas, alphas };

  for (int i = 0; i < 512; i++)
    pixels[i] = (guint8) (i % 2 ? 128 : i / 2);
  for (int k = 0; k < 2; k++)
    {
      fx_codec_set_highlights (&codec, FX_LIGHT_LINEAR, 4.0, k ? 1.0 : 0.5);
      fx_codec_decode (&codec, pixels, 256, planes);
      for (int i = 0; i < 256; i++)
        {
          const double level = reference_to_linear (i / 255.0);
          const double value = k ? (i == 255 ? 16.0 : level) : expand (&codec.highlights, level);

          g_assert_cmpfloat_with_epsilon (colors[i], value * 128.0 / 255.0, 2e-6 * value + 1e-12);
          g_assert_cmpfloat_with_epsilon (alphas[i], 128.0 / 255.0, 1e-7);
        }
      fx_codec_encode (&codec, planes, 256, back);
      g_assert_cmpmem (back, 512, pixels, 512);
    }
}

/* Without stops, there is no curve. */
TEST (test_no_highlights, "/curve/highlights/none")
{
  FxCodec codec = get_codec (&trcs[0], FX_CURVE_NONE);

  fx_codec_set_highlights (&codec, FX_LIGHT_LINEAR, 0.0, 0.5);
  g_assert_false (fx_codec_has_highlights (&codec));
  g_assert_cmpfloat (fx_codec_get_range (&codec), ==, 1.0f);
  fx_codec_set_highlights (&codec, FX_LIGHT_LINEAR, 6.0, 0.0);
  g_assert_true (fx_codec_has_highlights (&codec));
  g_assert_cmpfloat (fx_codec_get_range (&codec), ==, 64.0f);
}

TEST (test_check, "/curve/check")
{
  static const FxTrc wrong[] = {
    { .g = 0.0f, .a = 1.0f },
    { .g = -1.0f, .a = 1.0f },
    { .g = 11.0f, .a = 1.0f },
    { .g = NAN, .a = 1.0f },
    { .g = 2.0f },
    { .g = 2.0f, .a = -1.0f },
    { .g = 2.0f, .a = INFINITY },
    { .g = 2.0f, .a = 1e-40f },
    { .g = 2.0f, .a = 1.0f, .b = NAN },
    { .g = 2.0f, .a = 1.0f, .b = -0.5f },
    { .g = 2.0f, .a = 1.0f, .c = -0.1f },
    { .g = 2.0f, .a = 1.0f, .c = 1e-40f },
    { .g = 2.0f, .a = 1.0f, .d = INFINITY },
    { .g = 2.0f, .a = 1.0f, .c = 0.2f, .d = 0.1f },
    { .g = 2.0f, .a = 1.0f, .e = -INFINITY },
    { .g = 2.0f, .a = 1.0f, .f = 0.1f },
  };
  FxFormat format = { FX_SAMPLE_U8, 3, TRUE }, other;

  for (guint i = 0; i < TRCS + 2; i++)
    {
      format.trc = i < TRCS ? trcs[i] : i == TRCS ? toe : lifted;
      g_assert_true (fx_format_check (&format, NULL));
      g_assert_true (fx_format_equal (&format, &format));
      other = format;
      other.trc.g += 0.1f;
      g_assert_false (fx_format_equal (&format, &other));
    }
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      format.trc = wrong[i];
      g_assert_false (fx_format_check (&format, &error));
      g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
      g_assert_nonnull (strstr (error->message, "curve"));
    }
}

/* A table that rises to 1, as its parametric curves do. */
static void
fill_entries (float *entries, double exponent)
{
  for (int i = 0; i < FX_TRC_ENTRIES; i++)
    entries[i] = (float) pow (i / (FX_TRC_ENTRIES - 1.0), exponent);
}

static gpointer
get_tables (gpointer data)
{
  const FxTrcTable **tables = data;
  float entries[FX_TRC_ENTRIES];

  for (int i = 0; i < 8; i++)
    {
      fill_entries (entries, 1.0 + i);
      tables[i] = fx_trc_table_get (entries, NULL);
    }
  return NULL;
}

/* Whichever thread asks first, equal entries have one table, which is a curve without parameters
 * and not sRGB's. */
TEST (test_get_table, "/curve/table/get")
{
  const FxTrcTable *tables[4][8];
  GThread *threads[4];

  for (int i = 0; i < 4; i++)
    threads[i] = g_thread_new (NULL, get_tables, tables[i]);
  for (int i = 0; i < 4; i++)
    g_thread_join (threads[i]);
  for (int i = 0; i < 8; i++)
    {
      FxFormat format = { FX_SAMPLE_U8, 3, TRUE, { .table = tables[0][i] } };
      const FxFormat other = { FX_SAMPLE_U8, 3, TRUE, { .table = tables[0][(i + 1) % 8] } };

      for (int k = 0; k < 4; k++)
        g_assert_true (tables[k][i] && tables[k][i] == tables[0][i]);
      g_assert_true (fx_format_check (&format, NULL));
      g_assert_false (fx_trc_is_srgb (&format.trc));
      g_assert_true (fx_format_equal (&format, &format));
      g_assert_false (fx_format_equal (&format, &other));
      format.trc.g = format.trc.a = 1.0f;
      g_assert_false (fx_format_check (&format, NULL));
    }
}

TEST (test_refuse_table, "/curve/table/refuse")
{
  static const float wrong[] = { NAN, INFINITY, -INFINITY, 101.0f, -101.0f };
  static const int places[] = { 0, 1000, FX_TRC_ENTRIES - 1 };
  float entries[FX_TRC_ENTRIES] = { 0.0f };

  for (guint i = 0; i <= G_N_ELEMENTS (wrong) * G_N_ELEMENTS (places); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (fx_trc_table_get (entries, &error)); /* first of all a flat one */
      g_assert_error (error, FX_ERROR, FX_ERROR_ARGUMENT);
      fill_entries (entries, 2.0);
      entries[places[i % 3]] = wrong[i / 3 % G_N_ELEMENTS (wrong)];
    }
  fill_entries (entries, 2.0);
  entries[2000] = entries[2001] + 1e-6f;
  g_assert_null (fx_trc_table_get (entries, NULL));
  entries[2000] = entries[2001];
  g_assert_nonnull (fx_trc_table_get (entries, NULL));
}
