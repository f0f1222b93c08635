/* The strength of a pixel as a share of the largest one: v in ../include/focus.h. Constants to
 * define before this file: MAP, if there is a map, else there is a shape. */

#include "pyramid-args.h"

/* Double precision, because the distance's difference from the radius that is sharp may be small.
 */
__device__ static inline double
get_distance (const FocusShapeArgs &shape, int x, int y)
{
  const double from_x = x + 0.5 - shape.x, from_y = y + 0.5 - shape.y;
  const double u = fabs (shape.across_x * from_x + shape.across_y * from_y);
  const double v = fabs (shape.down_x * from_x + shape.down_y * from_y);

  return shape.shape == SHAPE_CIRCLE       ? sqrt (u * u + v * v)
         : shape.shape == SHAPE_SQUARE     ? fmax (u, v)
         : shape.shape == SHAPE_DIAMOND    ? u + v
         : shape.shape == SHAPE_HORIZONTAL ? v
                                           : u;
}

/* x to the power of p, for x from 0 to 1, with what rounding x to a float leaves, which a large p
 * magnifies. */
__device__ static inline float
raise_share (double x, float p)
{
  const float high = (float) x, low = (float) (x - high);

  return high > 0.0f ? powf (high, p) * (1.0f + p * low / high) : 0.0f;
}

/* The strength by the shape. */
__device__ static inline float
get_shape_share (const FocusShapeArgs &shape, int x, int y)
{
  const double distance = (get_distance (shape, x, y) - shape.inner) * shape.slope;
  const double share = fmin (fmax (distance, 0.0), 1.0);

  return shape.exponent == 1.0 ? (float) share : raise_share (share, (float) shape.exponent);
}

/* The strength by the map. */
__device__ static inline float
get_map_share (const FocusMapArgs &map, const float *values, int x, int y)
{
  const int column = focus_map_find (x, map.shift, map.x, map.width);
  const int row = focus_map_find (y, map.shift, map.y, map.height);

  return focus_map_get_share (&map, __ldg (&values[(long long) row * map.width + column]));
}

/* The strength of a pixel of the image. */
__device__ static inline float
get_share (const FocusStrength &strength, int x, int y)
{
#if MAP
  return get_map_share (strength.map, strength.values, x, y);
#else
  return get_shape_share (strength.shape, x, y);
#endif
}

/* w of a pixel of the image with keep-sharp, beyond the edge that of the nearest one. */
__device__ static inline float
get_weight (const FxSource &source, const FocusStrength &strength, float keep_sharp, int x, int y)
{
  const float share = get_share (strength, clamp (x, source.x0, source.x1 - 1),
                                 clamp (y, source.y0, source.y1 - 1));

  return powf (fmaxf (share, FOCUS_SHARE_MIN), keep_sharp);
}

/* A pixel of the result that stays as it is stored: nothing in the margin of a view that grows. */
__device__ static inline stored_t
get_stored (const FxSource &source, int x, int y)
{
  return is_beyond (source, x, y) ? stored_t () : fetch (source, x, y);
}
