/* 8-bit pixels by AVX2, two at a time: its permutations are fast tables, which a compiler does not
 * make of loops. */
#include "bytes.h"

#include "alpha.h"
#include "vector.h"

#ifdef FX_AVX2

#include "bytes-x86.h"

#include <float.h>
#include <immintrin.h>
#include <string.h>

#define AVX2_INLINE FX_AVX2 static FX_INLINE

/* Returns yes in the lanes of condition, and no in the others. */
AVX2_INLINE __m256
choose (__m256 condition, __m256 yes, __m256 no)
{
  return _mm256_blendv_ps (no, yes, condition);
}

AVX2_INLINE __m256
get_magnitude (__m256 x)
{
  return _mm256_andnot_ps (_mm256_set1_ps (-0.0f), x);
}

/* Preserves colour that is not finite. */
AVX2_INLINE __m256
divide (__m256 pixels)
{
  __m256 alpha = _mm256_permute_ps (pixels, 0xff);
  __m256 distance = get_magnitude (_mm256_sub_ps (alpha, _mm256_set1_ps (1.0f)));
  __m256 opaque = _mm256_cmp_ps (distance, _mm256_set1_ps (FX_ALPHA_ROUNDING), _CMP_LE_OQ);
  __m256 divisible, finite, straight;

  if (_mm256_movemask_ps (opaque) == 0xff)
    return pixels;
  divisible = _mm256_cmp_ps (get_magnitude (alpha), _mm256_set1_ps (FX_ALPHA_MIN), _CMP_GE_OQ);
  straight = _mm256_and_ps (divisible, _mm256_div_ps (pixels, alpha));
  finite = _mm256_cmp_ps (get_magnitude (pixels), _mm256_set1_ps (FLT_MAX), _CMP_LE_OQ);
  straight = choose (_mm256_andnot_ps (opaque, finite), straight, pixels);
  return _mm256_blend_ps (straight, pixels, 0x88);
}

AVX2_INLINE __m256
get_power (__m256 x)
{
  __m256i bits = _mm256_castps_si256 (x), exponent = _mm256_srli_epi32 (bits, 23);
  __m256i mantissa = _mm256_or_si256 (_mm256_and_si256 (bits, _mm256_set1_epi32 (0x7fffff)),
                                      _mm256_set1_epi32 (0x3f800000));
  __m256 t = _mm256_sub_ps (_mm256_castsi256_ps (mantissa), _mm256_set1_ps (1.5f));
  __m256 power = _mm256_set1_ps (power_terms[POWER_DEGREE]);
  __m256 low = _mm256_permutevar8x32_ps (_mm256_loadu_ps (power_scales), exponent);
  __m256 high = _mm256_permutevar8x32_ps (_mm256_loadu_ps (power_scales + 8), exponent);
  __m256 is_high = _mm256_castsi256_ps (_mm256_slli_epi32 (exponent, 28));
  int i;

#pragma GCC unroll 8
  for (i = POWER_DEGREE - 1; i >= 0; i--)
    power = _mm256_fmadd_ps (power, t, _mm256_set1_ps (power_terms[i]));
  return _mm256_mul_ps (power, choose (is_high, high, low));
}

/* Returns the levels of floats, as words. NaN becomes 0: of two operands, one NaN, max returns the
 * second. */
AVX2_INLINE __m256i
get_levels (__m256 x, gboolean srgb, int channels)
{
  const int alpha = channels == 4 ? -1 : 0;
  const __m256 start = _mm256_set1_ps (SRGB_START);
  __m256 straight = _mm256_castsi256_ps (_mm256_setr_epi32 (0, 0, 0, alpha, 0, 0, 0, alpha));
  __m256 clamped = _mm256_min_ps (_mm256_max_ps (x, _mm256_setzero_ps ()), _mm256_set1_ps (1.0f));
  __m256 slope = choose (straight, _mm256_set1_ps (255.0f), _mm256_set1_ps (SRGB_SLOPE));
  __m256 level, power;

  if (! srgb)
    slope = _mm256_set1_ps (255.0f);
  level = _mm256_fmadd_ps (clamped, slope, _mm256_set1_ps (0.5f));
  if (srgb)
    {
      power = get_power (_mm256_max_ps (clamped, start));
      power = _mm256_sub_ps (power, _mm256_set1_ps (SRGB_OFFSET));
      straight = _mm256_or_ps (straight, _mm256_cmp_ps (clamped, start, _CMP_LE_OQ));
      level = choose (straight, level, power);
    }
  return _mm256_cvttps_epi32 (level);
}

/* Encodes two pixels to eight bytes, or to six. */
AVX2_INLINE void
encode (const float *floats, int channels, gboolean srgb, gboolean premultiplied, guint8 *pixels)
{
  const __m128i pack = _mm_setr_epi8 (0, 1, 2, 4, 5, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  __m256 x = _mm256_loadu_ps (floats);
  __m256i levels = get_levels (premultiplied ? divide (x) : x, srgb, channels);
  __m128i bytes = _mm_packus_epi32 (_mm256_castsi256_si128 (levels),
                                    _mm256_extracti128_si256 (levels, 1));

  bytes = _mm_packus_epi16 (bytes, bytes);
  if (channels == 3)
    bytes = _mm_shuffle_epi8 (bytes, pack);
  memcpy (pixels, &bytes, 2 * channels);
}

AVX2_INLINE void
encode_all (const float *floats, int channels, gboolean srgb, gboolean premultiplied, int n,
            guint8 *pixels)
{
  int i;

  for (i = 0; i <= n - 2; i += 2)
    encode (floats + 4 * i, channels, srgb, premultiplied, pixels + i * channels);
  if (i < n)
    {
      float last[8] = { 0 };
      guint8 encoded[8];

      memcpy (last, floats + 4 * i, 4 * sizeof *last);
      encode (last, channels, srgb, premultiplied, encoded);
      memcpy (pixels + i * channels, encoded, channels);
    }
}

FX_AVX2 void
fx_bytes_encode_avx2 (const FxBytes *bytes, const float *floats, int n, guint8 *pixels)
{
  if (bytes->channels == 3 && bytes->srgb)
    encode_all (floats, 3, TRUE, FALSE, n, pixels);
  else if (bytes->channels == 3)
    encode_all (floats, 3, FALSE, FALSE, n, pixels);
  else if (bytes->srgb)
    encode_all (floats, 4, TRUE, bytes->premultiplied, n, pixels);
  else
    encode_all (floats, 4, FALSE, bytes->premultiplied, n, pixels);
}

#else

void
fx_bytes_encode_avx2 (const FxBytes *bytes, const float *floats, int n, guint8 *pixels)
{
  g_return_if_reached ();
}

#endif
