/* Sums of cells by vectors of LANES floats. This file is compiled once for each kind of vector
 * unit. */
#include "cpu-lanes.h"

#include "kernels/focus-args.h"
#include "lanes.h"

#include <math.h>
#include <string.h>

#define TAPS  64 /* the most along an axis, in whole vectors */
#define GROUP 4  /* sums that share their weights */
#define PARTS 2  /* vectors of the largest cell */

G_STATIC_ASSERT (FOCUS_STEP_MAX <= PARTS * LANES);

static FX_INLINE void
store (Vector x, float *place)
{
  *(Vector *) place = x;
}

/* Adds up the floats of a cell that lie in several cells side by side. */
static FX_INLINE void
fold (const Vector *parts, int n, int step, float *cell)
{
  float floats[PARTS * LANES];

  for (int p = 0; p < n; p++)
    store (parts[p], floats + p * LANES);
  for (int width = n * LANES / 2; width >= step; width /= 2)
    for (int i = 0; i < width; i++)
      floats[i] += floats[i + width];
  memcpy (cell, floats, step * sizeof *cell);
}

/* A cell beyond those that are summed, with the weight 0, may be infinite, which makes the sum NaN.
 * Sums that are not finite are made again with care: such a cell then counts as 0, and all others
 * as before, in the same order. So a finite sum does not depend on what lies beyond. */

static FX_INLINE gboolean
is_finite (const float *cell, int step)
{
  float all = 0.0f;

  for (int s = 0; s < step; s++)
    all += 0.0f * cell[s];
  return all == 0.0f;
}

static FX_INLINE Vector
load_cells (const float *place, Vector weight, gboolean care)
{
  Vector cells = load (place);

  return care ? (Vector) ((Integers) cells & (weight != (Vector) { 0 })) : cells;
}

/* Sums GROUP rows of cells with the same weights; n: the vectors of a cell, at least 1. */
static FX_INLINE void
sum_group (const float *const *places, const float *wide, int count, int n, gboolean care,
           Vector (*sums)[PARTS])
{
  for (int g = 0; g < GROUP; g++)
    for (int p = 0; p < n; p++)
      sums[g][p] = (Vector) { 0 };
  for (int i = 0; i < count; i += n * LANES)
#pragma GCC unroll 2
    for (int p = 0; p < n; p++)
      {
        Vector weight = load (wide + i + p * LANES);

#pragma GCC unroll 4
        for (int g = 0; g < GROUP; g++)
          sums[g][p] += weight * load_cells (places[g] + i + p * LANES, weight, care);
      }
}

/* Decimation. */

/* Makes n cells, at most GROUP. Returns whether they are finite. */
static FX_INLINE gboolean
decimate_group (const float *in, int step, gsize distance, const float *wide, int count, int n,
                gboolean care, float *out)
{
  const int vectors = MAX (1, step / LANES);
  const float *places[GROUP];
  Vector sums[GROUP][PARTS];

  for (int g = 0; g < GROUP; g++)
    places[g] = in + MIN (g, n - 1) * distance;
  sum_group (places, wide, count, vectors, care, sums);
  for (int g = 0; g < n; g++)
    fold (sums[g], vectors, step, out + g * step);
  return is_finite (out, n * step);
}

static G_GNUC_NO_INLINE void
decimate_with_care (const float *in, int step, gsize distance, const float *wide, int count, int n,
                    float *out)
{
  decimate_group (in, step, distance, wide, count, n, TRUE, out);
}

static FX_INLINE void
decimate (const float *in, int step, gsize distance, const float *wide, int count, int n,
          float *out)
{
  for (int i = 0; i < n; i += GROUP, in += GROUP * distance, out += GROUP * step)
    {
      int some = MIN (n - i, GROUP);

      if (! decimate_group (in, step, distance, wide, count, some, FALSE, out))
        decimate_with_care (in, step, distance, wide, count, some, out);
    }
}

void
FOR_UNIT (focus_decimate) (const float *in, int step, gsize distance, const float *wide, int count,
                           int n, float *out)
{
  if (step == 1)
    decimate (in, 1, distance, wide, count, n, out);
  else if (step == 2)
    decimate (in, 2, distance, wide, count, n, out);
  else if (step == 4)
    decimate (in, 4, distance, wide, count, n, out);
  else
    decimate (in, 8, distance, wide, count, n, out);
}

