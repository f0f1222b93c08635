/* The common part of the CPU paths. A run filters rows along x line by line, and along y in blocks
 * of columns, which stay in the cache while their rows are processed. */
#pragma once

#include "blur-plan.h"
#include "cpu-blocks.h"
#include "line.h"

/* The common part of a path's run, which is its first member. A row consists of channels planes of
 * pitch floats; rows are row_size floats apart, an odd number of blocks, so that the rows that a
 * column is summed from do not all map to the same few cache sets. */
typedef struct {
  FxCpuBlocks base;
  const BlurPlan *plan;
  int channels;
  gsize pitch;
  gsize row_size;
  BlurLine **lines; /* one per channel of the first thread, then of the second, and so on */
  float *kernel;    /* all 2 radius + 1 weights of the FIR along y */
} BlurCpuRun;

extern const FxCpuPath blur_cpu_fir;   /* cpu-fir.c: if axis y has no stages */
extern const FxCpuPath blur_cpu_grids; /* cpu-grids.c: if axis y has stages */

/* Set the measures for planes of width samples per row, and take the lines and the kernel. */
void blur_cpu_run_init (BlurCpuRun *run, int width);
void blur_cpu_run_lay_out (BlurCpuRun *run);

/* Filters the lines that a thread has filled, one per channel, into row. */
void blur_cpu_run_filter_lines (const BlurCpuRun *run, BlurLine **lines, float *row);
