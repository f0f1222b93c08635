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

/* Places have rounding errors, so a weight that should be 0 may be some 1e-7. An infinity does not
 * count if its weight is not above this. */
#define MOTION_NOTHING 9.5e-7f /* 2^-20 */

/* Where a sum is not finite, it is computed again from pixels times this: of as many samples as a
 * path may have, with weights up to 2, it cannot overflow if the pixels are finite. */
#define MOTION_SCALE 4.656612873077393e-10f /* 2^-31 */

/* The samples of a path, at most: one takes a thread a few milliseconds. */
#define MOTION_SAMPLES_MAX (1 << 20)

/* The paths of all pixels. One of spin and factor is 0. */
typedef struct {
  double center_x, center_y;
  double spin;   /* radians */
  double factor; /* of a zoom */
  double length; /* of a path, in parts of the pixel's distance from the centre */
  double fade;
} MotionPath;

#endif
