/* A plan of a spin or a zoom. */
#pragma once

#include "kernels/motion-args.h"
#include "motion.h"

typedef struct {
  FxPlan base;
  MotionPath path; /* in the geometry's pixels */
  double samples;  /* the mean number of a pixel's samples */
} MotionPlan;

/* path.c: pure arithmetic. */

/* Returns the path in the pixels of an image whose first pixel is at x, y. */
MotionPath motion_path_move (const MotionPath *path, int x, int y);

/* Returns the number of samples of pixel x, y, from 1 to MOTION_SAMPLES_MAX. */
int motion_path_count (const MotionPath *path, double x, double y);

/* Returns the largest number of samples of a pixel of area. */
int motion_path_count_most (const MotionPath *path, const FxRect *area);

/* Returns the pixels that the paths of result's pixels lie on or between, result among them. */
FxRect motion_path_get_source (const MotionPath *path, const FxRect *result);

/* The filter's code for a CPU and, in a build with CUDA, for a GPU. */
extern const FxCpuPath motion_cpu_path;
extern const FxGpuPath motion_gpu_path;

/* Returns the plan of a line. */
FxPlan *motion_line_new (const MotionParams *params, const FxFormat *format, GError **error);
