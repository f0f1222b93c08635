#include "ready-matrices.h"

#include "shape.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define REACH_MAX   31 /* pixels on each side of the middle */
#define SIDE_MAX    (2 * REACH_MAX + 1)
#define SIGMA_REACH 4.0  /* in sigmas: the Gaussian is cut there */
#define SLIVERS     1e11 /* in a pixel's area; smaller areas are rounding errors */

static const ConvolveBrightness even = { .level = 1.0 };

/* Returns the weight of the pixel i rows below the middle and k columns to its right. */
typedef double (*WeightFunc) (const double *numbers, int i, int k);

/* Points mirrored at the middle get exactly the same weight. */
static FilterMatrix *
make_symmetric (int reach_y, int reach_x, WeightFunc get_weight, const double *numbers)
{
  int rows = 2 * reach_y + 1, columns = 2 * reach_x + 1, n = rows * columns, j;
  double *values;
  FilterMatrix *matrix = filter_matrix_new_zero (rows, columns, &values);

  for (j = 0; matrix && j <= n / 2; j++)
    values[j] = values[n - 1 - j] = get_weight (numbers, j / columns - reach_y,
                                                j % columns - reach_x);
  return matrix;
}

/* Returns how many pixels beyond the middle one a shape covers, at least in part, on one side. */
static int
ready_matrices_get_reach (double extent)
{
  return CLAMP ((int) ceil (extent - 0.5 - 1.0 / SLIVERS), 0, REACH_MAX);
}

/* Box: all ones. An even size becomes the odd one above it. */

static double
get_one (const double *numbers, int i, int k)
{
  return 1.0;
}

static FilterMatrix *
make_box (const double *numbers)
{
  int reach = (int) numbers[0] / 2;

  return make_symmetric (reach, reach, get_one, numbers);
}

/* Shapes: a weight is the area of the pixel that the shape covers. It is rounded, so that what is
 * covered as a whole is 1; and points mirrored at the middle get exactly the same weight. shape is
 * freed. */
static FilterMatrix *
make_shape (ConvolveShape *shape, int reach_y, int reach_x, double area)
{
  int rows = 2 * reach_y + 1, columns = 2 * reach_x + 1, n = rows * columns, j;
  double *values;
  FilterMatrix *matrix = filter_matrix_new_zero (rows, columns, &values);

  if (matrix)
    convolve_shape_fill (shape, values);
  for (j = 0; matrix && j <= n / 2; j++)
    values[j] = values[n - 1 - j] = round (values[j] * area * SLIVERS) / SLIVERS;
  convolve_shape_free (shape);
  return matrix;
}

/* Motion: a line of the given length, one pixel wide, turned counter-clockwise. */

/* Exact at multiples of 90 degrees. */
static void
get_direction (double degrees, double *x, double *y)
{
  double quarters = degrees / 90.0;

  *x = fmod (quarters, 2.0) == 1.0 || fmod (quarters, 2.0) == -1.0 ? 0.0 : cos (quarters * G_PI_2);
  *y = fmod (quarters, 2.0) == 0.0 ? 0.0 : -sin (quarters * G_PI_2); /* rows count downwards */
}

static FilterMatrix *
make_motion (const double *numbers)
{
  double length = numbers[0], across_x, across_y, x, y, left, top;
  int reach_x, reach_y;
  ConvolveShape *shape;

  get_direction (numbers[1], &x, &y);
  across_x = -y;
  across_y = x;
  x *= length;
  y *= length;
  left = -(x + across_x) / 2.0;
  top = -(y + across_y) / 2.0;
  reach_x = ready_matrices_get_reach ((fabs (x) + fabs (across_x)) / 2.0);
  reach_y = ready_matrices_get_reach ((fabs (y) + fabs (across_y)) / 2.0);
  shape = convolve_shape_new (2 * reach_x + 1, 2 * reach_y + 1, &even);
  convolve_shape_add_line (shape, left, top, x, y);
  convolve_shape_add_line (shape, left + x, top + y, across_x, across_y);
  convolve_shape_add_line (shape, left + x + across_x, top + y + across_y, -x, -y);
  convolve_shape_add_line (shape, left + across_x, top + across_y, -across_x, -across_y);
  return make_shape (shape, reach_y, reach_x, length);
}

/* Disc. Pixels that are mirrored or rotated by 90 degrees get exactly the same weight. */
static FilterMatrix *
make_disc (const double *numbers)
{
  double radius = numbers[0];
  int reach = ready_matrices_get_reach (radius), side = 2 * reach + 1, j;
  ConvolveShape *shape = convolve_shape_new (side, side, &even);
  FilterMatrix *matrix;
  double *values;

  convolve_shape_add_arc (shape, 0.0, 0.0, radius, radius, 0.0, 2.0 * G_PI);
  matrix = make_shape (shape, reach, reach, G_PI * radius * radius);
  values = matrix ? (double *) matrix->values : NULL;
  for (j = 0; matrix && j < matrix->n_values; j++)
    {
      int i = ABS (j / side - reach), k = ABS (j % side - reach);

      values[j] = values[(reach - MAX (i, k)) * side + reach - MIN (i, k)];
    }
  return matrix;
}

/* Gaussian: sampled and normalised. */

static double
get_bell (const double *numbers, int i, int k)
{
  double sigma = numbers[0], sum = 1.0;
  int reach = (int) ceil (SIGMA_REACH * sigma), t;

  for (t = 1; t <= reach; t++)
    sum += 2.0 * exp (-t * t / (2.0 * sigma * sigma));
  return exp (-(i * i + k * k) / (2.0 * sigma * sigma)) / (sum * sum);
}

