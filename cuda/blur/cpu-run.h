/* The common part of the CPU paths. A run filters rows along x line by line, and along y in blocks
 * of columns, which stay in the cache while their rows are processed. */
#pragma once

#include "blur-plan.h"
#include "cpu.h"
#include "line.h"
#include "team.h"

/* The common part of a path's run, which is its first member. A row consists of channels planes of
 * pitch floats; rows are row_size floats apart. */
typedef struct {
  FxRun base;
  const BlurPlan *plan;
  int channels;
  int threads;
  FxTeam *team; /* of that many threads */
  gsize pitch;
  gsize row_size;
  BlurLine **lines; /* one per channel of the first thread, then of the second, and so on */
  float *kernel;    /* all 2 radius + 1 weights of the FIR along y */

  /* For the threads of the team: the rows that are pushed or pulled now. */
  const guint8 *source;
  guint8 *result;
  int y, rows;
} BlurCpuRun;

extern const FxBackend blur_cpu_fir;   /* cpu-fir.c: if axis y has no stages */
extern const FxBackend blur_cpu_grids; /* cpu-grids.c: if axis y has stages */

/* Returns the floats per row, for planes of width samples. It is an odd number of blocks, so that
 * the rows that a column is summed from do not all map to the same few cache sets. */
gsize blur_cpu_get_row_size (const FxPlan *plan, int width);

/* Returns the bytes that blur_cpu_run_init allocates. */
gsize blur_cpu_run_get_bytes (const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip);

/* Initialises run, which must be zeroed except for needs_all. width is the samples per row of a
 * plane. Returns FALSE with FX_ERROR_MEMORY if memory runs out; call blur_cpu_run_clear in either
 * case. */
gboolean blur_cpu_run_init (BlurCpuRun *run, const FxCpu *cpu, const FxPlan *plan,
                            const FxStrip *strip, int width, GError **error);
void blur_cpu_run_clear (BlurCpuRun *run);

/* Filters the lines that a thread has filled, one per channel, into row. */
void blur_cpu_run_filter_lines (const BlurCpuRun *run, BlurLine **lines, float *row);
