#include "error.h"
#include "image.h"
#include "motion-plan.h"

#include <math.h>

/* Nanoseconds on one CPU thread: a sample of a path, a channel of the result; measured. */
#define PATH_COST  3.0
#define PIXEL_COST 4.0

#define NEAR     0.001             /* pixels, more than rounding */
#define FARTHEST (FX_SIZE_MAX - 1) /* from the geometry's origin: no source is farther away */

static const FxFilter filter;

/* The same expression as in the kernel, with the same rounding of each operation. */
int
motion_path_count (const MotionPath *path, double x, double y)
{
  double from_x = x + 0.5 - path->center_x, from_y = y + 0.5 - path->center_y;
  double length = path->length * sqrt (from_x * from_x + from_y * from_y);

  return (int) CLAMP (ceil (floor (256.0 * length + 0.5) / 256.0), 1.0, MOTION_SAMPLES_MAX);
}

/* The source. */

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
static FxRect
find_source (gconstpointer data, const FxRect *result)
{
  const MotionPath *path = &((const MotionPlan *) data)->path;
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

/* The plan. */

/* Returns the mean distance of a picture's pixels from the centre: the root of the mean square,
 * which is longer by an eighth at most. */
static double
get_mean_distance (const MotionPath *path, const FxGeometry *geometry)
{
  double x = geometry->x + geometry->width / 2.0 - path->center_x;
  double y = geometry->y + geometry->height / 2.0 - path->center_y;

  return sqrt (x * x + y * y + geometry->width * geometry->width / 12.0 +
               geometry->height * geometry->height / 12.0);
}

static MotionPlan *
motion_plan_make_plan (const FxCodec *codec, FxAbyss abyss, const MotionPath *path, double samples)
{
  MotionPlan *plan = g_new0 (MotionPlan, 1);

  fx_plan_init (&plan->base, &filter, codec, abyss);
  plan->path = *path;
  plan->samples = samples;
  plan->base.identity = path->length == 0.0;
  if (! plan->base.identity)
    plan->base.reach = (FxReach) { .find_source = find_source, .data = plan };
  return plan;
}

static MotionPath
get_path (const MotionParams *params, const FxGeometry *geometry)
{
  MotionPath path = { .center_x = geometry->x + params->center_x * geometry->width,
                      .center_y = geometry->y + params->center_y * geometry->height };

  if (params->kind == MOTION_SPIN)
    path.spin = params->angle / 180.0 * G_PI;
  else
    {
      path.factor = params->factor;
      path.fade = params->fade;
    }
  path.length = path.spin + fabs (path.factor);
  return path;
}

FxPlan *
motion_plan_new (const MotionParams *params, const FxFormat *format, const FxGeometry *geometry,
                 GError **error)
{
  const MotionPath path = get_path (params, geometry);
  FxCodec codec;

  if (! motion_params_check (params, error) || ! fx_format_check (format, error))
    return NULL;
  if (params->kind == MOTION_LINE)
    return params->length > 0.0 ? motion_line_new (params, format, error)
                                : fx_plan_new_identity (format);
  codec = fx_codec_new (format, params->light);
  return &motion_plan_make_plan (&codec, params->abyss, &path,
                                 1.0 + path.length * get_mean_distance (&path, geometry))
            ->base;
}

/* The filter. */

static void
motion_plan_free (FxPlan *plan)
{
  g_free (plan);
}

static FxPlan *
motion_plan_get_draft (const FxPlan *base, int level)
{
  const MotionPlan *plan = (const MotionPlan *) base;
  MotionPath path = plan->path;

  path.center_x = ldexp (path.center_x, -level);
  path.center_y = ldexp (path.center_y, -level);
  return &motion_plan_make_plan (&base->codec, base->abyss, &path,
                                 1.0 + ldexp (plan->samples - 1.0, -level))
            ->base;
}

static double
motion_plan_get_cpu_cost (const FxPlan *base)
{
  const MotionPlan *plan = (const MotionPlan *) base;

  return PIXEL_COST + PATH_COST * plan->samples / base->codec.format.channels;
}

static const FxFilter filter = {
  .name = "motion",
  .free = motion_plan_free,
  .get_draft = motion_plan_get_draft,
  .get_cpu_cost = motion_plan_get_cpu_cost,
  .get_cpu_path = motion_get_cpu_path,
#if HAVE_CUDA
  .get_gpu_path = motion_get_gpu_path,
#endif
};
