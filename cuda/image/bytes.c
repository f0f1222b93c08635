#include "bytes.h"

#include "vector.h"

static FX_INLINE float
get_color (const float *table, guint8 level)
{
  return table ? table[level] : level * (1.0f / 255.0f);
}

/* Returns whether all pixels are opaque. */
static FX_INLINE gboolean
look_up (const float *restrict table, int channels, const guint8 *restrict pixels, int n,
         float *restrict floats)
{
  guint8 all = 255;
  int i;

  for (i = 0; i < n; i++)
    {
      const guint8 *pixel = pixels + channels * i;

      floats[4 * i] = get_color (table, pixel[0]);
      floats[4 * i + 1] = get_color (table, pixel[1]);
      floats[4 * i + 2] = get_color (table, pixel[2]);
      floats[4 * i + 3] = channels == 3 ? floats[4 * i + 2] : pixel[3] * (1.0f / 255.0f);
      all &= channels == 3 ? 255 : pixel[3];
    }
  return all == 255;
}

/* Clears colour under an alpha of 0, even if it is infinite. */
FX_VECTORISED static void
bytes_multiply (float *floats, int n)
{
  int i, c;

  for (i = 0; i < n; i++)
    for (c = 0; c < 3; c++)
      floats[4 * i + c] = floats[4 * i + 3] > 0.0f ? floats[4 * i + c] * floats[4 * i + 3] : 0.0f;
}

/* Decodes pixels before colour is multiplied by alpha. Returns whether all are opaque. */
FX_VECTORISED static gboolean
look_up_all (const FxBytes *bytes, const guint8 *pixels, int n, float *floats)
{
  if (bytes->channels == 4)
    return bytes->table ? look_up (bytes->table, 4, pixels, n, floats)
                        : look_up (NULL, 4, pixels, n, floats);
  return bytes->table ? look_up (bytes->table, 3, pixels, n, floats)
                      : look_up (NULL, 3, pixels, n, floats);
}

void
fx_bytes_decode_plainly (const FxBytes *bytes, const guint8 *pixels, int n, float *floats)
{
  if (! look_up_all (bytes, pixels, n, floats) && bytes->premultiplied)
    bytes_multiply (floats, n);
}

gboolean
fx_bytes_can_encode (void)
{
  return fx_vector_get_unit () >= FX_VECTOR_AVX2;
}

void
fx_bytes_decode (const FxBytes *bytes, const guint8 *pixels, int n, float *floats)
{
  if (fx_vector_get_unit () >= FX_VECTOR_AVX512)
    fx_bytes_decode_avx512 (bytes, pixels, n, floats);
  else if (fx_vector_get_unit () >= FX_VECTOR_AVX2)
    fx_bytes_decode_avx2 (bytes, pixels, n, floats);
  else
    fx_bytes_decode_plainly (bytes, pixels, n, floats);
}

void
fx_bytes_encode (const FxBytes *bytes, const float *floats, int n, guint8 *pixels)
{
  if (fx_vector_get_unit () >= FX_VECTOR_AVX512)
    fx_bytes_encode_avx512 (bytes, floats, n, pixels);
  else
    fx_bytes_encode_avx2 (bytes, floats, n, pixels);
}
