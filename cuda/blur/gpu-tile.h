/* The blocks of kernels/separable.cuh. A block computes a tile of columns; its shared memory holds
 * the weights of both axes, the incoming rows and a ring of rows. */
#pragma once

#include "gpu-levels.h"

/* Returns whether the FIR of a plan's pixels can use tiles on any device: the narrowest tile must
 * fit into the smallest shared memory. */
gboolean blur_tile_fits (const FxPlan *plan);

/* Returns the columns of a tile: the widest of which two blocks fit into a multiprocessor, or the
 * narrowest. */
int blur_tile_choose (const FxProgramCase *program_case);

/* Appends the constants of a program that uses tiles. */
void blur_define_tile (const FxProgramCase *program_case, GString *text);

/* Returns whether a block with these weights fits into the shared memory of the run's device. */
gboolean blur_tile_has_room (const BlurGpuRun *run, const BlurTaps *x, const BlurTaps *y);

/* Returns the launch over columns columns, except for the number of rows. */
FxLaunch blur_tile_get_launch (const BlurGpuRun *run, const BlurTaps *x, const BlurTaps *y,
                               int columns);
