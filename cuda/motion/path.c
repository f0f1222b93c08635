#include "image.h"
#include "motion-plan.h"

#include <math.h>

#define NEAR     0.001           /* pixels, more than rounding */
#define FARTHEST ((1 << 30) - 1) /* from the geometry's origin: no source is farther away */

/* A place of a path, which is at most twice as far from a pixel as the centre, is then an int. */
MotionPath
motion_path_move (const MotionPath *path, int x, int y)
{
  MotionPath moved = *path;

  moved.center_x = CLAMP (path->center_x - x, -FX_PLACE_MAX, FX_PLACE_MAX);
  moved.center_y = CLAMP (path->center_y - y, -FX_PLACE_MAX, FX_PLACE_MAX);
  return moved;
}

/* The same expression as in the kernel, with the same rounding of each operation. */
int
motion_path_count (const MotionPath *path, double x, double y)
{
  double from_x = x + 0.5 - path->center_x, from_y = y + 0.5 - path->center_y;
  double length = path->length * sqrt (from_x * from_x + from_y * from_y);

  return (int) CLAMP (ceil (floor (256.0 * length + 0.5) / 256.0), 1.0, MOTION_SAMPLES_MAX);
}

/* A corner is farther from the centre than all other pixels. */
int
motion_path_count_most (const MotionPath *path, const FxRect *area)
{
  int right = area->x + area->width - 1, bottom = area->y + area->height - 1;

  return MAX (MAX (motion_path_count (path, area->x, area->y),
                   motion_path_count (path, right, area->y)),
              MAX (motion_path_count (path, area->x, bottom),
                   motion_path_count (path, right, bottom)));
}

/* A rectangle that grows. */
typedef struct {
  double left, top, right, bottom;
} Box;

static void
add_point (Box *box, double x, double y)
{
  box->left = MIN (box->left, x);
  box->top = MIN (box->top, y);
  box->right = MAX (box->right, x);
  box->bottom = MAX (box->bottom, y);
}

/* Adds the path of a point, or for a spin a box around it. x, y is the point's place from the
 * centre. */
static void
add_path (Box *box, const MotionPath *path, double x, double y)
{
  double radius = hypot (x, y), half = MIN (path->spin / 2.0, G_PI), angle = atan2 (y, x), turn;

  add_point (box, x, y);
  add_point (box, x - path->factor * x, y - path->factor * y);
  if (path->spin == 0.0)
    return;
  add_point (box, radius * cos (angle - half), radius * sin (angle - half));
  add_point (box, radius * cos (angle + half), radius * sin (angle + half));
  for (turn = ceil ((angle - half) / G_PI_2); turn * G_PI_2 <= angle + half; turn += 1.0)
    add_point (box, radius * cos (turn * G_PI_2), radius * sin (turn * G_PI_2));
}

static gint64
limit (double place)
{
  return (gint64) CLAMP (place, -FARTHEST, FARTHEST);
}

/* The extremes of all paths belong to the corners of result. */
FxRect
motion_path_get_source (const MotionPath *path, const FxRect *result)
{
  double center_x = path->center_x - 0.5, center_y = path->center_y - 0.5;
  double left = result->x - center_x, right = left + result->width - 1.0;
  double top = result->y - center_y, bottom = top + result->height - 1.0;
  Box box = { left, top, right, bottom };

  add_path (&box, path, left, top);
  add_path (&box, path, right, top);
  add_path (&box, path, left, bottom);
  add_path (&box, path, right, bottom);
  return fx_rect_between (MIN (limit (floor (center_x + box.left - NEAR)), result->x),
                          MIN (limit (floor (center_y + box.top - NEAR)), result->y),
                          MAX (limit (floor (center_x + box.right + NEAR) + 2.0),
                               (gint64) result->x + result->width),
                          MAX (limit (floor (center_y + box.bottom + NEAR) + 2.0),
                               (gint64) result->y + result->height));
}
