/* The aperture's outline: edges between its corners, clockwise. */
#include "aperture.h"

#include "shape.h"

#include <math.h>

/* Curvatures, in units of the circle's, below which an edge counts as straight. The area of a pixel
 * is then off by 3e-5 at most. */
#define STRAIGHT 1e-7

typedef struct {
  ConvolveShape *shape;
  double scale_x, scale_y; /* the squeeze */
} Aperture;

static void
get_scales (const LensParams *params, double *x, double *y)
{
  *x = params->squeeze > 0.0 ? exp2 (-params->squeeze) : 1.0;
  *y = params->squeeze < 0.0 ? exp2 (params->squeeze) : 1.0;
}

void
lens_aperture_get_reach (const LensParams *params, double radius, int *x, int *y)
{
  double scale_x, scale_y;

  get_scales (params, &scale_x, &scale_y);
  *x = MAX ((int) ceil (radius * scale_x - 0.5), 0);
  *y = MAX ((int) ceil (radius * scale_y - 0.5), 0);
}

/* Adds the edge between the corners at angle and at angle + 2 half. An arc has the radius divided
 * by the roundness, and its middle on the line from the middle of the edge through that of the
 * aperture. */
static void
add_edge (const Aperture *aperture, double radius, double roundness, double angle, double half)
{
  double scale_x = aperture->scale_x, scale_y = aperture->scale_y;
  double across = angle + half, x = radius * cos (angle), y = radius * sin (angle);
  double own, depth, wide;

  if (roundness < STRAIGHT)
    {
      convolve_shape_add_line (aperture->shape, scale_x * x, scale_y * y,
                               scale_x * (radius * cos (angle + 2.0 * half) - x),
                               scale_y * (radius * sin (angle + 2.0 * half) - y));
      return;
    }
  own = radius / roundness;
  depth = radius * cos (half) - sqrt (MAX (own * own - pow (radius * sin (half), 2.0), 0.0));
  wide = asin (MIN (roundness * sin (half), 1.0));
  convolve_shape_add_arc (aperture->shape, scale_x * depth * cos (across),
                          scale_y * depth * sin (across), scale_x * own, scale_y * own,
                          across - wide, across + wide);
}

static void
add_outline (const Aperture *aperture, const LensParams *params, double radius)
{
  int edges = params->blades > 0 ? params->blades : 4, n;
  double roundness = params->blades > 0 ? params->roundness : 1.0;
  double first = (params->rotation / 180.0 - 0.5) * G_PI;

  for (n = 0; n < edges; n++)
    add_edge (aperture, radius, roundness, first + n * 2.0 * G_PI / edges, G_PI / edges);
}

void
lens_aperture_fill (const LensParams *params, double radius, double *values)
{
  ConvolveBrightness brightness = { .level = 1.0 - params->ring };
  Aperture aperture = { 0 };
  int x, y;

  lens_aperture_get_reach (params, radius, &x, &y);
  if (x == 0 && y == 0)
    {
      values[0] = 1.0;
      return;
    }
  get_scales (params, &aperture.scale_x, &aperture.scale_y);
  brightness.xx = 2.0 * params->ring / pow (radius * aperture.scale_x, 2.0);
  brightness.yy = 2.0 * params->ring / pow (radius * aperture.scale_y, 2.0);
  aperture.shape = convolve_shape_new (2 * x + 1, 2 * y + 1, &brightness);
  add_outline (&aperture, params, radius);
  convolve_shape_fill (aperture.shape, values);
  convolve_shape_free (aperture.shape);
}
