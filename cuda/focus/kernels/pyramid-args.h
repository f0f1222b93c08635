/* Declarations shared by the kernels and the C code that launches them: of the GPU alone. */
#ifndef FOCUS_PYRAMID_ARGS_H
#define FOCUS_PYRAMID_ARGS_H

#include "focus-args.h"

/* Cells of a level that a thread makes, one below the other. */
#define LEVEL_RUN 4

/* Cells of a row that a thread reads at a time to sum them for its pixels. */
#define GATHER_CELLS 8

/* A level's marks: bytes for columns x to x + columns - 1 of rows y to y + rows - 1, each for
 * factor^2 pixels. Bit c says that channel c of one of them is infinite, bit c + 4 that it is minus
 * infinity; both, that it is NaN. */
typedef struct {
  unsigned char *cells;
  int x, columns;
  int y, rows;
} FocusMarksArgs;

FX_ASSERT_SIZE (FocusMarksArgs, 24);

/* The levels, in the image's pixels: cell n of a level is at pixel n times its factor. Samples that
 * are not finite are 0 in them, and have marks instead. With keep_sharp, colour and alpha are
 * multiplied by w, and weights has w itself: as many floats as there are cells. */
typedef struct {
  FxGrid cells[FOCUS_LEVELS_MAX];
  const float *weights[FOCUS_LEVELS_MAX];
  FocusMarksArgs marks[FOCUS_LEVELS_MAX];
  int *seen; /* whether there is a mark */
} FocusPyramidArgs;

FX_ASSERT_SIZE (FocusPyramidArgs, 1448);

/* All that the strength of a pixel depends on. */
typedef struct {
  FocusShapeArgs shape; /* in the image's pixels */

  /* With a map: v of columns x to x + width - 1 of the image, from row y on. */
  const float *shares;
  int x, y, width;
} FocusStrength;

FX_ASSERT_SIZE (FocusStrength, 104);

#endif
