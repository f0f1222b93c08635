/* What the ways on the CPU share: a run whose rows are filtered along x line by line, and along y
 * in blocks of columns, which stay in cache while their rows go by. */
#ifndef BLUR_CPU_RUN_H
#define BLUR_CPU_RUN_H

#include "blur-plan.h"
#include "cpu.h"
#include "line.h"
#include "team.h"

G_BEGIN_DECLS

/* Rows of the result at a time. */
#define BLUR_CPU_ROWS 32

typedef struct BlurCpuRun BlurCpuRun;

/* Fills out with rows y to y + count - 1 of the result, BLUR_CPU_ROWS at the most, of the block of
 * columns that begins offset floats into a row; column: the thread's scratch. Threads do so at
 * once. */
typedef void (*BlurCpuFill) (const BlurCpuRun *run, int y, int count, gsize offset,
                             float (*column)[FX_COLUMN], float (*out)[FX_COLUMN]);

/* The head of a way's own run. A row has channels planes of pitch floats each, and row_size floats
 * to the next row. */
struct BlurCpuRun {
  FxRun base;
  BlurCpuFill fill;
  const BlurPlan *plan;
  int channels;
  int threads;
  FxTeam *team; /* of so many */
  gsize pitch;
  gsize row_size;
  BlurLine **lines;             /* one a thread and channel */
  float *kernel;                /* the weights of the FIR along y, all 2 radius + 1 of them */
  float (**columns)[FX_COLUMN]; /* one a thread: a block, before and after the FIR */
};

extern const FxBackend blur_cpu_fir;   /* cpu-fir.c: an axis y without stages */
extern const FxBackend blur_cpu_grids; /* cpu-grids.c: one with stages */

/* Floats of a row of planes of width samples. An odd number of blocks, so that the rows that a
 * column is summed from do not all fall into the same few places of the cache. */
gsize blur_cpu_get_row_size (const FxPlan *plan, int width);

/* Bytes of what blur_cpu_run_init takes. */
gsize blur_cpu_run_get_bytes (const FxCpu *cpu, const FxPlan *plan, const FxStrip *strip,
                              gsize column_rows);

/* Fills run, whose backend and fill are set. width: samples of a plane of a row; column_rows: of a
 * block of columns and of what becomes of it. FALSE with error when memory runs out. */
gboolean blur_cpu_run_init (BlurCpuRun *run, const FxCpu *cpu, const FxPlan *plan,
                            const FxStrip *strip, int width, gsize column_rows, GError **error);
void blur_cpu_run_clear (BlurCpuRun *run);

/* Filters the lines that a thread has filled, a channel each, into a row. */
void blur_cpu_run_filter_lines (const BlurCpuRun *run, BlurLine **lines, float *row);

/* The lines of a thread of the team's. */
BlurLine **blur_cpu_run_get_lines (const BlurCpuRun *run, int thread);

/* As FxBackend's pull, by way of fill. */
void blur_cpu_run_pull (const BlurCpuRun *run, gpointer result, int y, int rows);

G_END_DECLS

#endif
