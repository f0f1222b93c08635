#include "rows.h"

#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define BLOCK 64  /* floats processed at a time: a few vector registers */
#define SLAB  128 /* taps summed separately, which bounds the rounding error of long kernels */

/* Rows and samples of a tile, whose sums fit into registers. */
#define TALL 4
#define WIDE 32

FX_VECTORISED void
fx_rows_combine (const float *const *rows, const float *weights, int taps, gsize n, float *out)
{
  gsize x;
  int first, k, i;

  for (x = 0; x < n; x += BLOCK)
    {
      float total[BLOCK] = { 0 };

      for (first = 0; first < taps; first += SLAB)
        {
          int end = MIN (first + SLAB, taps);
          float sum[BLOCK] = { 0 };

          for (k = first; k < end; k++)
            {
              const float *row = rows[k] + x;

              for (i = 0; i < BLOCK; i++)
                sum[i] += weights[k] * row[i];
            }
          for (i = 0; i < BLOCK; i++)
            total[i] += sum[i];
        }
      memcpy (out + x, total, sizeof total);
    }
}

/* sum[i] += weight * row[i], for WIDE samples. */
static FX_INLINE void
rows_add_row (const float *row, float weight, float *sum)
{
  int i;

  for (i = 0; i < WIDE; i++)
    sum[i] += weight * row[i];
}

/* Computes a tile of the result, tall rows of WIDE samples. Each row is loaded once for all its
 * sums, which are kept in registers. The first and the last tall - 1 rows contribute only to some
 * of them. */
static FX_INLINE void
convolve_tile (const float (*in)[FX_COLUMN], const float *weights, int taps, int tall, int x,
               float (*out)[FX_COLUMN])
{
  float total[TALL][WIDE] = { { 0 } };
  int first, k, j, i;

  for (k = 0; k < tall - 1; k++)
    for (j = 0; j <= k; j++)
      rows_add_row (in[k] + x, weights[k - j], total[j]);
  for (first = tall - 1; first < taps; first += SLAB)
    {
      int end = MIN (first + SLAB, taps);
      float sum[TALL][WIDE] = { { 0 } };

      for (k = first; k < end; k++)
        for (j = 0; j < tall; j++)
          rows_add_row (in[k] + x, weights[k - j], sum[j]);
      for (j = 0; j < tall; j++)
        for (i = 0; i < WIDE; i++)
          total[j][i] += sum[j][i];
    }
  for (k = taps; k < taps + tall - 1; k++)
    for (j = k - taps + 1; j < tall; j++)
      rows_add_row (in[k] + x, weights[k - j], total[j]);
  for (j = 0; j < tall; j++)
    memcpy (out[j] + x, total[j], sizeof total[j]);
}

FX_VECTORISED void
fx_column_convolve (const float (*in)[FX_COLUMN], const float *weights, int taps, int count,
                    float (*out)[FX_COLUMN])
{
  int row = 0, x;

  for (; taps >= TALL && row + TALL <= count; row += TALL)
    for (x = 0; x < FX_COLUMN; x += WIDE)
      convolve_tile (in + row, weights, taps, TALL, x, out + row);
  for (; row < count; row++)
    for (x = 0; x < FX_COLUMN; x += WIDE)
      convolve_tile (in + row, weights, taps, 1, x, out + row);
}

FX_VECTORISED static gboolean
are_finite (const float *x, gsize n)
{
  guint32 other = 0;
  gsize i;

  for (i = 0; i < n; i++)
    other |= ! (fabsf (x[i]) <= FLT_MAX);
  return ! other;
}

void
fx_rows_mend (const float *in, gsize stride, int taps, gsize n, float *out)
{
  gsize i;
  int k;

  if (are_finite (out, n))
    return;
  for (i = 0; i < n; i++)
    {
      float sum = 0.0f;

      if (fabsf (out[i]) <= FLT_MAX)
        continue;
      for (k = 0; k < taps; k++)
        if (! (fabsf (in[i + k * stride]) <= FLT_MAX))
          sum += in[i + k * stride];
      if (sum != 0.0f) /* otherwise finite samples overflowed */
        out[i] = sum;
    }
}

FX_VECTORISED void
fx_row_accumulate (const float *row, float weight, gsize n, float *out)
{
  gsize i;

  for (i = 0; i < n; i++)
    out[i] += weight * row[i];
}
