/* 8-bit pixels by AVX-512, four at a time: its permutations are fast tables, which a compiler does
 * not make of loops. */
#include "bytes.h"

#include "alpha.h"
#include "vector.h"

#ifdef FX_AVX512

#include "bytes-x86.h"

#include <float.h>
#include <immintrin.h>

#define AVX512_INLINE FX_AVX512 static FX_INLINE

#define COLORS 0x7777 /* lanes of colour in four pixels */
#define ALPHAS 0x8888 /* and those of alpha */

/* Returns each pixel's fourth float in all of its lanes. */
AVX512_INLINE __m512
get_alpha (__m512 pixels)
{
  return _mm512_permute_ps (pixels, 0xff);
}

/* Returns the lanes whose magnitude is at least, or at most, limit. */
AVX512_INLINE __mmask16
is_at_least (__m512 x, float limit)
{
  return _mm512_cmp_ps_mask (_mm512_abs_ps (x), _mm512_set1_ps (limit), _CMP_GE_OQ);
}

AVX512_INLINE __mmask16
is_at_most (__m512 x, float limit)
{
  return _mm512_cmp_ps_mask (_mm512_abs_ps (x), _mm512_set1_ps (limit), _CMP_LE_OQ);
}

/* Bytes. Four pixels of three channels are 12 bytes. */

