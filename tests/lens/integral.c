#include "integral.h"

#include <math.h>

/* The shape before it is squeezed: the points inside all of these circles, or on the inner side of
 * all of these lines. */
typedef struct {
  double radius;
  int edges;          /* 0: the circle alone */
  double first, half; /* the angle of a corner; half of that from corner to corner */
  double own;         /* the radius of an edge; 0: it is straight */
  double ring;
  double scale_x, scale_y;
} Shape;

/* Cuts from left to right, on the line at y, what is not inside an edge. */
static void
cut (const Shape *shape, int edge, double y, double *left, double *right)
{
  const double angle = shape->first + (2 * edge + 1) * shape->half;
  const double chord = shape->radius * cos (shape->half);

  if (shape->own > 0.0)
    {
      const double depth = chord - sqrt (pow (shape->own, 2.0) -
                                         pow (shape->radius * sin (shape->half), 2.0));
      const double squared = pow (shape->own, 2.0) - pow (y - depth * sin (angle), 2.0);
      const double wide = sqrt (MAX (squared, 0.0));

      *left = MAX (*left, squared > 0.0 ? depth * cos (angle) - wide : INFINITY);
      *right = MIN (*right, squared > 0.0 ? depth * cos (angle) + wide : -INFINITY);
    }
  else if (fabs (cos (angle)) < 1e-12)
    *right = y * sin (angle) <= chord ? *right : -INFINITY;
  else if (cos (angle) > 0.0)
    *right = MIN (*right, (chord - y * sin (angle)) / cos (angle));
  else
    *left = MAX (*left, (chord - y * sin (angle)) / cos (angle));
}

/* Returns the integral of the brightness from 0 to x. */
static double
integrate (const Shape *shape, double x, double y)
{
  const double squares = x * x * x / 3.0 + x * y * y;

  return x + shape->ring * (2.0 * squares / pow (shape->radius, 2.0) - x);
}

static void
add_line (const Shape *shape, double y, int reach, double *row)
{
  double left = -sqrt (MAX (pow (shape->radius, 2.0) - y * y, 0.0)), right = -left;

  for (int edge = 0; edge < shape->edges; edge++)
    cut (shape, edge, y, &left, &right);
  if (! (right > left))
    return;
  for (int i = MAX ((int) floor (left * shape->scale_x), -reach);
       i <= MIN ((int) ceil (right * shape->scale_x), reach); i++)
    {
      const double from = MAX (left, (i - 0.5) / shape->scale_x);
      const double to = MIN (right, (i + 0.5) / shape->scale_x);

      if (to > from)
        row[i + reach] += integrate (shape, to, y) - integrate (shape, from, y);
    }
}

static Shape
make_shape (const LensParams *params, double radius)
{
  Shape shape = { .radius = radius,
                  .edges = params->blades,
                  .first = (params->rotation - 90.0) * G_PI / 180.0,
                  .half = G_PI / MAX (params->blades, 1),
                  .own = params->roundness > 0.0 ? radius / params->roundness : 0.0,
                  .ring = params->ring,
                  .scale_x = pow (2.0, -MAX (params->squeeze, 0.0)),
                  .scale_y = pow (2.0, MIN (params->squeeze, 0.0)) };

  return shape;
}

double *
integral_new (const LensParams *params, double radius, int lines, int *x, int *y)
{
  const Shape shape = make_shape (params, radius);
  double *values, sum = 0.0;
  int columns, n;

  *x = MAX ((int) ceil (radius * shape.scale_x - 0.5), 0);
  *y = MAX ((int) ceil (radius * shape.scale_y - 0.5), 0);
  columns = 2 * *x + 1;
  n = columns * (2 * *y + 1);
  values = g_new0 (double, n);
  for (int line = 0; line < (2 * *y + 1) * lines; line++)
    add_line (&shape, ((line + 0.5) / lines - 0.5 - *y) / shape.scale_y, *x,
              values + line / lines * columns);
  for (int i = 0; i < n; i++)
    sum += values[i];
  for (int i = 0; i < n; i++)
    values[i] = sum > 0.0 ? values[i] / sum : i == n / 2;
  return values;
}
