#include "cpu-path.h"

#include "vector.h"

#include <math.h>
#include <string.h>

#define PART  16          /* samples between two middles, found in double precision */
#define PIXEL 4           /* floats, the most */
#define REACH (PART + 2)  /* pixels beside a part's middle that its samples read */
#define KEPT  64          /* steps that a block keeps: those of n samples at n % KEPT */
#define LARGE 12582912.0f /* 1.5 * 2^23: a sum with it is rounded to integers */

/* What the paths of n samples have in common. A place of a path, from the centre, is that of its
 * pixel times a complex number. */
typedef struct {
  int n;                   /* 0: not set */
  int part;                /* samples of a part, but the last one */
  double first_x, first_y; /* the number of the first part's middle; for a zoom, less 1 */
  double next_x, next_y;   /* a part's number times this is the next one's; a zoom adds it */
  float along[PART];       /* the numbers of the samples, from the part's middle and in its */
  float across[PART];      /* direction */
} Steps;

static void
set_steps (const MotionPath *path, int n, Steps *steps)
{
  const double turn = path->spin / n, share = path->factor / n;

  if (steps->n == n)
    return;
  steps->n = n;
  steps->part = MIN (n, PART);
  for (int i = 0; i < PART; i++)
    {
      double at = i - (steps->part - 1) / 2.0, half = sin (at * turn / 2.0);

      steps->along[i] = (float) (-2.0 * half * half - at * share);
      steps->across[i] = (float) sin (at * turn);
    }
  if (path->spin != 0.0)
    {
      double first = (steps->part * turn - path->spin) / 2.0;

      steps->first_x = cos (first);
      steps->first_y = sin (first);
      steps->next_x = cos (steps->part * turn);
      steps->next_y = sin (steps->part * turn);
      return;
    }
  steps->first_x = -steps->part / 2.0 * share;
  steps->next_x = -steps->part * share;
  steps->first_y = steps->next_y = 0.0;
}

/* A walk along a path. */
typedef struct {
  double from_x, from_y;     /* the pixel, from the centre */
  double at_x, at_y;         /* of a spin: the middle of the part, from the centre */
  double offset_x, offset_y; /* the same, from the pixel */
} Walk;

static Walk
begin_walk (const MotionPath *path, const Steps *steps, int x, int y)
{
  Walk walk = { .from_x = x + 0.5 - path->center_x, .from_y = y + 0.5 - path->center_y };

  walk.at_x = walk.from_x;
  walk.at_y = walk.from_y;
  walk.offset_x = steps->first_x * walk.from_x - steps->first_y * walk.from_y;
  walk.offset_y = steps->first_x * walk.from_y + steps->first_y * walk.from_x;
  if (path->spin == 0.0)
    return walk;
  walk.at_x = walk.offset_x;
  walk.at_y = walk.offset_y;
  walk.offset_x -= walk.from_x;
  walk.offset_y -= walk.from_y;
  return walk;
}

static FX_INLINE void
step (const MotionPath *path, const Steps *steps, Walk *walk)
{
  double x = walk->at_x, y = walk->at_y;

  if (path->spin == 0.0)
    {
      walk->offset_x += steps->next_x * walk->from_x;
      walk->offset_y += steps->next_x * walk->from_y;
      return;
    }
  walk->at_x = steps->next_x * x - steps->next_y * y;
  walk->at_y = steps->next_x * y + steps->next_y * x;
  walk->offset_x = walk->at_x - walk->from_x;
  walk->offset_y = walk->at_y - walk->from_y;
}

typedef float Quad __attribute__ ((vector_size (PIXEL * sizeof (float)), aligned (4), may_alias));

/* A part of a path. */
typedef struct {
  int column, row;      /* a pixel of the field, or one of those around it */
  int x, y;             /* the pixel at the upper left of the part's middle, from that one */
  gboolean inside;      /* so are all pixels that the samples read */
  float from_x, from_y; /* the middle from the middle between four pixels */
  float at_x, at_y;     /* from the centre */
  int count;            /* samples */
  float weight, rise;   /* of the first sample, and from one to the next */
} Part;

