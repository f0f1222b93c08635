/* Sums over windows by vectors of LANES pixels side by side. This file is compiled once for each
 * kind of vector unit: the compiler would not cut vectors that are larger than the unit's into
 * such, but compute each float by itself. */
#include "cpu-lanes.h"

#include "lanes.h"

typedef unsigned Words __attribute__ ((vector_size (LANES * sizeof (int)), aligned (4), may_alias));

/* Returns x where mask is set, else 0. */
static FX_INLINE Vector
keep (Vector x, Integers mask)
{
  return (Vector) ((Integers) x & mask);
}

static FX_INLINE Vector
absolute (Vector x)
{
  return (Vector) ((Integers) x & 0x7fffffff);
}

/* Returns where two vectors differ by little. */
static FX_INLINE Integers
compare (const SelectiveWindow *window, Comparison comparison, Vector x, Vector centre)
{
  if (comparison == HARD_WORDS)
    {
      Words a = (Words) x, b = (Words) centre;
      Words below = (Words) (a < b); /* -1: the difference is negative */

      return ((a - b) ^ below) - below <= window->delta_u32;
    }
  return absolute (x - centre) <= window->delta;
}

/* Adds a row's part of the windows of LANES pixels to sums; place is the first window's first
 * pixel, and centre the first window's middle, in their rows. The parts of a row are summed by
 * themselves, so that rounding errors stay small. */
static FX_INLINE void
sum_row (const SelectiveLayout *layout, const float *place, const float *centre, float row_weight,
         Comparison comparison, int colors, gboolean compares_others,
         float (*sums)[SELECTIVE_BLOCK])
{
  const SelectiveWindow *window = &layout->plan->window;
  gsize pitch = layout->pitch;
  const float *compared = place + layout->compared * pitch;
  const float *weights = place + layout->weights * pitch;
  Vector middle[COLORS_MAX], sum[COLORS_MAX] = { 0 }, all[COLORS_MAX] = { 0 };
  int radius = window->radius;

#pragma GCC unroll 3
  for (int c = 0; c < colors; c++)
    middle[c] = load (centre + (layout->compared + c) * pitch);
  for (int k = -radius; k <= radius; k++, place++, compared++, weights++)
    {
      Vector weight = window->weights[ABS (k)] * load (weights), off[COLORS_MAX];
      Vector square = { 0 };

#pragma GCC unroll 3
      for (int c = 0; c < colors; c++)
        {
          off[c] = load (compared + c * pitch) - middle[c];
          square -= off[c] * off[c];
        }
      if (comparison == SOFT)
        weight *= keep (get_power (square), square > -126.0f);
#pragma GCC unroll 3
      for (int c = 0; c < colors; c++)
        {
          Vector value = compares_others ? load (place + c * pitch) : off[c];

          if (comparison == SOFT)
            {
              sum[c] += weight * value;
              all[c] += weight;
            }
          else
            {
              Integers in = compare (window, comparison, load (compared + c * pitch), middle[c]);

              sum[c] += weight * keep (value, in);
              all[c] += keep (weight, in);
            }
        }
    }
#pragma GCC unroll 3
  for (int c = 0; c < colors; c++)
    {
      *(Vector *) sums[c] += row_weight * sum[c];
      *(Vector *) sums[colors + c] += row_weight * all[c];
    }
}

static FX_INLINE void
sum_rows (const SelectiveLayout *layout, const float *const *rows, int column,
          Comparison comparison, int colors, gboolean compares_others,
          float (*sums)[SELECTIVE_BLOCK])
{
  const SelectiveWindow *window = &layout->plan->window;
  int radius = window->radius;

  for (int j = 0; j <= 2 * radius; j++)
    for (int i = 0; i < SELECTIVE_BLOCK && rows[j]; i += LANES)
      sum_row (layout, rows[j] + column + i, rows[radius] + column + radius + i,
               window->weights[ABS (j - radius)], comparison, colors, compares_others,
               (float (*)[SELECTIVE_BLOCK]) (sums[0] + i));
}

/* Each combination is compiled by itself. Words are compared, and floats averaged. */
static FX_INLINE void
sum_colors (const SelectiveLayout *layout, const float *const *rows, int column,
            Comparison comparison, int colors, float (*sums)[SELECTIVE_BLOCK])
{
  gboolean compares_others = layout->plan->compares_others;

  if (comparison == HARD_WORDS)
    sum_rows (layout, rows, column, HARD_WORDS, colors, TRUE, sums);
  else if (comparison == HARD_FLOATS && compares_others)
    sum_rows (layout, rows, column, HARD_FLOATS, colors, TRUE, sums);
  else if (comparison == HARD_FLOATS)
    sum_rows (layout, rows, column, HARD_FLOATS, colors, FALSE, sums);
  else if (compares_others)
    sum_rows (layout, rows, column, SOFT, colors, TRUE, sums);
  else
    sum_rows (layout, rows, column, SOFT, colors, FALSE, sums);
}

void
FOR_UNIT (selective_sum) (const SelectiveLayout *layout, const float *const *rows, int column,
                          Comparison comparison, float (*sums)[SELECTIVE_BLOCK])
{
  if (layout->colors == 1)
    sum_colors (layout, rows, column, comparison, 1, sums);
  else
    sum_colors (layout, rows, column, comparison, COLORS_MAX, sums);
}
