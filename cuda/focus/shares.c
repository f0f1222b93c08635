/* The strength of pixels. */
#include "focus-plan.h"

#include "vector.h"

#include <math.h>
#include <string.h>

#define BLOCK 64 /* pixels at a time */

/* Distances from the centre, in units of the shape, of n pixels of a row from x on. */
static FX_INLINE void
get_distances (const FocusShapeArgs *shape, int kind, double x, double y, int n, double *distances)
{
  double from_y = y + 0.5 - shape->y;

  for (int i = 0; i < n; i++)
    {
      double from_x = x + i + 0.5 - shape->x;
      double u = fabs (shape->across_x * from_x + shape->across_y * from_y);
      double v = fabs (shape->down_x * from_x + shape->down_y * from_y);

      distances[i] = kind == FOCUS_CIRCLE       ? sqrt (u * u + v * v)
                     : kind == FOCUS_SQUARE     ? MAX (u, v)
                     : kind == FOCUS_DIAMOND    ? u + v
                     : kind == FOCUS_HORIZONTAL ? v
                                                : u;
    }
}

FX_VECTORISED static void
get_ramp (const FocusShapeArgs *shape, int x, int y, int n, double *ramp)
{
  if (shape->shape == FOCUS_CIRCLE)
    get_distances (shape, FOCUS_CIRCLE, x, y, n, ramp);
  else if (shape->shape == FOCUS_SQUARE)
    get_distances (shape, FOCUS_SQUARE, x, y, n, ramp);
  else if (shape->shape == FOCUS_DIAMOND)
    get_distances (shape, FOCUS_DIAMOND, x, y, n, ramp);
  else if (shape->shape == FOCUS_HORIZONTAL)
    get_distances (shape, FOCUS_HORIZONTAL, x, y, n, ramp);
  else
    get_distances (shape, FOCUS_VERTICAL, x, y, n, ramp);
  for (int i = 0; i < n; i++)
    {
      double s = (ramp[i] - shape->inner) * shape->slope;

      ramp[i] = CLAMP (s, 0.0, 1.0);
    }
}

static void
get_shape_shares (const FocusShapeArgs *shape, int x, int y, int n, float *shares)
{
  double ramp[BLOCK];

  get_ramp (shape, x, y, n, ramp);
  if (shape->exponent != 1.0)
    for (int i = 0; i < n; i++)
      if (ramp[i] > 0.0 && ramp[i] < 1.0)
        ramp[i] = pow (ramp[i], shape->exponent);
  for (int i = 0; i < n; i++)
    shares[i] = (float) ramp[i];
}

/* Fills values with those of n pixels of a row. */
static void
get_values (const FocusMapArgs *map, const float *row, int x, int n, float *values)
{
  gint64 first = (gint64) x - map->x;

  if (map->shift == 0 && first >= 0 && first + n <= map->width)
    memcpy (values, row + first, n * sizeof *values);
  else
    for (int i = 0; i < n; i++)
      values[i] = row[focus_map_find (x + i, map->shift, map->x, map->width)];
}

FX_VECTORISED static void
get_map_shares (const FocusMapArgs *map, const float *map_values, int x, int y, int n,
                float *shares)
{
  gsize row = (gsize) focus_map_find (y, map->shift, map->y, map->height);

  get_values (map, map_values + row * map->width, x, n, shares);
  for (int i = 0; i < n; i++)
    shares[i] = focus_map_get_share (map, shares[i]);
}

void
focus_plan_get_shares (const FocusPlan *plan, int x, int y, int n, float *shares)
{
  if (plan->values)
    get_map_shares (&plan->map, g_bytes_get_data (plan->values, NULL), x, y, n, shares);
  for (int i = 0; i < n && ! plan->values; i += BLOCK)
    get_shape_shares (&plan->shape, x + i, y, MIN (BLOCK, n - i), shares + i);
}

void
focus_plan_get_weights (const FocusPlan *plan, int x, int y, int n, float *weights)
{
  focus_plan_get_shares (plan, x, y, n, weights);
  for (int i = 0; i < n; i++)
    weights[i] = powf (MAX (weights[i], FOCUS_SHARE_MIN), plan->args.keep_sharp);
}
