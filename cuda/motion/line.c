/* A motion blur along a line is a convolution, so its plan is one of the convolution's. */
#include "convolve.h"
#include "error.h"
#include "motion-plan.h"
#include "shape.h"

#include <math.h>

#define NOTHING 1e-9 /* of a pixel: less than that is rounding */

static FxPlan *line_get_draft (gconstpointer params, const FxFormat *format, int level);

/* The rectangle: along is half of it from the middle to its end, across from the middle to its
 * right side. */
typedef struct {
  double length;
  double along_x, along_y, across_x, across_y;
} Line;

static Line
get_line (const MotionParams *params)
{
  double angle = params->direction / 180.0 * G_PI, length = MAX (params->length, 1.0);

  return (Line) { .length = length,
                  .along_x = cos (angle) * length / 2.0,
                  .along_y = sin (angle) * length / 2.0,
                  .across_x = -sin (angle) / 2.0,
                  .across_y = cos (angle) / 2.0 };
}

/* Returns the pixels beside the middle one that the rectangle reaches along one axis. */
static int
line_get_reach (double along, double across)
{
  return (int) ceil (MAX (fabs (along) + fabs (across) - 0.5 - NOTHING, 0.0));
}

static void
fill (const Line *line, double fade, int columns, int rows, double *values)
{
  double slope = 4.0 * fade / (line->length * line->length);
  const ConvolveBrightness brightness = { .level = 1.0,
                                          .x = slope * line->along_x,
                                          .y = slope * line->along_y };
  ConvolveShape *shape = convolve_shape_new (columns, rows, &brightness);
  double x = 2.0 * line->along_x, y = 2.0 * line->along_y;
  double over = 2.0 * line->across_x, down = 2.0 * line->across_y;
  double left = -line->along_x - line->across_x, top = -line->along_y - line->across_y;

  convolve_shape_add_line (shape, left, top, x, y);
  convolve_shape_add_line (shape, left + x, top + y, over, down);
  convolve_shape_add_line (shape, left + x + over, top + y + down, -x, -y);
  convolve_shape_add_line (shape, left + over, top + down, -over, -down);
  convolve_shape_fill (shape, values);
  convolve_shape_free (shape);
}

/* The rectangle of a draft may be shorter than a pixel, but not of length 0. */
FxPlan *
motion_line_new (const MotionParams *params, const FxFormat *format, GError **error)
{
  const ConvolveOwner owner = {
    .name = "motion", .get_draft = line_get_draft, .params = params, .size = sizeof *params
  };
  const Line line = get_line (params);
  ConvolveParams convolution = {
    .rows = 2 * line_get_reach (line.along_y, line.across_y) + 1,
    .columns = 2 * line_get_reach (line.along_x, line.across_x) + 1,
    .divisor = 1.0,
    .channels = CONVOLVE_CHANNELS_ALL,
    .alpha = CONVOLVE_ALPHA_PREMULTIPLIED,
    .abyss = params->abyss,
    .light = params->light,
  };
  g_autofree double *values = g_try_new (double, convolution.rows *convolution.columns);

  if (! values)
    {
      fx_set_no_memory (error);
      return NULL;
    }
  fill (&line, params->fade, convolution.columns, convolution.rows, values);
  convolution.values = values;
  return convolve_plan_new_for (&owner, &convolution, format, error);
}

static FxPlan *
line_get_draft (gconstpointer data, const FxFormat *format, int level)
{
  MotionParams params = *(const MotionParams *) data;

  params.length = ldexp (params.length, -level);
  return motion_line_new (&params, format, NULL);
}