AVX512_INLINE __m128i
load (const guint8 *pixels, int channels, int n)
{
  const __m128i spread = _mm_setr_epi8 (0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
  __m128i bytes = _mm_maskz_loadu_epi8 ((__mmask16) ((1u << n * channels) - 1), pixels);

  return channels == 4 ? bytes : _mm_shuffle_epi8 (bytes, spread);
}

AVX512_INLINE void
store (__m128i bytes, int channels, int n, guint8 *pixels)
{
  const __m128i pack = _mm_setr_epi8 (0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);

  if (channels == 3)
    bytes = _mm_shuffle_epi8 (bytes, pack);
  _mm_mask_storeu_epi8 (pixels, (__mmask16) ((1u << n * channels) - 1), bytes);
}

/* Decoding. */

/* Looks 16 levels up. Each permutation selects from 32 values by the lowest five bits; the others
 * select among the permutations. */
AVX512_INLINE __m512
look_up (const __m512 *table, __m512i levels)
{
  __mmask16 bit5 = _mm512_test_epi32_mask (levels, _mm512_set1_epi32 (1 << 5));
  __mmask16 bit6 = _mm512_test_epi32_mask (levels, _mm512_set1_epi32 (1 << 6));
  __mmask16 bit7 = _mm512_test_epi32_mask (levels, _mm512_set1_epi32 (1 << 7));
  __m512 found[8];
  int i;

#pragma GCC unroll 8
  for (i = 0; i < 8; i++)
    found[i] = _mm512_permutex2var_ps (table[2 * i], levels, table[2 * i + 1]);
#pragma GCC unroll 8
  for (i = 0; i < 8; i += 2)
    found[i] = _mm512_mask_mov_ps (found[i], bit5, found[i + 1]);
#pragma GCC unroll 8
  for (i = 0; i < 8; i += 4)
    found[i] = _mm512_mask_mov_ps (found[i], bit6, found[i + 2]);
  return _mm512_mask_mov_ps (found[0], bit7, found[4]);
}

/* Clears colour under an alpha of 0, even if it is infinite. */
AVX512_INLINE __m512
multiply (__m512 pixels)
{
  __m512 alpha = get_alpha (pixels);
  __m512 product = _mm512_maskz_mul_ps (is_at_least (alpha, FLT_MIN), pixels, alpha);

  return _mm512_mask_mov_ps (pixels, COLORS, product);
}

AVX512_INLINE void
decode (const guint8 *pixels, int channels, gboolean curved, const __m512 *table,
        gboolean premultiplied, int n, float *floats)
{
  __m512i levels = _mm512_cvtepu8_epi32 (load (pixels, channels, n));
  __m512 x = _mm512_mul_ps (_mm512_cvtepi32_ps (levels), _mm512_set1_ps (1.0f / 255.0f));

  if (curved)
    x = _mm512_mask_mov_ps (look_up (table, levels), channels == 4 ? ALPHAS : 0, x);
  if (premultiplied)
    x = multiply (x);
  _mm512_mask_storeu_ps (floats, (__mmask16) ((1u << 4 * n) - 1), x);
}

AVX512_INLINE void
decode_all (const guint8 *pixels, int channels, gboolean curved, const float *table,
            gboolean premultiplied, int n, float *floats)
{
  __m512 parts[16];
  int i;

#pragma GCC unroll 16
  for (i = 0; curved && i < 16; i++)
    parts[i] = _mm512_loadu_ps (table + 16 * i);
  for (i = 0; i <= n - 4; i += 4)
    decode (pixels + i * channels, channels, curved, parts, premultiplied, 4, floats + 4 * i);
  if (i < n)
    decode (pixels + i * channels, channels, curved, parts, premultiplied, n - i, floats + 4 * i);
}

/* A constant number of channels, and of pixels, gives code without masks. */
FX_AVX512 void
fx_bytes_decode_avx512 (const FxBytes *bytes, const guint8 *pixels, int n, float *floats)
{
  if (bytes->channels == 3 && bytes->table)
    decode_all (pixels, 3, TRUE, bytes->table, FALSE, n, floats);
  else if (bytes->channels == 3)
    decode_all (pixels, 3, FALSE, NULL, FALSE, n, floats);
  else if (bytes->table)
    decode_all (pixels, 4, TRUE, bytes->table, bytes->premultiplied, n, floats);
  else
    decode_all (pixels, 4, FALSE, NULL, bytes->premultiplied, n, floats);
}

/* Encoding. */

/* Preserves colour that is not finite. */
AVX512_INLINE __m512
divide (__m512 pixels)
{
  __m512 one = _mm512_set1_ps (1.0f);
  __m512 alpha = get_alpha (pixels), straight;
  __mmask16 other = (__mmask16) ~is_at_most (_mm512_sub_ps (alpha, one), FX_ALPHA_ROUNDING);

  if (! other)
    return pixels;
  straight = _mm512_maskz_div_ps (is_at_least (alpha, FX_ALPHA_MIN), pixels, alpha);
  return _mm512_mask_mov_ps (pixels, other & COLORS & is_at_most (pixels, FLT_MAX), straight);
}

AVX512_INLINE __m512
get_power (__m512 x)
{
  __m512i exponent = _mm512_srli_epi32 (_mm512_castps_si512 (x), 23);
  __m512 t = _mm512_sub_ps (_mm512_getmant_ps (x, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_zero),
                            _mm512_set1_ps (1.5f));
  __m512 power = _mm512_set1_ps (power_terms[POWER_DEGREE]);
  int i;

#pragma GCC unroll 8
  for (i = POWER_DEGREE - 1; i >= 0; i--)
    power = _mm512_fmadd_ps (power, t, _mm512_set1_ps (power_terms[i]));
  return _mm512_mul_ps (power, _mm512_permutexvar_ps (exponent, _mm512_loadu_ps (power_scales)));
}

/* Returns the levels of floats. NaN becomes 0: of two operands, one NaN, max returns the second. */
AVX512_INLINE __m128i
get_levels (__m512 x, gboolean srgb, int channels)
{
  const __m512 start = _mm512_set1_ps (SRGB_START);
  __mmask16 curved = srgb ? (channels == 4 ? COLORS : 0xffff) : 0;
  __m512 slope = _mm512_mask_mov_ps (_mm512_set1_ps (255.0f), curved, _mm512_set1_ps (SRGB_SLOPE));
  __m512 clamped = _mm512_min_ps (_mm512_max_ps (x, _mm512_setzero_ps ()), _mm512_set1_ps (1.0f));
  __m512 level = _mm512_fmadd_ps (clamped, slope, _mm512_set1_ps (0.5f));

  if (srgb)
    level = _mm512_mask_sub_ps (level, curved & _mm512_cmp_ps_mask (clamped, start, _CMP_GT_OQ),
                                get_power (_mm512_max_ps (clamped, start)),
                                _mm512_set1_ps (SRGB_OFFSET));
  return _mm512_cvtepi32_epi8 (_mm512_cvttps_epi32 (level));
}

AVX512_INLINE void
encode (const float *floats, int channels, gboolean srgb, gboolean premultiplied, int n,
        guint8 *pixels)
{
  __m512 x = _mm512_maskz_loadu_ps ((__mmask16) ((1u << 4 * n) - 1), floats);

  if (premultiplied)
    x = divide (x);
  store (get_levels (x, srgb, channels), channels, n, pixels);
}

AVX512_INLINE void
encode_all (const float *floats, int channels, gboolean srgb, gboolean premultiplied, int n,
            guint8 *pixels)
{
  int i;

  for (i = 0; i <= n - 4; i += 4)
    encode (floats + 4 * i, channels, srgb, premultiplied, 4, pixels + i * channels);
  if (i < n)
    encode (floats + 4 * i, channels, srgb, premultiplied, n - i, pixels + i * channels);
}

FX_AVX512 void
fx_bytes_encode_avx512 (const FxBytes *bytes, const float *floats, int n, guint8 *pixels)
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
fx_bytes_decode_avx512 (const FxBytes *bytes, const guint8 *pixels, int n, float *floats)
{
  g_return_if_reached ();
}

void
fx_bytes_encode_avx512 (const FxBytes *bytes, const float *floats, int n, guint8 *pixels)
{
  g_return_if_reached ();
}

#endif
