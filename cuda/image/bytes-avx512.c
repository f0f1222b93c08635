/* Codes 8-bit pixels by AVX-512, whose permutations serve as fast tables. Compilers do not generate
 * such code from loops. */
#include "bytes.h"

#ifdef FX_AVX512

#include <immintrin.h>

#define LANES                 16
#define TARGET                FX_AVX512
#define DO(name)              _mm512_##name
#define Vector                __m512
#define Integers              __m512i
#define Mask                  __mmask16
#define COMPARE(x, how, y)    _mm512_cmp_ps_mask (x, y, how)
#define CHOOSE(mask, x, y)    _mm512_mask_blend_ps (mask, y, x)
#define IS_ALL(mask)          ((mask) == 0xffff)
#define REORDER(x)            _mm512_permutexvar_epi32 (_mm512_loadu_si512 (order), x)
#define GET_SCALES(exponents) _mm512_permutexvar_ps (exponents, _mm512_loadu_ps (power_scales))

static const gint32 order[LANES] = { 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15 };

#define COLORS 0x7777 /* lanes of colour in four pixels */
#define ALPHAS 0x8888 /* and those of alpha */

/* Four pixels of three channels are 12 bytes. */
TARGET static FX_INLINE __m128i
load (const guint8 *pixels, int channels, int n)
{
  const __m128i spread = _mm_setr_epi8 (0, 1, 2, 2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11);
  __m128i bytes = _mm_maskz_loadu_epi8 ((__mmask16) ((1u << n * channels) - 1), pixels);

  return channels == 4 ? bytes : _mm_shuffle_epi8 (bytes, spread);
}

/* Looks up 16 levels. Each permutation selects from 32 values by the lowest five bits; the others
 * select among the permutations. */
TARGET static FX_INLINE __m512
look_up (const __m512 *table, __m512i levels)
{
  __mmask16 bit5 = _mm512_test_epi32_mask (levels, _mm512_set1_epi32 (1 << 5));
  __mmask16 bit6 = _mm512_test_epi32_mask (levels, _mm512_set1_epi32 (1 << 6));
  __mmask16 bit7 = _mm512_test_epi32_mask (levels, _mm512_set1_epi32 (1 << 7));
  __m512 found[8];

#pragma GCC unroll 8
  for (int i = 0; i < 8; i++)
    found[i] = _mm512_permutex2var_ps (table[2 * i], levels, table[2 * i + 1]);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i += 2)
    found[i] = _mm512_mask_mov_ps (found[i], bit5, found[i + 1]);
#pragma GCC unroll 8
  for (int i = 0; i < 8; i += 4)
    found[i] = _mm512_mask_mov_ps (found[i], bit6, found[i + 2]);
  return _mm512_mask_mov_ps (found[0], bit7, found[4]);
}

/* Clears colour under an alpha of 0, even if it is infinite. */
TARGET static FX_INLINE __m512
multiply (__m512 pixels)
{
  __m512 alpha = _mm512_permute_ps (pixels, 0xff);
  __mmask16 visible = COMPARE (alpha, _CMP_GT_OQ, _mm512_setzero_ps ());
  __m512 product = _mm512_maskz_mul_ps (visible, pixels, alpha);

  return _mm512_mask_mov_ps (pixels, COLORS, product);
}

TARGET static FX_INLINE void
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

TARGET static FX_INLINE void
decode_all (const guint8 *pixels, int channels, const float *table, gboolean premultiplied, int n,
            float *floats)
{
  gboolean curved = table != NULL;
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

#include "bytes-lanes.h"

const FxBytesCoder fx_bytes_avx512 = { bytes_decode, bytes_encode };

#endif
