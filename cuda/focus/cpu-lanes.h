/* Sums of cells, by each kind of vector unit. A cell has step floats: 1, 2, 4 or 8. */
#pragma once

#include "rect.h"
#include "vector.h"

#define FOCUS_STEP_MAX  8
#define FOCUS_SLACK     64                    /* floats behind a row that may be read */
#define FOCUS_WIDE_SIZE (64 * FOCUS_STEP_MAX) /* floats of the most weights of a sum */

/* Fills wide with n weights, each as often as a cell has floats, and zeros up to a multiple of 16
 * floats. Returns that. */
static FX_INLINE int
focus_widen (const float *weights, int n, int step, float *wide)
{
  int count = (int) fx_round_up ((gsize) n * step, 16);

  for (int i = 0; i < n; i++)
    for (int s = 0; s < step; s++)
      wide[i * step + s] = weights[i];
  for (int i = n * step; i < count; i++)
    wide[i] = 0.0f;
  return count;
}

/* Sums cells of a row: out's cell n is the sum of wide times the floats from in + n distance on.
 * wide has count floats: the weights of cells, as focus_widen has them. */
typedef void FocusDecimate (const float *in, int step, gsize distance, const float *wide, int count,
                            int n, float *out);

FocusDecimate focus_decimate_plain, focus_decimate_avx2, focus_decimate_avx512;

/* The cells that a pixel sums: those of rows first_row on, in a ring. */
typedef struct {
  const float *cells; /* the ring's first row, at column 0 */
  gsize pitch;
  int ring;
  int rows_first; /* the row at slot 0 of the ring, the first time */
  int factor, step;
  float c, cut;
} FocusSource;

/* Computes the sum of a pixel of the image, step floats. */
typedef void FocusGather (const FocusSource *source, int x, int y, float sigma, float *pixel);

FocusGather focus_gather_plain, focus_gather_avx2, focus_gather_avx512;