/* A pixel. */

/* The cells that a pixel sums along an axis. */
typedef struct {
  int first, n;
  float sum; /* of the weights */
  float weights[TAPS];
} Taps;

/* Sets the taps of a pixel's place; sigma and reach are in cells. The taps behind the last one have
 * the weight 0. */
static FX_INLINE void
set_taps (int place, int factor, float inverse, float sigma, float reach, Taps *taps)
{
  int cell = fx_floor_div (place, factor);
  float part = (float) (place - cell * factor) * inverse;
  float from = ceilf (part - reach), last = floorf (part + reach);
  float scale = (float) (-0.5 * M_LOG2E) / (sigma * sigma);
  Vector sum = { 0 }, at, end = last - from + (Vector) { 0 };
  float lanes[LANES];

  for (int i = 0; i < LANES; i++)
    lanes[i] = (float) i;
  at = load (lanes);
  taps->first = cell + (int) from;
  taps->n = (int) (last - from) + 1;
  for (int i = 0; i < taps->n; i += LANES, at += LANES)
    {
      Vector away = at + (from - part);
      Vector weights = get_power (away * away * scale);

      weights = (Vector) ((Integers) weights & (at <= end));
      store (weights, taps->weights + i);
      sum += weights;
    }
  fold (&sum, 1, 1, &taps->sum);
}

/* Returns whether the pixel is finite. */
static FX_INLINE gboolean
sum_pixel (const FocusSource *source, const Taps *x, const Taps *y, int step, gboolean care,
           float *pixel)
{
  const int vectors = MAX (1, step / LANES);
  float wide[FOCUS_WIDE_SIZE], scale = 1.0f / (x->sum * y->sum);
  int count = focus_widen (x->weights, x->n, step, wide);
  int slot = (y->first - source->rows_first) % source->ring;
  const float *cells = source->cells + (gssize) x->first * step;
  Vector total[PARTS] = { { 0 } };

  for (int j = 0; j < y->n; j += GROUP)
    {
      const float *places[GROUP];
      Vector sums[GROUP][PARTS];
      float weights[GROUP];

      for (int g = 0; g < GROUP; g++)
        {
          places[g] = cells + slot * source->pitch;
          weights[g] = j + g < y->n ? y->weights[j + g] * scale : 0.0f;
          if (j + g < y->n - 1 && ++slot == source->ring)
            slot = 0;
        }
      sum_group (places, wide, count, vectors, care, sums);
      for (int g = 0; g < GROUP; g++)
        for (int p = 0; p < vectors; p++)
          if (! care || j + g < y->n)
            total[p] += weights[g] * sums[g][p];
    }
  fold (total, vectors, step, pixel);
  return is_finite (pixel, step);
}

static G_GNUC_NO_INLINE void
sum_pixel_with_care (const FocusSource *source, const Taps *x, const Taps *y, int step,
                     float *pixel)
{
  sum_pixel (source, x, y, step, TRUE, pixel);
}

static FX_INLINE void
gather (const FocusSource *source, const Taps *x, const Taps *y, int step, float *pixel)
{
  if (! sum_pixel (source, x, y, step, FALSE, pixel))
    sum_pixel_with_care (source, x, y, step, pixel);
}

void
FOR_UNIT (focus_gather) (const FocusSource *source, int x, int y, float sigma, float *pixel)
{
  float inverse = 1.0f / (float) source->factor, rest = sigma * inverse, reach;
  Taps across, down;

  if (source->factor > 1)
    {
      rest = sqrtf (rest * rest - source->c * source->c);
      reach = source->cut * rest;
    }
  else
    reach = MIN (ceilf (source->cut * rest), floorf (FOCUS_REACH_MAX * rest));
  set_taps (x, source->factor, inverse, rest, reach, &across);
  set_taps (y, source->factor, inverse, rest, reach, &down);
  if (source->step == 1)
    gather (source, &across, &down, 1, pixel);
  else if (source->step == 2)
    gather (source, &across, &down, 2, pixel);
  else if (source->step == 4)
    gather (source, &across, &down, 4, pixel);
  else
    gather (source, &across, &down, 8, pixel);
}
