/* Codes 8-bit pixels by AVX2. Compilers do not generate such code from loops. */
#include "bytes.h"

#ifdef FX_AVX2

#include <immintrin.h>
#include <string.h>

#define LANES              8
#define TARGET             FX_AVX2
#define DO(name)           _mm256_##name
#define Vector             __m256
#define Integers           __m256i
#define Mask               __m256
#define COMPARE(x, how, y) _mm256_cmp_ps (x, y, how)
#define CHOOSE(mask, x, y) _mm256_blendv_ps (y, x, mask)
#define IS_ALL(mask)       (_mm256_movemask_ps (mask) == 0xff)
#define REORDER(x)         _mm256_permutevar8x32_epi32 (x, *(const __m256i_u *) order)
#define GET_SCALES(exponents)                                                                 \
  _mm256_blendv_ps (_mm256_permutevar8x32_ps (_mm256_loadu_ps (power_scales), exponents),     \
                    _mm256_permutevar8x32_ps (_mm256_loadu_ps (power_scales + 8), exponents), \
                    (Vector) _mm256_slli_epi32 (exponents, 28))

static const gint32 order[LANES] = { 0, 4, 1, 5, 2, 6, 3, 7 };

/* Looks up a pixel's colour. The fourth float repeats the third. */
TARGET static FX_INLINE __m128
look_up (const float *table, const guint8 *pixel)
{
  __m128 low = _mm_insert_ps (_mm_load_ss (table + pixel[0]), _mm_load_ss (table + pixel[1]), 0x10);

  return _mm_movelh_ps (low, _mm_load1_ps (table + pixel[2]));
}

/* Clears colour under an alpha of 0, even if it is infinite. */
TARGET static FX_INLINE __m256
multiply (__m256 pixels)
{
  __m256 alpha = _mm256_permute_ps (pixels, 0xff);
  __m256 visible = COMPARE (alpha, _CMP_GT_OQ, _mm256_setzero_ps ());

  return _mm256_blend_ps (_mm256_and_ps (visible, _mm256_mul_ps (pixels, alpha)), pixels, 0x88);
}

/* Decodes two pixels. */
TARGET static FX_INLINE void
decode (const guint8 *pixels, int channels, const float *table, gboolean premultiplied,
        float *floats)
{
  const __m128i spread = _mm_setr_epi8 (0, 1, 2, 2, 3, 4, 5, 5, -1, -1, -1, -1, -1, -1, -1, -1);
  __m128i bytes = _mm_setzero_si128 ();
  __m256 x, colors;

  memcpy (&bytes, pixels, 2 * channels);
  if (channels == 3)
    bytes = _mm_shuffle_epi8 (bytes, spread);
  x = _mm256_mul_ps (_mm256_cvtepi32_ps (_mm256_cvtepu8_epi32 (bytes)),
                     _mm256_set1_ps (1.0f / 255.0f));
  if (table)
    {
      colors = _mm256_set_m128 (look_up (table, pixels + channels), look_up (table, pixels));
      x = channels == 3 ? colors : _mm256_blend_ps (colors, x, 0x88);
    }
  _mm256_storeu_ps (floats, premultiplied ? multiply (x) : x);
}

TARGET static FX_INLINE void
decode_all (const guint8 *pixels, int channels, const float *table, gboolean premultiplied, int n,
            float *floats)
{
  float last[8];
  guint8 bytes[8] = { 0 };
  int i;

  for (i = 0; i <= n - 2; i += 2)
    decode (pixels + i * channels, channels, table, premultiplied, floats + 4 * i);
  if (i == n)
    return;
  memcpy (bytes, pixels + i * channels, channels);
  decode (bytes, channels, table, premultiplied, last);
  memcpy (floats + 4 * i, last, 4 * sizeof *last);
}

#include "bytes-lanes.h"

const FxBytesCoder fx_bytes_avx2 = { bytes_decode, bytes_encode };

#endif
