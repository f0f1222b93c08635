/* The mean along a pixel's path, on the CPU. */
#ifndef MOTION_CPU_PATH_H
#define MOTION_CPU_PATH_H

#include "motion-plan.h"
#include "strip.h"

G_BEGIN_DECLS

/* The decoded source of a strip: rows of pixels of step floats (rows.h). */
typedef struct {
  const MotionPlan *plan;
  const FxStrip *strip;
  MotionPath path; /* in the image's pixels */
  const float *pixels;
  int width, height, step;
} MotionField;

/* What the paths of n samples have in common. A place of a path, from the centre, is that of its
 * pixel times a complex number. */
typedef struct {
  int n;                   /* 0: not set */
  double first_x, first_y; /* the number of the middle of the first part, less 1 for a zoom */
  double next_x, next_y;   /* times that of the next part; for a zoom, added to it */
  float
    along[MOTION_PART]; /* numbers of the samples, from the part's middle and in its direction */
  float across[MOTION_PART];
} MotionSteps;

/* Computes n pixels of the result from column x of row y on, in the image's pixels. steps is the
 * calling thread's, and begins with n = 0. */
void motion_field_filter (const MotionField *field, MotionSteps *steps, int x, int y, int n,
                          float *result);

G_END_DECLS

#endif
