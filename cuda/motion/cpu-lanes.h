/* The mean along a path by vectors of LANES floats, with TARGET and NAME as in image/fir-lanes.h. A
 * sample's left and right pixels are PIXEL floats each, in one vector or in two. */

typedef float NAME (Vector)
  __attribute__ ((vector_size (LANES * sizeof (float)), aligned (4), may_alias));

typedef int NAME (Integers)
  __attribute__ ((vector_size (LANES * sizeof (int)), aligned (4), may_alias));

TARGET static FX_INLINE
NAME (Integers) NAME (round_down) (NAME (Vector) x)
{
  NAME (Integers) whole = __builtin_convertvector(x, NAME (Integers));

  return whole + (__builtin_convertvector(whole, NAME (Vector)) > x); /* true is -1 */
}

/* weight is that of the middle, and rise the difference of neighbours' weights. */
TARGET static FX_INLINE void
NAME (find_part) (const MotionField *field, const MotionSteps *steps, const Walk *walk, int column,
                  int row, float weight, float rise, Part *part)
{
  double whole_x = floor (walk->offset_x), whole_y = floor (walk->offset_y);
  float x = (float) (walk->offset_x - whole_x), y = (float) (walk->offset_y - whole_y);
  float at_x = (float) walk->at_x, at_y = (float) walk->at_y;
  int i;

  part->column = column + (int) whole_x;
  part->row = row + (int) whole_y;
#pragma GCC unroll 2
  for (i = 0; i < MOTION_PART; i += LANES)
    {
      NAME (Vector) along = *(const NAME (Vector) *) (steps->along + i);
      NAME (Vector) across = *(const NAME (Vector) *) (steps->across + i);
      NAME (Vector) weights = weight + rise * *(const NAME (Vector) *) (places + i);
      NAME (Vector) to_x = x + (at_x * along - at_y * across);
      NAME (Vector) to_y = y + (at_y * along + at_x * across);
      NAME (Integers) columns = NAME (round_down) (to_x), rows = NAME (round_down) (to_y);
      NAME (Vector) right = weights * (to_x - __builtin_convertvector(columns, NAME (Vector)));

      *(NAME (Vector) *) (part->right + i) = right;
      *(NAME (Vector) *) (part->left + i) = weights - right;
      *(NAME (Vector) *) (part->down + i) = to_y - __builtin_convertvector(rows, NAME (Vector));
      *(NAME (Integers) *) (part->x + i) = columns;
      *(NAME (Integers) *) (part->y + i) = rows;
      *(NAME (Integers) *) (part->place + i) = columns + rows * field->width;
    }
}

/* Adds samples of 4 floats that lie inside the field. */
TARGET static FX_INLINE void
NAME (add_pixels) (const float *middle, gsize pitch, const Part *part, int count, float *sums)
{
  NAME (Vector) sum[2 * PIXEL / LANES] = { 0 };
  int i, p;

  for (i = 0; i < count; i++)
    {
      const float *place = middle + (gssize) part->place[i] * PIXEL;
      float left = part->left[i], right = part->right[i];

#pragma GCC unroll 2
      for (p = 0; p < 2 * PIXEL / LANES; p++)
        {
          NAME (Vector) upper = *(const NAME (Vector) *) (place + p * LANES);
          NAME (Vector) lower = *(const NAME (Vector) *) (place + pitch + p * LANES);
#if LANES == 8
          NAME (Vector) weight = { left, left, left, left, right, right, right, right };
#else
          float weight = p ? right : left;
#endif

          sum[p] += weight * (upper + part->down[i] * (lower - upper));
        }
    }
  memcpy (sums, sum, sizeof sum);
}

/* Adds samples of fewer floats. */
TARGET static FX_INLINE void
NAME (add_samples) (const float *middle, gsize pitch, int step, const Part *part, int count,
                    float *sums)
{
  int i, c;

  for (i = 0; i < count; i++)
    {
      const float *place = middle + (gssize) part->place[i] * step;

      for (c = 0; c < step; c++)
        {
          float left = place[c] + part->down[i] * (place[pitch + c] - place[c]);
          float right = place[step + c] +
                        part->down[i] * (place[pitch + step + c] - place[step + c]);

          sums[c] += part->left[i] * left + part->right[i] * right;
        }
    }
}

/* Computes a pixel; careful: all of its samples with care. The parts' sums are added with the
 * rounding errors of their sum, which would otherwise show after some thousand of them. */
TARGET static FX_INLINE void
NAME (sum_path) (const MotionField *field, const MotionSteps *steps, int x, int y, gboolean careful,
                 float *pixel)
{
  float fade = (float) field->path.fade, rise = 2.0f * fade / (float) steps->n;
  float total[2 * PIXEL] = { 0 }, lost[2 * PIXEL] = { 0 };
  Walk walk = begin_walk (&field->path, steps, x, y);
  int column = x - field->strip->source_x0, row = y - field->strip->source_y0, first, c;
  gsize pitch = (gsize) field->width * field->step;

  for (first = 0; first < steps->n; first += MOTION_PART)
    {
      int count = MIN (MOTION_PART, steps->n - first);
      float weight = 1.0f - fade + rise * ((float) first + MOTION_PART / 2.0f);
      float sum[2 * PIXEL] = { 0 };
      const float *middle;
      Part part;

      NAME (find_part) (field, steps, &walk, column, row, weight, rise, &part);
      middle = field->pixels + part.row * (gssize) pitch + part.column * field->step;
      if (careful || ! is_inside (field, &part))
        add_with_care (field, &part, count, sum);
      else if (field->step == PIXEL && count == MOTION_PART)
        NAME (add_pixels) (middle, pitch, &part, MOTION_PART, sum);
      else if (field->step == PIXEL)
        NAME (add_pixels) (middle, pitch, &part, count, sum);
      else
        NAME (add_samples) (middle, pitch, field->step, &part, count, sum);
      for (c = 0; c < 2 * PIXEL; c++)
        {
          float added = sum[c] - lost[c], more = total[c] + added;

          lost[c] = (more - total[c]) - added;
          total[c] = more;
        }
      step (&field->path, steps, &walk);
    }
  for (c = 0; c < field->step; c++)
    pixel[c] = (total[c] + total[PIXEL + c]) / (float) steps->n;
}

TARGET static void
NAME (filter_pixel) (const MotionField *field, const MotionSteps *steps, int x, int y, float *pixel)
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