static FilterMatrix *
make_gaussian (const double *numbers)
{
  int reach = (int) ceil (SIGMA_REACH * numbers[0]);

  return make_symmetric (reach, reach, get_bell, numbers);
}

/* Fixed matrices. They are written as they lie on the image. Edge detectors are positive if the
 * image becomes brighter to the right, or downwards. */

#define FIXED_3(...) (&(const FilterMatrix) { 3, 3, 9, (const double[]) { __VA_ARGS__ } })
#define FIXED_5(...) (&(const FilterMatrix) { 5, 5, 25, (const double[]) { __VA_ARGS__ } })

/* The image minus its Laplacian. */
#define SHARPEN FIXED_3 (0, -1, 0, -1, 5, -1, 0, -1, 0)

/* Twice the image minus its blur by (1 4 6 4 1) / 16 in both directions, times 256. */
#define UNSHARP                                                                                 \
  FIXED_5 (-1, -4, -6, -4, -1, -4, -16, -24, -16, -4, -6, -24, 476, -24, -6, -4, -16, -24, -16, \
           -4, -1, -4, -6, -4, -1)

/* Second differences to four neighbours, and to eight. */
#define LAPLACIAN_4 FIXED_3 (0, 1, 0, 1, -4, 1, 0, 1, 0)
#define LAPLACIAN_8 FIXED_3 (1, 1, 1, 1, -8, 1, 1, 1, 1)

/* (-1 0 1) across the edge. Along it, (1 2 1) by Sobel and Feldman, 1968; (1 1 1) by Prewitt, 1970;
 * (3 10 3) by Scharr, 2000. */
#define SOBEL_X   FIXED_3 (-1, 0, 1, -2, 0, 2, -1, 0, 1)
#define SOBEL_Y   FIXED_3 (-1, -2, -1, 0, 0, 0, 1, 2, 1)
#define PREWITT_X FIXED_3 (-1, 0, 1, -1, 0, 1, -1, 0, 1)
#define PREWITT_Y FIXED_3 (-1, -1, -1, 0, 0, 0, 1, 1, 1)
#define SCHARR_X  FIXED_3 (-3, 0, 3, -10, 0, 10, -3, 0, 3)
#define SCHARR_Y  FIXED_3 (-3, -10, -3, 0, 0, 0, 3, 10, 3)

/* From the manual of GIMP's Convolution Matrix: light comes from the lower right. */
#define EMBOSS FIXED_3 (-2, -1, 0, -1, 1, 1, 0, 1, 2)

/* Differences from all neighbours; bright on dark is positive. */
#define EDGE FIXED_3 (-1, -1, -1, -1, 8, -1, -1, -1, -1)

/* A line is no longer than what fits at any angle: sqrt (62^2 + 1) < 63. */
const ReadyMatrix ready_matrices[] = {
  { "box", N_ ("Box"), { { N_ ("Size:"), 1.0, SIDE_MAX, 3.0, 2.0, 0 } }, .make = make_box },
  { "sharpen", N_ ("Sharpen"), .fixed = SHARPEN },
  { "unsharp", N_ ("Unsharp mask"), .fixed = UNSHARP },
  { "laplacian-4", N_ ("Laplacian, 4 neighbors"), .fixed = LAPLACIAN_4 },
  { "laplacian-8", N_ ("Laplacian, 8 neighbors"), .fixed = LAPLACIAN_8 },
  { "sobel-x", N_ ("Sobel, to the right"), .fixed = SOBEL_X },
  { "sobel-y", N_ ("Sobel, downwards"), .fixed = SOBEL_Y },
  { "prewitt-x", N_ ("Prewitt, to the right"), .fixed = PREWITT_X },
  { "prewitt-y", N_ ("Prewitt, downwards"), .fixed = PREWITT_Y },
  { "scharr-x", N_ ("Scharr, to the right"), .fixed = SCHARR_X },
  { "scharr-y", N_ ("Scharr, downwards"), .fixed = SCHARR_Y },
  { "emboss", N_ ("Emboss"), .fixed = EMBOSS },
  { "edge", N_ ("Edge"), .fixed = EDGE },
  { "motion",
    N_ ("Motion blur"),
    { { N_ ("Length:"), 1.0, SIDE_MAX - 1, 9.0, 1.0, 1 },
      { N_ ("Angle:"), -180.0, 180.0, 0.0, 5.0, 1 } },
    .make = make_motion },
  { "disc",
    N_ ("Disc"),
    { { N_ ("Radius:"), 0.5, SIDE_MAX / 2.0, 3.0, 0.5, 2 } },
    .make = make_disc },
  { "gaussian",
    N_ ("Gaussian"),
    { { N_ ("Sigma:"), 0.2, REACH_MAX / SIGMA_REACH, 1.0, 0.1, 2 } },
    .make = make_gaussian },
  { NULL },
};

FilterMatrix *
ready_matrix_make (const ReadyMatrix *ready, const double *numbers)
{
  double clamped[READY_NUMBERS_MAX] = { 0.0 };
  int i;

  if (ready->fixed)
    return filter_matrix_ref (ready->fixed);
  for (i = 0; i < READY_NUMBERS_MAX && ready->numbers[i].label; i++)
    clamped[i] = CLAMP (numbers[i], ready->numbers[i].minimum, ready->numbers[i].maximum);
  return ready->make (clamped);
}
