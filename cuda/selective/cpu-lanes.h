/* Sums over windows by vectors of LANES pixels side by side, with TARGET and NAME as in
 * image/fir-lanes.h. */

typedef float NAME (Vector)
  __attribute__ ((vector_size (LANES * sizeof (float)), aligned (4), may_alias));

typedef int NAME (Integers)
  __attribute__ ((vector_size (LANES * sizeof (int)), aligned (4), may_alias));

typedef unsigned NAME (Words)
  __attribute__ ((vector_size (LANES * sizeof (int)), aligned (4), may_alias));

TARGET static FX_INLINE
NAME (Vector) NAME (load) (const float *place)
{
  return *(const NAME (Vector) *) place;
}

/* Returns x where mask is set, else 0. */
TARGET static FX_INLINE
NAME (Vector) NAME (mask) (NAME (Vector) x, NAME (Integers) mask)
{
  return (NAME (Vector)) ((NAME (Integers)) x & mask);
}

TARGET static FX_INLINE
NAME (Vector) NAME (absolute) (NAME (Vector) x)
{
  return (NAME (Vector)) ((NAME (Integers)) x & 0x7fffffff);
}

/* Returns 2^x for x up to 0, and 0 below 2^-126: Taylor's series, whose error is 1.2e-7. */
TARGET static FX_INLINE
NAME (Vector) NAME (raise) (NAME (Vector) x)
{
  NAME (Integers) whole = __builtin_convertvector(x - 0.5f, NAME (Integers));
  NAME (Vector) part = x - __builtin_convertvector(whole, NAME (Vector));
  NAME (Vector) power = 1.540353e-4f * part + 1.333356e-3f;

  power = power * part + 9.618129e-3f;
  power = power * part + 5.550411e-2f;
  power = power * part + 2.402265e-1f;
  power = power * part + 6.931472e-1f;
  power = power * part + 1.0f;
  return NAME (mask) (power * (NAME (Vector)) ((whole + 127) << 23), x > -126.0f);
}

/* Returns where two vectors differ by little. */
TARGET static FX_INLINE
NAME (Integers) NAME (compare) (const SelectiveWindow *window, Comparison comparison,
                                NAME (Vector) x, NAME (Vector) centre)
{
  if (comparison == HARD_WORDS)
    {
      NAME (Words) a = (NAME (Words)) x, b = (NAME (Words)) centre;
      NAME (Words) below = (NAME (Words)) (a < b); /* -1: the difference is negative */

      return ((a - b) ^ below) - below <= window->delta_u32;
    }
  return NAME (absolute) (x - centre) <= window->delta;
}

/* Adds a row's part of the windows of LANES pixels to sums; place is the first window's first
 * pixel, and centre the first window's middle, in their rows. The parts of a row are summed by
 * themselves, so that rounding errors stay small. */
TARGET static FX_INLINE void
NAME (sum_row) (const SelectiveLayout *layout, const float *place, const float *centre,
                float row_weight, Comparison comparison, int colors, gboolean compares_others,
                float (*sums)[SELECTIVE_BLOCK])
{
  const SelectiveWindow *window = &layout->plan->window;
  gsize pitch = layout->pitch;
  const float *compared = place + layout->compared * pitch;
  const float *weights = place + layout->weights * pitch;
  NAME (Vector) middle[COLORS_MAX], sum[COLORS_MAX] = { 0 }, all[COLORS_MAX] = { 0 };
  int radius = window->radius, k, c;

#pragma GCC unroll 3
  for (c = 0; c < colors; c++)
    middle[c] = NAME (load) (centre + (layout->compared + c) * pitch);
  for (k = -radius; k <= radius; k++, place++, compared++, weights++)
    {
      NAME (Vector) weight = window->weights[ABS (k)] * NAME (load) (weights), off[COLORS_MAX];
      NAME (Vector) square = { 0 };

#pragma GCC unroll 3
      for (c = 0; c < colors; c++)
        {
          off[c] = NAME (load) (compared + c * pitch) - middle[c];
          square -= off[c] * off[c];
        }
      if (comparison == SOFT)
        weight *= NAME (raise) (square);
#pragma GCC unroll 3
      for (c = 0; c < colors; c++)
        {
          NAME (Vector) value = compares_others ? NAME (load) (place + c * pitch) : off[c];

          if (comparison == SOFT)
            {
              sum[c] += weight * value;
              all[c] += weight;
            }
          else
            {
              NAME (Integers)
              in = NAME (compare) (window, comparison, NAME (load) (compared + c * pitch),
                                   middle[c]);

              sum[c] += weight * NAME (mask) (value, in);
              all[c] += NAME (mask) (weight, in);
            }
        }
    }
#pragma GCC unroll 3
  for (c = 0; c < colors; c++)
    {
      *(NAME (Vector) *) sums[c] += row_weight * sum[c];
      *(NAME (Vector) *) sums[colors + c] += row_weight * all[c];
    }
}

TARGET static FX_INLINE void
NAME (sum_rows) (const SelectiveLayout *layout, const float *const *rows, int column,
                 Comparison comparison, int colors, gboolean compares_others,
                 float (*sums)[SELECTIVE_BLOCK])
{
  const SelectiveWindow *window = &layout->plan->window;
  int radius = window->radius, j, i;

  for (j = 0; j <= 2 * radius; j++)
    for (i = 0; i < SELECTIVE_BLOCK && rows[j]; i += LANES)
      NAME (sum_row)
  (layout, rows[j] + column + i, rows[radius] + column + radius + i,
   window->weights[ABS (j - radius)], comparison, colors, compares_others,
   (float (*)[SELECTIVE_BLOCK]) (sums[0] + i));
}

/* Each combination is compiled by itself. Words are compared, and floats averaged. */
TARGET static FX_INLINE void
NAME (sum_colors) (const SelectiveLayout *layout, const float *const *rows, int column,
                   Comparison comparison, int colors, float (*sums)[SELECTIVE_BLOCK])
{
  gboolean compares_others = layout->plan->compares_others;

  if (comparison == HARD_WORDS)
    NAME (sum_rows) (layout, rows, column, HARD_WORDS, colors, TRUE, sums);
  else if (comparison == HARD_FLOATS && compares_others)
    NAME (sum_rows) (layout, rows, column, HARD_FLOATS, colors, TRUE, sums);
  else if (comparison == HARD_FLOATS)
    NAME (sum_rows) (layout, rows, column, HARD_FLOATS, colors, FALSE, sums);
  else if (compares_others)
    NAME (sum_rows) (layout, rows, column, SOFT, colors, TRUE, sums);
  else
    NAME (sum_rows) (layout, rows, column, SOFT, colors, FALSE, sums);
}

TARGET static void
NAME (sum) (const SelectiveLayout *layout, const float *const *rows, int column,
            Comparison comparison, float (*sums)[SELECTIVE_BLOCK])
{
  if (layout->colors == 1)
    NAME (sum_colors) (layout, rows, column, comparison, 1, sums);
  else
    NAME (sum_colors) (layout, rows, column, comparison, COLORS_MAX, sums);
}

#undef LANES
#undef TARGET
#undef NAME
