/* A run on the GPU, shared by the ways in which gpu.c does it. */
#ifndef FX_GPU_RUN_H
#define FX_GPU_RUN_H

#include "../kernels/args.h"
#include "axis.h"
#include "device.h"

#include "../../blur/kernels/blur-args.h"

G_BEGIN_DECLS

/* One axis: the grids along it, first the pixels, then one a stage; and its weights. */
typedef struct {
  const BlurAxis *axis;
  FxSpan spans[BLUR_STAGES_MAX + 1];
  BlurStageWeights stages[BLUR_STAGES_MAX];
  BlurTaps taps; /* of the FIR */
} BlurLevels;

typedef struct FxGpuRun FxGpuRun;

/* A way to blur a strip whose source rows come in order into a ring. */
struct FxGpuWay {
  /* Rows that the ring must hold beside the chunk that comes in. */
  int (*get_source_rows) (const FxPlan *plan, const FxStrip *strip);

  /* Bytes of device memory beside source and result. */
  gsize (*get_bytes) (const FxPlan *plan, const FxStrip *strip);

  /* The programs that it cannot do without. Returns how many. */
  int (*get_programs) (const FxPlan *plan, FxProgramKind *kinds);

  /* Takes memory; the programs are loaded. */
  gboolean (*begin) (FxGpuRun *run, GError **error);

  /* Queues what can be done once rows y to y + rows - 1 are in the ring. */
  gboolean (*take) (FxGpuRun *run, int y, int rows, GError **error);

  /* Queues what gives rows y to y + rows - 1 of the result. */
  gboolean (*give) (FxGpuRun *run, int y, int rows, GError **error);

  /* Whether all of a strip's source must be there before any of its result. */
  gboolean needs_all;
};

extern const FxGpuWay blur_gpu_fir;   /* gpu-fir.c: both axes in one kernel */
extern const FxGpuWay blur_gpu_rows;  /* gpu-fir.c: one after the other */
extern const FxGpuWay blur_gpu_grids; /* gpu-grids.c: an axis or both with stages */

struct FxGpuRun {
  FxRun base;
  FxGpu *gpu;
  const FxGpuWay *way;
  FxSource source; /* a ring of chunks, or all of an image that stays on the device */
  gpointer result;
  BlurLevels x, y;
  BlurTaps one;    /* the one that changes nothing */
  GArray *weights; /* of float, those of both, on their way to the device */

  gboolean grown;
  int tile;      /* columns */
  double queued; /* samples times taps since the device was last waited for */
  FxProgram *programs[BLUR_PROGRAM_KINDS]; /* those that the way uses */

  /* Of the FIRs. */
  FxGrid ring; /* rows filtered along x alone */

  /* Of the grids. */
  FxGrid grid;     /* the finest, then what is left to interpolate */
  int next;        /* the first row of the finest grid not made yet */
  gboolean solved; /* the coarser ones went through */
};

/* A run of plan; grown: what of the image is not at hand is transparent, for it was enlarged by
 * that. Its source is set before it begins; then it takes its buffers, result_bytes for
 * the result among them, and its programs. */
FxGpuRun *fx_gpu_run_new (FxGpu *gpu, const FxPlan *plan, const FxStrip *strip, gboolean grown);
gboolean fx_gpu_run_begin (FxGpuRun *run, gsize result_bytes, GError **error);

/* Waits for all that is queued, and frees the run. */
void fx_gpu_run_free (FxGpuRun *run);

/* Bytes of device memory that the way takes beside source and result. */
gsize fx_gpu_run_get_bytes (const FxPlan *plan, const FxStrip *strip);

/* Taps of a kernel. */
static inline int
blur_gpu_get_taps (const BlurTaps *taps)
{
  return 2 * taps->radius + 1;
}

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
gboolean fx_gpu_run_launch (FxGpuRun *run, FxProgramKind kind, FxLaunch launch, int rows, int warm,
                            int multiple, int *rows_a_block, void **args, GError **error);

/* A grid in a buffer of at least that size. FALSE with error on failure. */
gboolean fx_gpu_run_get_grid (FxGpuRun *run, FxBufferName buffer, FxSpan columns, FxSpan rows,
                              FxGrid *grid, GError **error);

/* Bytes of a grid of columns x rows cells. */
gsize fx_gpu_get_grid_bytes (const FxPlan *plan, gsize columns, gsize rows);

/* Of kernels/convolve.cuh: the widest tile with which a block fits into the device twice; a launch
 * over so many columns, but for its rows. */
int blur_gpu_get_tile (FxGpu *gpu, const FxPlan *plan);
FxLaunch blur_gpu_run_get_tiles (const FxGpuRun *run, const BlurTaps *x, const BlurTaps *y,
                                 int columns);

/* Whether the FIR of a plan's pixels goes through tiles on any device: the narrowest fits into the
 * least shared memory there is. */
gboolean blur_gpu_has_tile (const FxPlan *plan);

/* Whether the run's tile does with such weights, on its device. */
gboolean blur_gpu_run_has_room (const FxGpuRun *run, const BlurTaps *x, const BlurTaps *y);

/* Sets the spans of an axis's levels; past its last stage they stay the same. The grids along an
 * axis without stages have the pixels and what its FIR reaches beyond them. */
void blur_levels_init (BlurLevels *levels, const BlurAxis *axis, FxSpan source);

G_END_DECLS

#endif