/* The samples of a part: places from the part's pixel, in floats; and the weights of the four
 * pixels, the upper left one first. */
typedef struct {
  int places[PART];
  float weights[4][PART];
} Samples;

/* x, y is a pixel of the source. */
static FX_INLINE Part
find_part (const MotionField *field, const Steps *steps, const Walk *walk, int x, int y, int first)
{
  double left = floor (walk->offset_x), top = floor (walk->offset_y);
  float fade = (float) field->path.fade, rise = 2.0f * fade / (float) steps->n;
  Part part = { .x = x + (int) left,
                .y = y + (int) top,
                .from_x = (float) (walk->offset_x - left - 0.5),
                .from_y = (float) (walk->offset_y - top - 0.5),
                .at_x = (float) walk->at_x,
                .at_y = (float) walk->at_y,
                .count = MIN (steps->part, steps->n - first),
                .weight = 1.0f - fade + rise * ((float) first + 0.5f),
                .rise = rise };

  part.column = CLAMP (part.x, 0, field->width);
  part.row = CLAMP (part.y, 0, field->height);
  part.x -= part.column;
  part.y -= part.row;
  part.inside = part.column >= REACH && part.column < field->width - REACH && part.row >= REACH &&
                part.row < field->height - REACH;
  return part;
}

/* Returns a pixel of the field, or of those around it. */
static const float *
find_pixel (const MotionField *field, int column, int row)
{
  return field->pixels + (gssize) row * (gssize) field->pitch + (gssize) column * field->step;
}

/* Sums the samples of a part one by one, times MOTION_SCALE. An infinity that has hardly any weight
 * does not count. */
static Quad
add_with_care (const MotionField *field, const Steps *steps, const Part *part)
{
  Quad sum = { 0 };

  for (int i = 0; i < part->count; i++)
    {
      float x = part->at_x * steps->along[i] - part->at_y * steps->across[i];
      float y = part->at_y * steps->along[i] + part->at_x * steps->across[i];
      float near_x = (part->from_x + x + LARGE) - LARGE;
      float near_y = (part->from_y + y + LARGE) - LARGE;
      float right = part->from_x + x - near_x + 0.5f, down = part->from_y + y - near_y + 0.5f;
      int column = part->column + part->x + (int) near_x, row = part->row + part->y + (int) near_y;

      for (int n = 0; n < 4; n++)
        {
          const float *pixel = find_pixel (field, CLAMP (column + n % 2, -1, field->width),
                                           CLAMP (row + n / 2, -1, field->height));
          float weight = (part->weight + part->rise * (float) i) * (n % 2 ? right : 1.0f - right) *
                         (n / 2 ? down : 1.0f - down);

          for (int c = 0; c < field->step; c++)
            if (weight > MOTION_NOTHING || fabsf (pixel[c]) <= G_MAXFLOAT)
              sum[c] += weight * (MOTION_SCALE * pixel[c]);
        }
    }
  return sum;
}

/* Finds the samples of a part. Those that it does not have get the weight 0, and lie on its path,
 * too: the compiler vectorises the loop over a constant number of them. */
static FX_INLINE void
find_samples (const MotionField *field, const Steps *steps, const Part *part, gboolean inside,
              Samples *samples)
{
  int left_most = -MOTION_BORDER - part->column, right_most = field->width - part->column;
  int top_most = -MOTION_BORDER - part->row, bottom_most = field->height - part->row;

  for (int i = 0; i < PART; i++)
    {
      float along = steps->along[i], across = steps->across[i];
      float x = part->from_x + (part->at_x * along - part->at_y * across);
      float y = part->from_y + (part->at_y * along + part->at_x * across);
      float near_x = (x + LARGE) - LARGE, near_y = (y + LARGE) - LARGE;
      float weight = i < part->count ? part->weight + part->rise * (float) i : 0.0f;
      float down = y - near_y + 0.5f;
      float right = weight * (x - near_x + 0.5f), left = weight - right;
      int column = (int) near_x, row = (int) near_y;

      if (! inside)
        {
          column = CLAMP (column + part->x, left_most, right_most);
          row = CLAMP (row + part->y, top_most, bottom_most);
        }

      samples->places[i] = column * field->step + row * (int) field->pitch;
      samples->weights[0][i] = left - left * down;
      samples->weights[1][i] = right - right * down;
      samples->weights[2][i] = left * down;
      samples->weights[3][i] = right * down;
    }
}

