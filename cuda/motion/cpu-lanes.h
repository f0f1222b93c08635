/* The mean along a path by vectors of LANES floats, with TARGET and NAME as in image/fir-lanes.h.
 */

typedef float NAME (Vector)
  __attribute__ ((vector_size (LANES * sizeof (float)), aligned (4), may_alias));

typedef int NAME (Integers)
  __attribute__ ((vector_size (LANES * sizeof (int)), aligned (4), may_alias));

/* Which elements shuffles take of two vectors, for every four in the same way. LOW, HIGH: the lower
 * or the higher two of both in turn. LOW_TWO, HIGH_TWO: those of the first, then of the second.
 * SPREAD: element i four times, and in the higher half of eight element i + 1. */
#if LANES == 8
#define LOW       0, 8, 1, 9, 4, 12, 5, 13
#define HIGH      2, 10, 3, 11, 6, 14, 7, 15
#define LOW_TWO   0, 1, 8, 9, 4, 5, 12, 13
#define HIGH_TWO  2, 3, 10, 11, 6, 7, 14, 15
#define SPREAD(i) i, i, i, i, 5 + i, 5 + i, 5 + i, 5 + i
#else
#define LOW      0, 4, 1, 5
#define HIGH     2, 6, 3, 7
#define LOW_TWO  0, 1, 4, 5
#define HIGH_TWO 2, 3, 6, 7
#endif
#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector (a, b, __VA_ARGS__)
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle (a, b, (NAME (Integers)) { __VA_ARGS__ })
#endif

/* Sets the weights of LANES samples from those of each of the four pixels. */
TARGET static FX_INLINE void
NAME (set_weights) (NAME (Vector) upper_left, NAME (Vector) upper_right, NAME (Vector) lower_left,
                    NAME (Vector) lower_right, float *weights)
{
  NAME (Vector) upper = SHUFFLE (upper_left, upper_right, LOW);
  NAME (Vector) lower = SHUFFLE (lower_left, lower_right, LOW);
  NAME (Vector) *out = (NAME (Vector) *) weights;

  out[0] = SHUFFLE (upper, lower, LOW_TWO);
  out[1] = SHUFFLE (upper, lower, HIGH_TWO);
  upper = SHUFFLE (upper_left, upper_right, HIGH);
  lower = SHUFFLE (lower_left, lower_right, HIGH);
  out[2] = SHUFFLE (upper, lower, LOW_TWO);
  out[3] = SHUFFLE (upper, lower, HIGH_TWO);
}

/* Returns the sample whose weights are the i-th ones. */
TARGET static FX_INLINE int
NAME (get_sample) (int i)
{
  return LANES == 8 ? i / 8 * 8 + i % 8 / 2 + i % 2 * 4 : i;
}

TARGET static FX_INLINE
NAME (Integers) NAME (limit) (NAME (Integers) x, int least, int most)
{
  x += (x < least) & (least - x);
  return x + ((x > most) & (most - x));
}

/* Finds the samples of a part. Those that it does not have get the weight 0, and lie on its path,
 * too. */
TARGET static FX_INLINE void
NAME (find_samples) (const MotionField *field, const Steps *steps, const Part *part,
                     Samples *samples)
{
  int i;

  for (i = 0; i < part->count; i += LANES)
    {
      NAME (Vector) along = *(const NAME (Vector) *) (steps->along + i);
      NAME (Vector) across = *(const NAME (Vector) *) (steps->across + i);
      NAME (Vector) number = *(const NAME (Vector) *) (numbers + i);
      NAME (Integers) counts = (NAME (Integers)) (number < (float) part->count);
      NAME (Vector) x = part->from_x + (part->at_x * along - part->at_y * across);
      NAME (Vector) y = part->from_y + (part->at_y * along + part->at_x * across);
      NAME (Vector) near_x = (x + LARGE) - LARGE, near_y = (y + LARGE) - LARGE;
      NAME (Integers) columns = __builtin_convertvector(near_x, NAME (Integers));
      NAME (Integers) rows = __builtin_convertvector(near_y, NAME (Integers));
      NAME (Vector) weight = part->weight + part->rise * number;
      NAME (Vector) down = y - near_y + 0.5f, left, right;

      weight = (NAME (Vector)) ((NAME (Integers)) weight & counts);
      right = weight * (x - near_x + 0.5f);
      left = weight - right;
      if (! part->inside)
        {
          columns = NAME (limit) (columns + part->x, -MOTION_BORDER - part->column,
                                  field->width - part->column);
          rows = NAME (limit) (rows + part->y, -MOTION_BORDER - part->row,
                               field->height - part->row);
        }
      *(NAME (Integers) *) (samples->places + i) = columns * field->step +
                                                   rows * (int) field->pitch;
      NAME (set_weights)
      (left - left * down, right - right * down, left * down, right * down, samples->weights[i]);
    }
}

