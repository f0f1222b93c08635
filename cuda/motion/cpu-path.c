#include "cpu-path.h"

#include "path.h"
#include "vector.h"

#include <math.h>
#include <string.h>

#define PIXEL  4                     /* floats, the most */
#define MARGIN (MOTION_PART / 2 + 2) /* pixels beside a part's middle that its samples read */

/* Steps. */

static void
set_steps (const MotionPath *path, int n, MotionSteps *steps)
{
  const double middle = (MOTION_PART - 1) / 2.0, turn = path->spin / n, part = path->factor / n;
  int i;

  steps->n = n;
  for (i = 0; i < MOTION_PART; i++)
    {
      double at = i - middle, half = sin (at * turn / 2.0);

      steps->along[i] = (float) (-2.0 * half * half - at * part);
      steps->across[i] = (float) sin (at * turn);
    }
  if (path->spin != 0.0)
    {
      double first = MOTION_PART / 2.0 * turn - path->spin / 2.0;

      steps->first_x = cos (first);
      steps->first_y = sin (first);
      steps->next_x = cos (MOTION_PART * turn);
      steps->next_y = sin (MOTION_PART * turn);
      return;
    }
  steps->first_x = -MOTION_PART / 2.0 * part;
  steps->next_x = -MOTION_PART * part;
  steps->first_y = steps->next_y = 0.0;
}

/* A walk along a path. */
typedef struct {
  double from_x, from_y;     /* the pixel, from the centre */
  double at_x, at_y;         /* of a spin: the middle of the part, from the centre */
  double offset_x, offset_y; /* the same, from the pixel */
} Walk;

static Walk
begin_walk (const MotionPath *path, const MotionSteps *steps, int x, int y)
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
step (const MotionPath *path, const MotionSteps *steps, Walk *walk)
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

/* The samples of a part: the pixel at the upper left of each, from that of the field's which
 * contains the part's middle; the weights of the pixels on the left and on the right; and the share
 * of the lower ones. */
typedef struct {
  int column, row; /* of the middle, in the field */
  int x[MOTION_PART], y[MOTION_PART], place[MOTION_PART];
  float left[MOTION_PART], right[MOTION_PART], down[MOTION_PART];
} Part;

/* The places of a part's samples, relative to its middle. */
static const float places[MOTION_PART] = { -3.5f, -2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 3.5f };

static FX_INLINE gboolean
is_inside (const MotionField *field, const Part *part)
{
  return part->column >= MARGIN && part->column < field->width - MARGIN && part->row >= MARGIN &&
         part->row < field->height - MARGIN;
}

/* Returns the pixel at a place that may be beyond the image's edge. */
static const float *
find_pixel (const MotionField *field, int column, int row)
{
  const FxStrip *strip = field->strip;
  const FxPlan *plan = &field->plan->base;
  gint64 x = (gint64) strip->source_x0 + column, y = (gint64) strip->source_y0 + row;

  if (plan->abyss != FX_ABYSS_CLAMP && (x < 0 || x >= strip->width || y < 0 || y >= strip->height))
    return plan->beyond;
  column = CLAMP (column, 0, field->width - 1);
  row = CLAMP (row, 0, field->height - 1);
  return field->pixels + ((gsize) row * field->width + column) * field->step;
}

/* Adds samples anywhere. A pixel that has hardly any weight does not count. */
static void
add_with_care (const MotionField *field, const Part *part, int count, float *sum)
{
  int i, n, c;

  for (i = 0; i < count; i++)
    for (n = 0; n < 4; n++)
      {
        float weight = (n % 2 ? part->right[i] : part->left[i]) *
                       (n / 2 ? part->down[i] : 1.0f - part->down[i]);
        const float *pixel = find_pixel (field, part->column + part->x[i] + n % 2,
                                         part->row + part->y[i] + n / 2);

        for (c = 0; weight > MOTION_NOTHING && c < field->step; c++)
          sum[c] += weight * pixel[c];
      }
}

#define LANES 4
#define TARGET
#define NAME(name) name##_plain
#include "cpu-lanes.h"

#ifdef FX_AVX2
#define LANES      8
#define TARGET     FX_AVX2
#define NAME(name) name##_avx2
#include "cpu-lanes.h"
#endif

void
motion_field_filter (const MotionField *field, MotionSteps *steps, int x, int y, int n,
                     float *result)
{
  void (*filter) (const MotionField *, const MotionSteps *, int, int, float *) = filter_pixel_plain;
  int i;

#ifdef FX_AVX2
  if (fx_vector_get_unit () != FX_VECTOR_PLAIN)
    filter = filter_pixel_avx2;
#endif
  for (i = x; i < x + n; i++, result += field->step)
    {
      int count = motion_path_count (&field->path, i, y);

      if (count != steps->n)
        set_steps (&field->path, count, steps);
      filter (field, steps, i, y, result);
    }
}
