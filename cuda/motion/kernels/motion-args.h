/* Declarations shared by the kernels of a motion blur, and the C code. */
#ifndef MOTION_ARGS_H
#define MOTION_ARGS_H

/* A path is cut into parts of so many samples, some of which may be shorter. The middle of a part
 * is found in twice the precision of floats or more; places in it are near enough to that for
 * single precision. */
#define MOTION_PART 8

/* Radians. A GPU's parts of a spin are shorter than that: the fifth power of half of it is small
 * enough, even times the radius at which it has MOTION_PART samples. */
#define MOTION_TURN 0.11f

/* Places are rounded, so a weight that should be 0 may be some 1e-7. Where a pixel may be infinite,
 * those below this one do not count. */
#define MOTION_NOTHING 9.5e-7f /* 2^-20 */

/* The samples of a path, at most; a picture of the largest size may have longer paths. */
#define MOTION_SAMPLES_MAX (1 << 30)

/* The paths of all pixels. One of spin and factor is 0. */
typedef struct {
  double center_x, center_y;
  double spin;   /* radians */
  double factor; /* of a zoom */
  double length; /* of a path, in parts of the pixel's distance from the centre */
  double fade;
} MotionPath;

#endif
