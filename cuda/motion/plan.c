#include "error.h"
#include "motion-plan.h"

#include <math.h>

/* Nanoseconds on one CPU thread: a sample of a path, a channel of the result;
 * estimated from seconds of a busy processor. */
#define PATH_COST  3.0
#define PIXEL_COST 4.0

static const FxFilter filter;

static FxRect
find_source (gconstpointer plan, const FxRect *result)
{
  return motion_path_get_source (&((const MotionPlan *) plan)->path, result);
}

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

static FxPlan *
motion_plan_make_plan (const FxCodec *codec, FxAbyss abyss, const MotionPath *path, double samples)
{
  MotionPlan *plan = g_new0 (MotionPlan, 1);

  fx_plan_init (&plan->base, &filter, codec, abyss);
  plan->path = *path;
  plan->samples = samples;
  plan->base.cpu_cost = PIXEL_COST + PATH_COST * samples / codec->format.channels;
  plan->base.cpu_path = &motion_cpu_path;
  plan->base.gpu_path = FX_GPU_PATH (motion_gpu_path);
  plan->base.identity = path->length == 0.0;
  plan->base.placed = TRUE;
  if (! plan->base.identity)
    plan->base.reach = (FxReach) { .find_source = find_source, .data = plan };
  return &plan->base;
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

  if (! motion_params_check (params, error) || ! fx_format_check (format, error) ||
      ! fx_geometry_check (geometry, error))
    return NULL;
  if (params->kind == MOTION_LINE)
    return params->length > 0.0 ? motion_line_new (params, format, error)
                                : fx_plan_new_identity (format);
  codec = fx_codec_new (format, params->light);
  return motion_plan_make_plan (&codec, params->abyss, &path,
                                1.0 + path.length * get_mean_distance (&path, geometry));
}

/* The filter. */

static FxPlan *
motion_plan_get_draft (const FxPlan *base, int level)
{
  const MotionPlan *plan = (const MotionPlan *) base;
  MotionPath path = plan->path;

  path.center_x = ldexp (path.center_x, -level);
  path.center_y = ldexp (path.center_y, -level);
  return motion_plan_make_plan (&base->codec, base->abyss, &path,
                                1.0 + ldexp (plan->samples - 1.0, -level));
}

static const FxFilter filter = { .name = "motion", .get_draft = motion_plan_get_draft };
