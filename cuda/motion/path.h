/* The paths of a spin and a zoom. Pure arithmetic. */
#ifndef MOTION_PATH_H
#define MOTION_PATH_H

#include "kernels/motion-args.h"
#include "rect.h"

G_BEGIN_DECLS

/* Returns the number of samples of pixel x, y, from 1 to MOTION_SAMPLES_MAX. */
int motion_path_count (const MotionPath *path, double x, double y);

/* Returns the pixels that the paths of result's pixels lie on or between, result among them. */
FxRect motion_path_get_source (const MotionPath *path, const FxRect *result);

G_END_DECLS

#endif
