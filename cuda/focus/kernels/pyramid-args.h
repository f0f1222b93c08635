/* Declarations shared by the kernels and the C code that launches them: of the GPU alone. */
#ifndef FOCUS_PYRAMID_ARGS_H
#define FOCUS_PYRAMID_ARGS_H

#include "focus-args.h"

/* Cells of a level that a thread makes, one below the other; and the most cells of the finer level
 * to one of it. */
#define LEVEL_RUN      8
#define LEVEL_STEP_MAX 4

/* Cells of a row that a thread reads at a time to sum them for its pixels. */
#define GATHER_CELLS 4

/* The levels, in the image's pixels: cell n of a level is at pixel n times its factor. With
 * keep_sharp, colour and alpha are multiplied by w, and weights has w itself: as many floats as
 * there are cells. */
typedef struct {
  FxGrid cells[FOCUS_LEVELS_MAX];
  const float *weights[FOCUS_LEVELS_MAX];
} FocusPyramidArgs;

FX_ASSERT_SIZE (FocusPyramidArgs, 960);

/* All that the strength of a pixel depends on, in the image's pixels. */
typedef struct {
  FocusShapeArgs shape;

  /* With a map, or the part of it that the pixels need. */
  FocusMapArgs map;
  const float *values;
} FocusStrength;

FX_ASSERT_SIZE (FocusStrength, 128);

#endif
