/* The blur on the GPU: its programs and its paths. */
#pragma once

#include "gpu-run.h"

/* gpu-fir.c: both axes in one kernel, with weights passed at run time or compiled in. */
extern const FxProgram blur_program_fir, blur_program_fir_specialised;
extern const FxGpuPath blur_gpu_fir;

/* gpu-rows.c: one axis after the other. */
extern const FxProgram blur_program_rows, blur_program_columns;
extern const FxGpuPath blur_gpu_rows;

/* gpu-grids.c: for plans with stages on one or both axes. */
extern const FxProgram blur_program_decimate_source, blur_program_decimate_grid,
  blur_program_filter_grid, blur_program_interpolate_grid, blur_program_interpolate_result;
extern const FxGpuPath blur_gpu_grids;
