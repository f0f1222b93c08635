/* The mixture of pixels before and after the filter, as in a view and in GIMP. */
#include "mix.h"
#include "check.h"
#include "tested.h"
#include "pixel.h"
#include "reference.h"

/* If the mask is all or nothing, they agree to the bit; otherwise within a level or 2e-6. */
static void
test_mix (void)
{
  for (int n = 0; n < 6 * 4 * 2 * 2; n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4, n / 24 % 2 };
      const gsize size = fx_format_size (&format);
      g_auto (Subject) s = { 0 };
      g_auto (Subject) other = { 0 };
      g_autofree guint8 *mixed = NULL;

      subject_init (&s, tested_engine (), format, n / 48 && format.channels == 1, 64, 64);
      subject_init (&other, tested_engine (), format, s.coverage, 64, 64);
      subject_mask (&s, 30.0);
      mixed = g_memdup2 (other.pixels, size * 64 * 64);
      fx_mix (&format, s.coverage, s.pixels, mixed, s.mask, 64 * 64);
      for (gsize i = 0; i < 64 * 64; i++)
        {
          double expected[4], got[4];
          const guint8 *same = s.mask[i] ? other.pixels : s.pixels;

          if (s.mask[i] == 0 || s.mask[i] == 255)
            {
              g_assert_cmpint (memcmp (mixed + i * size, same + i * size, size), ==, 0);
              continue;
            }
          pixel_mix (&s, s.pixels, other.pixels, i, s.mask[i] / 255.0, expected);
          pixel_decode (&s, mixed, i, ! s.coverage, got);
          for (int c = 0; c < format.channels; c++)
            g_assert_cmpfloat_with_epsilon (got[c], expected[c],
                                            format.sample == FX_SAMPLE_U8     ? 0.01
                                            : format.sample == FX_SAMPLE_HALF ? 2e-3
                                                                              : 5e-5);
        }
    }
}

/* To the bit. */
static void
test_keep (void)
{
  for (int n = 0; n < 6 * 4 * 16; n++)
    {
      const FxFormat format = { n % 6, 1 + n / 6 % 4 };
      const gsize size = fx_format_size (&format), sample = fx_sample_size (format.sample);
      const guint channels = n / 24;
      g_auto (Subject) s = { 0 };
      g_auto (Subject) other = { 0 };
      g_autofree guint8 *got = NULL;

      subject_init (&s, tested_engine (), format, FALSE, 64, 64);
      subject_init (&other, tested_engine (), format, FALSE, 64, 64);
      got = g_memdup2 (other.pixels, size * 64 * 64);
      fx_restore_channels (&format, channels, s.pixels, got, 64 * 64);
      for (gsize i = 0; i < 64 * 64 * (gsize) format.channels; i++)
        {
          const gsize last = i / format.channels * format.channels + format.channels - 1;
          const gboolean gone = format.channels % 2 == 0 &&
                                reference_decode (format.sample, other.pixels, last) == 0.0;
          const gboolean same = gone || channels >> i % format.channels & 1;

          g_assert_cmpint (memcmp (got + i * sample, (same ? s.pixels : other.pixels) + i * sample,
                                   sample),
                           ==, 0);
        }
    }
}

static void
test_mask_convert (void)
{
  enum { N = 1000 };

  for (int sample = 0; sample <= FX_SAMPLE_DOUBLE; sample++)
    for (int gamma = 0; gamma < 2; gamma++)
      {
        const FxFormat format = { sample, 1, gamma };
        gdouble samples[N];
        guint8 mask[N];

        for (int i = 0; i < N; i++)
          reference_encode (sample, i / (N - 1.0) * 1.2 - 0.1, samples, i);
        fx_mask_convert (&format, samples, mask, N);
        for (int i = 0; i < N; i++)
          g_assert_cmpfloat (fabs (mask[i] -
                                   255.0 * CLAMP (reference_decode (sample, samples, i), 0.0, 1.0)),
                             <, 0.501);
      }
}

TESTS (add_mixing)
{
  if (tested_device () != FX_DEVICE_CPU)
    return;
  g_test_add_func ("/preview/mix", test_mix);
  g_test_add_func ("/preview/keep", test_keep);
  g_test_add_func ("/preview/mask-convert", test_mask_convert);
}
