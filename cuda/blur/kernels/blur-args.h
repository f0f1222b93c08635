/* What the blur's kernels and the C that launches them share, read by both: arguments, whose
 * pointers are the device's, and the sizes of blocks. */
#ifndef BLUR_ARGS_H
#define BLUR_ARGS_H

/* A thread makes a run of neighbours at a time. */
#define RUN 8

/* The largest radius of both axes in one kernel, but for one that is compiled in (convolve.cuh). */
#define RADIUS_MAX 48

/* A block of rows.cu: ROWS rows of ROW_TILE columns. */
#define ROWS        16
#define ROW_TILE    128
#define ROW_THREADS (ROWS * ROW_TILE / RUN)

/* A block of columns.cu: RUN rows of COLUMNS columns. */
#define COLUMNS 64

/* The stages of the multi-resolution method. */
#define ORDER         8           /* of their B-splines */
#define REACH         (ORDER / 2) /* cells that a stage reaches on each side, at the most */
#define FACTOR_MAX    8
#define STAGE_THREADS 256 /* a block */

/* A symmetric kernel at run time: radius + 1 weights from the centre outwards. */
typedef struct {
  const float *weights;
  int radius;
} BlurTaps;

FX_ASSERT_SIZE (BlurTaps, 16);

/* One axis of a stage. decimate: radius + 1 weights from the centre outwards, radius = REACH *
 * (factor - 1); interpolate: [factor][ORDER]. */
typedef struct {
  int factor;
  const float *decimate, *interpolate;
} BlurStageWeights;

FX_ASSERT_SIZE (BlurStageWeights, 24);

#endif
