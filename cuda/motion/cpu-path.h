/* The mean along a pixel's path, on the CPU. */
#pragma once

#include "motion-plan.h"
#include "strip.h"

#define MOTION_BORDER 2 /* pixels around a field */

/* The decoded source of a strip: rows of pixels of step floats (rows.h), pitch floats apart, with
 * MOTION_BORDER more pixels on each side, of the border that the abyss policy defines. */
typedef struct {
  const FxStrip *strip;
  MotionPath path;     /* in the image's pixels */
  const float *pixels; /* the first one of the source */
  int width, height, step;
  gsize pitch;
} MotionField;

/* Computes a block of the result, in the image's pixels, one row after the other without padding.
 */
void motion_field_filter (const MotionField *field, const FxRect *block, float *result);
