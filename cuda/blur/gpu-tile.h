/* The blocks of kernels/convolve.cuh: a tile of columns, with both axes' weights, the rows that
 * come in and a ring of rows in shared memory. */
#ifndef BLUR_GPU_TILE_H
#define BLUR_GPU_TILE_H

#include "gpu-levels.h"

G_BEGIN_DECLS

/* Whether the FIR of a plan's pixels goes through tiles on any device: the narrowest fits into the
 * least shared memory there is. */
gboolean blur_tile_fits (const FxPlan *plan);

/* The columns of a tile: the widest with which a block fits into the device twice. */
int blur_tile_choose (const FxProgramCase *what);

/* The constant of a program that has tiles. */
void blur_define_tile (const FxProgramCase *what, GString *text);

/* Whether a block with such weights fits into the run's device. */
gboolean blur_tile_has_room (const BlurGpuRun *run, int tile, const BlurTaps *x, const BlurTaps *y);

/* A launch over so many columns, but for its rows. */
FxLaunch blur_tile_get_launch (const BlurGpuRun *run, int tile, const BlurTaps *x,
                               const BlurTaps *y, int columns);

G_END_DECLS

#endif
