/* A run on the CPU, shared by cpu.c and cpu-grids.c. */
#ifndef BLUR_CPU_RUN_H
#define BLUR_CPU_RUN_H

#include "backend.h"
#include "line.h"

G_BEGIN_DECLS

/* Columns that a thread works on at a time; divides the pitch. */
#define BLUR_CPU_BLOCK FX_COLUMN

/* Rows from one that is read to the one that is fetched. */
#define BLUR_CPU_AHEAD 8

#define BLUR_CPU_CACHE_LINE 16 /* floats */

/* Rows of channels planes of pitch floats each; row_size floats from one row to the next. */
typedef struct {
  FxSpan span;
  float *rows;
} BlurCpuGrid;

typedef struct {
  FxRun base;
  int channels;
  int threads;
  gsize pitch;                       /* floats of one plane of a row */
  gsize row_size;                    /* floats of one row */
  BlurLine **lines;                  /* one a thread and channel */
  float *kernel;                     /* the weights of the FIR along y, all 2 radius + 1 of them */
  float (**columns)[BLUR_CPU_BLOCK]; /* one a thread: a block, before and after the FIR */

  /* Of the FIR along y. */
  float *ring; /* row y, filtered along x, at slot y mod ring_rows */
  int ring_rows;
  float *beyond; /* one such row, of what lies beyond the edge */

  /* Of multi-resolution along y. */
  BlurCpuGrid grids[BLUR_STAGES_MAX]; /* one a stage, the finest first */
  gboolean solved;                    /* they hold the result, filtered along x too */
} BlurCpuRun;

/* A block of a row that is soon to be read: going down columns, the processor does not see it
 * coming. */
static inline void
blur_cpu_prefetch (const float *block)
{
  int i;

  for (i = 0; i < BLUR_CPU_BLOCK; i += BLUR_CPU_CACHE_LINE)
    __builtin_prefetch (block + i);
}

/* Of cpu.c. */

/* Memory for count rows of row_size floats, not cleared; free it with g_free. NULL when memory runs
 * out. */
float *blur_cpu_run_allocate_rows (const BlurCpuRun *run, gsize count);

/* Filters count rows along x, in place: the planes are as wide as the source before, as the result
 * after. */
void blur_cpu_run_filter_rows (BlurCpuRun *run, float *rows, int count);

/* Of cpu-grids.c, for a plan with stages along y. */

/* Sets spans[i] to the rows of stage i's grid, for each of the plan's stages. Returns how many rows
 * that is together. */
gsize blur_cpu_get_spans (const BlurPlan *plan, const FxStrip *strip, FxSpan *spans);

/* Takes memory for the grids, which the run frees at its end, after a failure too. FALSE when it
 * runs out. */
gboolean blur_cpu_run_allocate_grids (BlurCpuRun *run);

/* Shares out rows y to y + rows - 1 of the source among the cells of the first grid; source is as
 * push gets it. */
void blur_cpu_run_push_into_grid (BlurCpuRun *run, const guint8 *source, int y, int rows);

/* Filters the first grid, which all of the source is in, along both axes: from then on the result
 * can be interpolated from it. */
void blur_cpu_run_solve (BlurCpuRun *run);

/* Fills out with rows y to y + count - 1 of the result, the block of columns that begins offset
 * floats into a row. Threads may do so at once. */
void blur_cpu_run_interpolate_block (const BlurCpuRun *run, int y, int count, gsize offset,
                                     float (*out)[BLUR_CPU_BLOCK]);

G_END_DECLS

#endif
