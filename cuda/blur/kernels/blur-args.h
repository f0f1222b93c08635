/* Declarations shared by the blur's kernels and the C code that launches them: arguments, whose
 * pointers are device pointers, and block sizes. */
#ifndef BLUR_ARGS_H
#define BLUR_ARGS_H

/* Neighbouring samples that a thread computes at a time: a run. */
#define RUN 8

/* The largest radius for both axes in one kernel whose weights are not compiled in
 * (separable.cuh). */
#define RADIUS_MAX 48

/* A block of rows.cu: ROWS rows of ROW_TILE columns. */
#define ROWS        16
#define ROW_TILE    128
#define ROW_THREADS (ROWS * ROW_TILE / RUN)

/* A block of columns.cu: RUN rows of COLUMNS columns. */
#define COLUMNS 64

/* The stages of the multi-resolution method. */
#define ORDER         8           /* of their B-splines */
#define REACH         (ORDER / 2) /* the most cells that a stage depends on, on each side */
#define FACTOR_MAX    8
#define STAGE_THREADS 256 /* per block */

/* A symmetric kernel passed at run time: radius + 1 weights from the centre outwards. */
typedef struct {
  const float *weights;
  int radius;
} BlurTaps;

FX_ASSERT_SIZE (BlurTaps, 16);

/* One axis of a stage. decimate has radius + 1 weights from the centre outwards, with radius =
 * REACH * (factor - 1); interpolate is [factor][ORDER]. */
typedef struct {
  int factor;
  const float *decimate, *interpolate;
} BlurStageWeights;

FX_ASSERT_SIZE (BlurStageWeights, 24);

#endif
