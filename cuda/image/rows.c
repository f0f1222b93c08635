#include "rows.h"

#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define BLOCK 64  /* floats processed at a time: a few vector registers */
#define SLAB  128 /* taps summed separately, which bounds the rounding error of long kernels */

FX_VECTORISED void
fx_rows_combine (const float *const *rows, const float *weights, int taps, gsize n, float *out)
{
  for (gsize x = 0; x < n; x += BLOCK)
    {
      float total[BLOCK] = { 0 };

      for (int first = 0; first < taps; first += SLAB)
        {
          int end = MIN (first + SLAB, taps);
          float sum[BLOCK] = { 0 };

          for (int k = first; k < end; k++)
            {
              const float *row = rows[k] + x;

              for (int i = 0; i < BLOCK; i++)
                sum[i] += weights[k] * row[i];
            }
          for (int i = 0; i < BLOCK; i++)
            total[i] += sum[i];
        }
      memcpy (out + x, total, sizeof total);
    }
}

FX_VECTORISED static gboolean
are_finite (const float *x, gsize n)
{
  guint32 other = 0;

  for (gsize i = 0; i < n; i++)
    other |= ! (fabsf (x[i]) <= FLT_MAX);
  return ! other;
}

void
fx_rows_restore_infinities (const float *in, gsize stride, int taps, gsize n, float *out)
{
  if (are_finite (out, n))
    return;
  for (gsize i = 0; i < n; i++)
    {
      float sum = 0.0f;

      if (fabsf (out[i]) <= FLT_MAX)
        continue;
      for (int k = 0; k < taps; k++)
        if (! (fabsf (in[i + k * stride]) <= FLT_MAX))
          sum += in[i + k * stride];
      if (sum != 0.0f) /* otherwise finite samples overflowed */
        out[i] = sum;
    }
}

FX_VECTORISED void
fx_row_accumulate (const float *row, float weight, gsize n, float *out)
{
  for (gsize i = 0; i < n; i++)
    out[i] += weight * row[i];
}
