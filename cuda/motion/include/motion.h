/* Motion blur along a line, around a point and towards a point: its parameters and its plans.
 *
 * Each pixel of the result is the mean of the image along a path, with premultiplied alpha, in the
 * light given by MotionParams.
 *
 * Line. A convolution with a rectangle that is centred on the pixel, as long as length and a pixel
 * wide, at least a pixel long, and turned clockwise by direction. The weight of a pixel is the
 * integral over its part of the rectangle of
 *     1 + fade (2 t - 1)
 * where t is 0 at the start of the rectangle and 1 at its end, in the direction in which it is
 * turned; divided by the sum of the weights. The bounds of the error are those of convolve.h. A
 * length of 0 changes nothing.
 *
 * Spin and zoom. The centre c is at center_x, center_y of the picture's width and height: 0 is the
 * left edge of its first pixel, 1 the right edge of its last one. The path of pixel p is, for t
 * from 0 to 1,
 *     c + R ((t - 1/2) angle) (p - c)     of a spin, where R turns clockwise
 *     p + t factor (c - p)                of a zoom
 * Its length L, in pixels, is
 *     floor (256 a sqrt (x^2 + y^2) + 1/2) / 256
 * in double precision, where x, y is p - c, and a is the angle in radians, or the factor's
 * magnitude. The result is the mean of
 *     n = max (1, min (ceil (L), 2^20))
 * samples at t = (i + 1/2) / n, i from 0 to n - 1. Each is bilinear between the four pixels around
 * it, which may lie beyond the edge. Those of a zoom have weights 1 + fade (2 t - 1). Places are
 * not rounded: what single precision makes of them is within the bounds of the error. So an
 * infinity need not count in a sample where its weight is below 2^-19. The mean of finite pixels is
 * finite, however long the path is. A centre that is more than 2^29 columns or rows from the
 * image's first pixel counts as being so many from it. An angle or a factor of 0 changes nothing.
 *
 * The error has the bounds of blur.h on the GPU and on the CPU, with what is said there of curves
 * and of small alpha. Next to light that is stored as more than 4, sRGB's curve, too, may exceed
 * them: by as much as a stored sample changes if its light is off by 2^-23 of the light's range.
 * Within them, a pixel may depend on the region that is asked for, and on the strips.
 *
 * A plan that changes nothing leaves every byte as it is. One of spin and zoom is for a picture at
 * its place (FxGeometry). It holds all of the source that a strip depends on as floats. */
#pragma once

#include "plan.h"

FX_BEGIN_API

#define MOTION_LENGTH_MAX 1000.0 /* pixels */
#define MOTION_ANGLE_MAX  360.0  /* degrees */
#define MOTION_CENTER_MAX 10.0

typedef enum { MOTION_LINE, MOTION_SPIN, MOTION_ZOOM } MotionKind;

typedef struct {
  MotionKind kind;
  double length;    /* of a line: pixels, 0 to MOTION_LENGTH_MAX */
  double direction; /* of a line: degrees clockwise, -180 to 180; 0 is to the right */
  double angle;     /* of a spin: degrees, 0 to MOTION_ANGLE_MAX, half of them on each side */
  double factor;    /* of a zoom: -1 to 1, the part of the way to the centre; negative: away */
  double center_x, center_y; /* of spin and zoom, -MOTION_CENTER_MAX to MOTION_CENTER_MAX */
  double fade;               /* of line and zoom, -1 to 1: positive: the path's end counts more */
  FxAbyss abyss;
  FxLight light;
} MotionParams;

/* Checks params, also those that the kind does not use; returns FALSE with FX_ERROR_ARGUMENT if a
 * member is out of range, NaN or infinite. */
gboolean motion_params_check (const MotionParams *params, GError **error);

/* Sets x and y to the pixels by which a layer at geometry grows on each side if it is to contain
 * the blur, as far as GEGL's operations let theirs grow. params must be valid. */
void motion_params_get_growth (const MotionParams *params, const FxGeometry *geometry, int *x,
                               int *y);

/* Creates a plan for a picture at geometry, stored in format; free it with fx_plan_free. Returns
 * NULL with FX_ERROR_ARGUMENT if params, format or geometry is invalid, and with FX_ERROR_MEMORY
 * if memory runs out.
 */
FxPlan *motion_plan_new (const MotionParams *params, const FxFormat *format,
                         const FxGeometry *geometry, GError **error);

FX_END_API
