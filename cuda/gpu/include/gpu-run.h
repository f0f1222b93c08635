/* A run on the GPU: what the ways of every filter share. */
#ifndef FX_GPU_RUN_H
#define FX_GPU_RUN_H

#include "../kernels/args.h"
#include "device.h"

G_BEGIN_DECLS

/* The head of a way's own run. */
typedef struct {
  FxRun base;
  FxGpu *gpu;
  const FxGpuWay *way;
  gboolean keeps;  /* all of the image's source, row y at slot y, for the next run */
  gboolean grown;  /* what of the image is not at hand is transparent: it was enlarged by that */
  char *image;     /* where the source's memory starts */
  FxSource source; /* a ring of chunks, or all of an image that stays on the device */
  gpointer result;
  FxKernel *kernels[FX_PROGRAMS_MAX]; /* of the way's programs, in their order */
  double queued;                      /* samples times taps since the device was last waited for */
} FxGpuRun;

/* A way to run a plan over a strip whose source rows come in order into a ring. It keeps what it
 * needs from call to call in its own run. */
struct FxGpuWay {
  gsize size;         /* bytes of its own run */
  gboolean needs_all; /* of a strip's source, before any of its result */

  /* Rows that the ring must hold beside the chunk that comes in. */
  int (*get_source_rows) (const FxPlan *plan, const FxStrip *strip);

  /* Bytes of device memory beside source and result. */
  gsize (*get_bytes) (const FxPlan *plan, const FxStrip *strip);

  /* The programs that it cannot do without. Returns how many. */
  int (*get_programs) (const FxPlan *plan, FxVersions versions, const FxProgram **programs);

  /* Takes memory; the programs are loaded. */
  gboolean (*begin) (FxGpuRun *run, GError **error);

  /* Makes it ready for the same rows once more. NULL: it always is. */
  void (*rewind) (FxGpuRun *run);

  /* Queues what can be done once rows y to y + rows - 1 are in the ring. NULL: nothing. */
  gboolean (*take) (FxGpuRun *run, int y, int rows, GError **error);

  /* Queues what gives rows y to y + rows - 1 of the result. */
  gboolean (*give) (FxGpuRun *run, int y, int rows, GError **error);

  /* Frees what is in its own run, begun or not; nothing is queued any more. NULL: nothing. */
  void (*end) (FxGpuRun *run);
};

/* A run of plan; of one that is identity, no more than what paces its launches. grown: as FxGpuRun
 * has it. Its source is set before it begins; then it takes its buffers, result_bytes for the
 * result among them, and its programs. */
FxGpuRun *fx_gpu_run_new (FxGpu *gpu, const FxPlan *plan, const FxStrip *strip, gboolean grown);
gboolean fx_gpu_run_begin (FxGpuRun *run, gsize result_bytes, GError **error);

/* Waits for all that is queued, and frees the run. */
void fx_gpu_run_free (FxGpuRun *run);

/* Bytes of device memory that the way takes beside source and result. */
gsize fx_gpu_run_get_bytes (const FxPlan *plan, const FxStrip *strip);

/* Of what a run's programs are made. */
FxProgramCase fx_gpu_run_get_case (const FxGpuRun *run);

/* Rows y to y + rows - 1 of the result, whole. */
static inline FxRect
fx_gpu_run_get_area (const FxGpuRun *run, int y, int rows)
{
  return (FxRect) { run->base.strip.x0, y, run->base.strip.x1 - run->base.strip.x0, rows };
}

/* Where row y of the result goes, whose first row is first. */
static inline gpointer
fx_gpu_run_get_row (const FxGpuRun *run, int y, int first)
{
  gsize row = (run->base.strip.x1 - run->base.strip.x0) *
              fx_format_size (&run->base.plan->codec.format);

  return (char *) run->result + (gsize) (y - first) * row;
}

/* Adds what is to be queued next, in samples times taps. Where that and what is queued already
 * would be more than a launch may cost, waits for the latter, and asks whether the run is still
 * wanted: FALSE if it is not, or on failure. */
gboolean fx_gpu_run_pace (FxGpuRun *run, double cost, GError **error);

/* Queues what makes a part of an area. */
typedef gboolean (*FxGpuPart) (FxGpuRun *run, const FxRect *part, gpointer data, GError **error);

/* Queues an area in parts, from the top, each in one launch that costs no more than it may, as far
 * as parts are multiples of multiple_x columns (0: never cut) and multiple_y rows. taps: that a
 * sample is the sum of, beside what reading, decoding and storing it costs. */
gboolean fx_gpu_run_queue (FxGpuRun *run, const FxRect *area, int taps, int multiple_x,
                           int multiple_y, FxGpuPart part, gpointer data, GError **error);

/* Queues a kernel over launch.x blocks by rows rows. A block gets rows_a_block of them, a multiple
 * of multiple, chosen so that the blocks fill the device; warm: what its start costs, in rows.
 * rows_a_block is one of the kernel's args. */
gboolean fx_gpu_run_launch (FxGpuRun *run, FxKernel *kernel, FxLaunch launch, int rows, int warm,
                            int multiple, int *rows_a_block, void **args, GError **error);

/* A grid in a buffer of at least that size. FALSE with error on failure. */
gboolean fx_gpu_run_get_grid (FxGpuRun *run, FxBufferName buffer, FxSpan columns, FxSpan rows,
                              FxGrid *grid, GError **error);

/* Bytes of a grid of columns x rows cells. */
gsize fx_gpu_get_grid_bytes (const FxPlan *plan, gsize columns, gsize rows);

G_END_DECLS

#endif