/* Adds a sample of 4 floats to sums, which together are those of its four pixels. */
TARGET static FX_INLINE void
NAME (add_pixel) (const float *place, gsize pitch, const float *weights, NAME (Vector) * sums)
{
#if LANES == 8
  const NAME (Vector) *upper = (const NAME (Vector) *) place;
  const NAME (Vector) *lower = (const NAME (Vector) *) (place + pitch);
  NAME (Vector)
  twice = { weights[0], weights[1], weights[2], weights[3],
            weights[0], weights[1], weights[2], weights[3] };

  sums[0] += SHUFFLE (twice, twice, SPREAD (0)) * *upper;
  sums[1] += SHUFFLE (twice, twice, SPREAD (2)) * *lower;
#else
  int p;

#pragma GCC unroll 4
  for (p = 0; p < 4; p++)
    sums[p] += weights[p] * *(const NAME (Vector) *) (place + p % 2 * PIXEL + p / 2 * pitch);
#endif
}

/* Sums samples of 4 floats. pixels is the part's pixel. */
TARGET static FX_INLINE Quad
NAME (add_pixels) (const float *pixels, gsize pitch, const Samples *samples, int count)
{
  NAME (Vector) sums[4 * PIXEL / LANES] = { 0 };
  const Quad *sum = (const Quad *) sums;
  int first, i;

  for (first = 0; first < count; first += LANES)
#pragma GCC unroll 8
    for (i = first; i < first + LANES; i++)
      NAME (add_pixel)
  (pixels + samples->places[NAME (get_sample) (i)], pitch, samples->weights[i], sums);
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sums samples of fewer floats. */
TARGET static FX_INLINE Quad
NAME (add_floats) (const float *pixels, gsize pitch, int step, const Samples *samples, int count)
{
  int whole = (count + LANES - 1) / LANES * LANES, i, c;
  Quad sum = { 0 };

  for (i = 0; i < whole; i++)
    {
      const float *place = pixels + samples->places[NAME (get_sample) (i)];
      const float *weights = samples->weights[i];

      for (c = 0; c < step; c++, place++)
        sum[c] += weights[0] * place[0] + weights[1] * place[step] + weights[2] * place[pitch] +
                  weights[3] * place[pitch + step];
    }
  return sum;
}

TARGET static FX_INLINE Quad
NAME (sum_part) (const MotionField *field, const Steps *steps, const Part *part)
{
  const float *pixels = find_pixel (field, part->column, part->row);
  Samples samples;

  NAME (find_samples) (field, steps, part, &samples);
  if (field->step == PIXEL)
    return NAME (add_pixels) (pixels, field->pitch, &samples, part->count);
  return NAME (add_floats) (pixels, field->pitch, field->step, &samples, part->count);
}

/* Computes a pixel; careful: all of its samples with care. The parts' sums are added with the
 * rounding errors of their sum, which would otherwise show after some thousand of them. */
TARGET static FX_INLINE void
NAME (sum_path) (const MotionField *field, const Steps *steps, int x, int y, gboolean careful,
                 float *pixel)
{
  Walk walk = begin_walk (&field->path, steps, x, y);
  Quad total = { 0 }, lost = { 0 };
  int first, c;

  for (first = 0; first < steps->n; first += steps->part)
    {
      Part part = find_part (field, steps, &walk, x - field->strip->source_x0,
                             y - field->strip->source_y0, first);
      Quad sum = careful ? add_with_care (field, steps, &part)
                         : NAME (sum_part) (field, steps, &part);
      Quad added = sum - lost, more = total + added;

      lost = (more - total) - added;
      total = more;
      step (&field->path, steps, &walk);
    }
  for (c = 0; c < field->step; c++)
    pixel[c] = total[c] / (float) steps->n;
}

TARGET static void
NAME (filter_pixel) (const MotionField *field, const Steps *steps, int x, int y, float *pixel)
{
  float all = 0.0f;
  int c;

  NAME (sum_path) (field, steps, x, y, FALSE, pixel);
  for (c = 0; c < field->step; c++)
    all += fabsf (pixel[c]);
  if (! (all <= G_MAXFLOAT))
    NAME (sum_path) (field, steps, x, y, TRUE, pixel);
}

#undef LANES
#undef TARGET
#undef NAME
#undef LOW
#undef HIGH
#undef LOW_TWO
#undef HIGH_TWO
#undef SPREAD
#undef SHUFFLE
