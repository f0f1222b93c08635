/* 8-bit pixels of three and four channels: each kind of vector unit, all levels, all thresholds. */
#include "bytes.h"
#include "codec.h"
#include "reference.h"
#include "test.h"
#include "vector.h"

#define GUARD 0xa5

/* IEC 61966-2-1. */
static double
to_linear (double value)
{
  return value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4);
}

static const float *
get_srgb_table (void)
{
  static float table[256];

  for (int i = 0; i < 256; i++)
    table[i] = (float) to_linear (i / 255.0);
  return table;
}

/* Checks the coders that this processor can run. */
static void
for_each_coder (void (*check) (const FxBytesCoder *coder))
{
  const FxVectorUnit last = fx_vector_get_unit ();

  g_assert_null (fx_bytes_get_coder (FX_VECTOR_PLAIN));
  if (last == FX_VECTOR_PLAIN)
    g_test_skip ("This processor has no AVX2.");
  for (int unit = FX_VECTOR_AVX2; unit <= (int) last; unit++)
    check (fx_bytes_get_coder ((FxVectorUnit) unit));
}

/* Each level of colour under each alpha, from each channel, in n pixels at a time. */
static void
check_decode (const FxBytesCoder *coder, const FxBytes *bytes, int n)
{
  const int channels = bytes->channels;
  g_autofree guint8 *pixels = g_malloc (n * channels);
  g_autofree float *floats = g_new (float, 4 * n + 1);
  const guint8 guard[sizeof *floats] = { GUARD, GUARD, GUARD, GUARD };

  for (int first = 0; first < 65536; first += n)
    {
      for (int i = 0; i < n; i++)
        for (int c = 0; c < channels; c++)
          pixels[i * channels + c] = (guint8) (c == 3 ? (first + i) / 256 : first + i + 85 * c);
      memset (floats, GUARD, (4 * n + 1) * sizeof *floats);
      coder->decode (bytes, pixels, n, floats);
      for (int i = 0; i < 4 * n; i++)
        {
          const guint8 *pixel = pixels + i / 4 * channels;
          const int c = MIN (i % 4, channels - 1);
          const float alpha = pixel[channels - 1] * (1.0f / 255.0f);
          const gboolean curved = bytes->table && c < 3;
          float expected = curved ? bytes->table[pixel[c]] : pixel[c] * (1.0f / 255.0f);

          if (c < 3 && bytes->premultiplied)
            expected *= alpha;
          g_assert_cmpfloat (floats[i], ==, expected);
        }
      g_assert_cmpmem (floats + 4 * n, sizeof *floats, guard, sizeof guard);
    }
}

static void
check_all_decodings (const FxBytesCoder *coder)
{
  for (int i = 0; i < 6; i++)
    for (int n = 1; n <= 258; n += n < 9 ? 1 : 83)
      {
        const FxBytes bytes = { i < 2 ? 3 : 4, i >= 4, i % 2 ? get_srgb_table () : NULL };

        check_decode (coder, &bytes, n);
      }
}

TEST (test_decode, "/bytes/decode")
{
  for_each_coder (check_all_decodings);
}

/* The light at which the level above begins, or a little more or less. */
static double
get_threshold (gboolean srgb, int level, double more)
{
  double value = (level + 0.5 + more) / 255.0;

  if (level < 0)
    return -INFINITY;
  if (level > 254)
    return INFINITY;
  return srgb ? to_linear (value) : value;
}

/* Floats from 0 to 1 in steps of many ulp, and each one beside a threshold, in all four places: the
 * level is the nearest one, to 0.0002 of a level. */
static void
check_levels (const FxBytesCoder *coder, gboolean srgb, guint32 first, guint32 end, guint32 step)
{
  enum { N = 1024 };
  const FxBytes bytes = { 4, FALSE, .srgb = srgb };
  double least[2][256], most[2][256];
  guint8 levels[4 * N];
  float floats[4 * N];

  for (int i = 0; i < 256; i++)
    for (int k = 0; k < 2; k++)
      {
        least[k][i] = get_threshold (srgb && k, i - 1, -2e-4);
        most[k][i] = get_threshold (srgb && k, i, 2e-4);
      }
  while (first < end)
    {
      for (int i = 0; i < 4 * N; i++, first = MIN (first + step, end))
        memcpy (&floats[i], &first, sizeof first);
      coder->encode (&bytes, floats, N, levels);
      for (int i = 0; i < 4 * N; i++)
        g_assert_true (floats[i] >= least[i % 4 < 3][levels[i]] &&
                       floats[i] <= most[i % 4 < 3][levels[i]]);
    }
}

static guint32
get_bits (double value)
{
  const float x = (float) value;
  guint32 bits;

  memcpy (&bits, &x, sizeof bits);
  return bits;
}

static void
check_all_levels (const FxBytesCoder *coder)
{
  for (int srgb = 0; srgb <= 1; srgb++)
    {
      check_levels (coder, srgb, (guint32) g_test_rand_int_range (0, 100), get_bits (1.0), 101);
      for (int level = 0; level < 255; level++)
        for (int curved = 0; curved <= srgb; curved++)
          {
            const guint32 bits = get_bits (get_threshold (curved, level, 0.0));

            check_levels (coder, srgb, bits - 2000, bits + 2000, 1);
          }
    }
}

TEST (test_levels, "/bytes/levels")
{
  for_each_coder (check_all_levels);
}

/* Colour and alpha that are nothing, not finite, or out of range, by 1 to 9 pixels. */
static void
check_special (const FxBytesCoder *coder)
{
  static const float values[] = { -INFINITY,       -1.0f, -0.0f, 1e-31f,   0.5f,
                                  1.0f - 0x1p-21f, 1.0f,  2.0f,  INFINITY, NAN };
  enum { N = G_N_ELEMENTS (values) };

  for (int i = 0; i < N * N; i++)
    {
      const float color = values[i % N], alpha = values[i / N];
      const int n = 1 + i % 9;
      const FxBytes soft = { 4, TRUE }, three = { 3, FALSE };
      const double straight = ! isfinite (color)                 ? color
                              : fabsf (alpha - 1.0f) <= 0x1p-20f ? color
                              : fabsf (alpha) >= 1e-30f          ? color / (double) alpha
                                                                 : 0.0;
      float floats[4 * 9];
      guint8 got[4 * 9 + 1], expected[4];

      for (int k = 0; k < 4 * n; k++)
        floats[k] = k % 4 == 3 ? alpha : color;
      memset (got, GUARD, sizeof got);
      coder->encode (&soft, floats, n, got);
      g_assert_cmpint (got[4 * n], ==, GUARD);
      for (int c = 0; c < 4; c++)
        {
          const double value = c == 3 ? alpha : straight;

          reference_encode (FX_SAMPLE_U8, value == value ? value : 0.0, expected, c);
        }
      g_assert_cmpmem (got + 4 * (n - 1), 4, expected, 4);
      memset (got, GUARD, sizeof got);
      coder->encode (&three, floats, n, got);
      g_assert_cmpint (got[3 * n], ==, GUARD);
      reference_encode (FX_SAMPLE_U8, color == color ? color : 0.0, expected, 0);
      g_assert_cmpint (got[3 * n - 1], ==, expected[0]);
    }
}

TEST (test_special, "/bytes/special")
{
  for_each_coder (check_special);
}
