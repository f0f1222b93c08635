#include "rows.h"

#include "vector.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define BLOCK 64  /* floats processed at a time: a few vector registers */
#define SLAB  128 /* taps summed separately, which bounds the rounding error of long kernels */

/* A tile of the result of a FIR: the sums of two vectors of HALF samples, at up to TALL places,
 * which fit into registers and are enough to hide the latency of an addition. */
#define TALL 4
#define HALF 16

typedef float Vector __attribute__ ((vector_size (HALF * sizeof (float)), aligned (4), may_alias));

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

/* A tile: place j of the result is at out + j * pitch, and takes its first sample share * j taps
 * after place 0. Neighbouring taps are stride floats apart. The second half of each place is gap
 * floats after the first in the source, and out_gap in the result. */
typedef struct {
  const float *in;
  gsize stride, gap;
  const float *weights;
  int taps;
  float *out;
  gsize pitch, out_gap;
} Tile;

/* Adds tap k of place 0 to the sums of places first to end - 1. */
static FX_INLINE void
tile_add (const Tile *tile, int k, int share, int first, int end, Vector (*sum)[2])
{
  const float *in = tile->in + k * tile->stride;
  Vector a = *(const Vector *) in, b = *(const Vector *) (in + tile->gap);
  int j;

#pragma GCC unroll 4
  for (j = first; j < end; j++)
    {
      float weight = tile->weights[k - share * j];

      sum[j][0] += weight * a;
      sum[j][1] += weight * b;
    }
}

/* Computes a tile of tall places. Each sample is loaded once for all its sums, which are kept in
 * registers. The first and the last share * (tall - 1) samples contribute only to some of them;
 * taps must be more than these. */
static FX_INLINE void
convolve_tile (const Tile *tile, int tall, int share)
{
  Vector total[TALL][2] = { 0 };
  int all = share * (tall - 1), taps = tile->taps;
  int first, g, k, j;

#pragma GCC unroll 4
  for (g = 0; g < tall - 1; g++)
    for (k = share * g; k < share * (g + 1); k++)
      tile_add (tile, k, share, 0, g + 1, total);
  for (first = all; first < taps; first += SLAB)
    {
      int end = MIN (first + SLAB, taps);
      Vector sum[TALL][2] = { 0 };

      for (k = first; k < end; k++)
        tile_add (tile, k, share, 0, tall, sum);
#pragma GCC unroll 4
      for (j = 0; j < tall; j++)
        {
          total[j][0] += sum[j][0];
          total[j][1] += sum[j][1];
        }
    }
#pragma GCC unroll 4
  for (g = 0; g < tall - 1; g++)
    for (k = taps + share * g; k < taps + share * (g + 1); k++)
      tile_add (tile, k, share, g + 1, tall, total);
#pragma GCC unroll 4
  for (j = 0; j < tall; j++)
    {
      *(Vector *) (tile->out + j * tile->pitch) = total[j][0];
      *(Vector *) (tile->out + j * tile->pitch + tile->out_gap) = total[j][1];
    }
}

FX_VECTORISED void
fx_column_convolve (const float (*in)[FX_COLUMN], const float *weights, int taps, int count,
                    float *out, gsize pitch)
{
  int row, x;

  for (x = 0; x < FX_COLUMN; x += 2 * HALF)
    for (row = 0; row < count; row++)
      {
        const Tile tile = { in[row] + x,           FX_COLUMN, HALF, weights, taps,
                            out + row * pitch + x, pitch,     HALF };

        if (taps >= TALL && row + TALL <= count)
          {
            convolve_tile (&tile, TALL, 1);
            row += TALL - 1;
          }
        else
          convolve_tile (&tile, 1, 1);
      }
}

/* Computes two blocks of a row, whose places are HALF samples apart, with share * step = HALF. */
static FX_INLINE void
convolve_blocks (const Tile *tile, int share)
{
  Tile part = *tile;
  int tall = tile->taps > 3 * share ? 4 : tile->taps > share ? 2 : 1;
  int j;

  for (j = 0; j < FX_COLUMN / HALF; j += tall)
    {
      part.in = tile->in + j * HALF;
      part.out = tile->out + j * HALF;
      if (tall == 4)
        convolve_tile (&part, 4, share);
      else if (tall == 2)
        convolve_tile (&part, 2, share);
      else
        convolve_tile (&part, 1, share);
    }
}

FX_VECTORISED void
fx_row_convolve (const float *in, int step, const float *weights, int taps, gsize n, float *out,
                 gsize pitch)
{
  gsize x;

  for (x = 0; x < n; x += 2 * FX_COLUMN)
    {
      const Tile tile = { in + x, step, FX_COLUMN, weights, taps, out + x / FX_COLUMN * pitch,
                          HALF,   pitch };

      if (step == 4)
        convolve_blocks (&tile, HALF / 4);
      else if (step == 2)
        convolve_blocks (&tile, HALF / 2);
      else
        convolve_blocks (&tile, HALF);
    }
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