/* Sums samples of 4 floats. pixels is the part's pixel. */
static FX_INLINE Quad
add_pixels (const float *pixels, gsize pitch, const Samples *samples, int count)
{
  Quad sums[4] = { 0 };

#pragma GCC unroll 4
  for (int i = 0; i < count; i++)
#pragma GCC unroll 4
    for (int p = 0; p < 4; p++)
      sums[p] += samples->weights[p][i] *
                 *(const Quad *) (pixels + samples->places[i] + p % 2 * PIXEL + p / 2 * pitch);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/* Sums samples of fewer floats. */
static FX_INLINE Quad
add_floats (const float *pixels, gsize pitch, int step, const Samples *samples, int count)
{
  Quad sum = { 0 };

  for (int i = 0; i < count; i++)
    {
      const float *place = pixels + samples->places[i];

      for (int c = 0; c < step; c++, place++)
        sum[c] += samples->weights[0][i] * place[0] + samples->weights[1][i] * place[step] +
                  samples->weights[2][i] * place[pitch] +
                  samples->weights[3][i] * place[pitch + step];
    }
  return sum;
}

static FX_INLINE Quad
sum_part (const MotionField *field, const Steps *steps, const Part *part)
{
  const float *pixels = find_pixel (field, part->column, part->row);
  Samples samples;

  if (part->inside)
    find_samples (field, steps, part, TRUE, &samples);
  else
    find_samples (field, steps, part, FALSE, &samples);
  if (field->step == PIXEL)
    return add_pixels (pixels, field->pitch, &samples, part->count);
  return add_floats (pixels, field->pitch, field->step, &samples, part->count);
}

/* Computes a pixel; careful: all of its samples with care. The parts' sums are added with the
 * rounding errors of their sum, which would otherwise show after some thousand of them. */
static FX_INLINE void
sum_path (const MotionField *field, const Steps *steps, int x, int y, gboolean careful,
          float *pixel)
{
  Walk walk = begin_walk (&field->path, steps, x, y);
  Quad total = { 0 }, lost = { 0 };

  for (int first = 0; first < steps->n; first += steps->part)
    {
      Part part = find_part (field, steps, &walk, x - field->strip->source_x0,
                             y - field->strip->source_y0, first);
      Quad sum = careful ? add_with_care (field, steps, &part) : sum_part (field, steps, &part);
      Quad added = sum - lost, more = total + added;

      lost = (more - total) - added;
      for (int c = 0; careful && c < PIXEL; c++)
        lost[c] = isfinite (more[c]) ? lost[c] : 0.0f; /* that of infinity would be NaN */
      total = more;
      step (&field->path, steps, &walk);
    }
  for (int c = 0; c < field->step; c++)
    pixel[c] = total[c] / ((careful ? MOTION_SCALE : 1.0f) * (float) steps->n);
}

FX_VECTORISED static void
filter_pixel (const MotionField *field, const Steps *steps, int x, int y, float *pixel)
{
  float all = 0.0f;

  sum_path (field, steps, x, y, FALSE, pixel);
  for (int c = 0; c < field->step; c++)
    all += fabsf (pixel[c]);
  if (! (all <= G_MAXFLOAT))
    sum_path (field, steps, x, y, TRUE, pixel);
}

void
motion_field_filter (const MotionField *field, const FxRect *block, float *result)
{
  Steps kept[KEPT] = { 0 };

  for (int y = block->y; y < block->y + block->height; y++)
    for (int x = block->x; x < block->x + block->width; x++, result += field->step)
      {
        int n = motion_path_count (&field->path, x, y);

        set_steps (&field->path, n, &kept[n % KEPT]);
        filter_pixel (field, &kept[n % KEPT], x, y, result);
      }
}
