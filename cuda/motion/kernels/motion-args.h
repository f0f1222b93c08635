/* Declarations shared by the motion blur's kernels and the C code that launches them. */
#ifndef MOTION_ARGS_H
#define MOTION_ARGS_H

/* The most samples in a part of a path. The middle of a part is computed in at least twice the
 * precision of a float. Its samples lie so close to the middle that their offsets from it need only
 * single precision. */
#define MOTION_PART 8

/* The largest angle of a spin's part on the GPU, in radians. A polynomial of degree 4 replaces the
 * part. Its error, in proportion to the fifth power of half the angle, is small enough even at the
 * radius at which a part has MOTION_PART samples. */
#define MOTION_TURN 0.11f

/* An infinity counts only if its weight is above this: rounding errors of places can turn a weight
 * of 0 into some 1e-7. */
#define MOTION_NOTHING 9.5e-7f /* 2^-20 */

/* If a sum is not finite, it is computed again from pixels multiplied by this. Even the longest
 * path, with weights of up to 2, then cannot overflow if its pixels are finite. */
#define MOTION_SCALE 4.656612873077393e-10f /* 2^-31 */

/* The most samples of a path, which takes a thread a few milliseconds. */
#define MOTION_SAMPLES_MAX (1 << 20)

/* The paths of all pixels. Either spin or factor is 0. */
typedef struct {
  double center_x, center_y;
  double spin;   /* radians */
  double factor; /* of a zoom */
  double length; /* of a path, in parts of the pixel's distance from the centre */
  double fade;
} MotionPath;

#endif
