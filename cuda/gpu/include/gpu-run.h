/* A run on the GPU, shared by the ways in which gpu.c does it. */
#ifndef BLUR_GPU_RUN_H
#define BLUR_GPU_RUN_H

#include "device.h"

G_BEGIN_DECLS

/* The arguments of kernels, as kernels/image.cuh, convolve.cuh and multires.cuh have them. Pointers
 * are the device's. */

typedef struct {
  gconstpointer pixels;
  int slots, offset;
  int pitch;
  int width, height;
  int x0, x1, y0, y1;
} BlurSource;

typedef struct {
  gpointer cells;
  int slots, offset;
  int x_first, columns;
  int y_first, rows;
  int beyond_low, beyond_high;
} BlurGrid;

typedef struct {
  const float *weights;
  int radius;
} BlurTaps;

typedef struct {
  int factor;
  const float *decimate, *interpolate;
} BlurStageWeights;

/* One axis: the grids along it, first the pixels, then one a stage; and its weights. */
typedef struct {
  const BlurAxis *axis;
  BlurSpan spans[BLUR_STAGES_MAX + 1];
  BlurStageWeights stages[BLUR_STAGES_MAX];
  BlurTaps taps; /* of the FIR */
} BlurLevels;

typedef struct BlurGpuRun BlurGpuRun;

/* A way to blur a strip whose source rows come in order into a ring. */
typedef struct {
  /* Rows that the ring must hold beside the chunk that comes in. */
  int (*get_source_rows) (const BlurPlan *plan, const BlurStrip *strip);

  /* Bytes of device memory beside source and result. */
  gsize (*get_bytes) (const BlurPlan *plan, const BlurStrip *strip);

  /* The programs that it cannot do without. Returns how many. */
  int (*get_programs) (const BlurPlan *plan, BlurProgramKind *kinds);

  /* Takes memory; the programs are loaded. */
  gboolean (*begin) (BlurGpuRun *run, GError **error);

  /* Queues what can be done once rows y to y + rows - 1 are in the ring. */
  gboolean (*take) (BlurGpuRun *run, int y, int rows, GError **error);

  /* Queues what gives rows y to y + rows - 1 of the result. */
  gboolean (*give) (BlurGpuRun *run, int y, int rows, GError **error);
} BlurGpuWay;

extern const BlurGpuWay blur_gpu_fir;   /* gpu-fir.c: both axes in one kernel */
extern const BlurGpuWay blur_gpu_rows;  /* gpu-fir.c: one after the other */
extern const BlurGpuWay blur_gpu_grids; /* gpu-grids.c: an axis or both with stages */

struct BlurGpuRun {
  BlurRun base;
  BlurGpu *gpu;
  const BlurGpuWay *way;
  BlurSource source; /* a ring of chunks, or all of an image that stays on the device */
  gpointer result;
  BlurLevels x, y;
  BlurTaps one;    /* the one that changes nothing */
  GArray *weights; /* of float, those of both, on their way to the device */

  int tile;      /* columns */
  double queued; /* samples times taps since the device was last waited for */
  BlurProgram *programs[BLUR_PROGRAM_KINDS]; /* those that the way uses */

  /* Of the FIRs. */
  BlurGrid ring; /* rows filtered along x alone */

  /* Of the grids. */
  BlurGrid grid;   /* the finest, then what is left to interpolate */
  int next;        /* the first row of the finest grid not made yet */
  gboolean solved; /* the coarser ones went through */
};

/* A run of plan. Its source is set before it begins; then it takes its buffers, result_bytes for the
 * result among them, and its programs. */
BlurGpuRun *blur_gpu_run_new (BlurGpu *gpu, const BlurPlan *plan, const BlurStrip *strip);
gboolean blur_gpu_run_begin (BlurGpuRun *run, gsize result_bytes, GError **error);

/* Waits for all that is queued, and frees the run. */
void blur_gpu_run_free (BlurGpuRun *run);

/* Bytes of device memory that the way takes beside source and result. */
gsize blur_gpu_run_get_bytes (const BlurPlan *plan, const BlurStrip *strip);

/* Taps of a kernel. */
static inline int
blur_gpu_get_taps (const BlurTaps *taps)
{
  return 2 * taps->radius + 1;
}

/* Rows y to y + rows - 1 of the result, whole. */
static inline BlurRect
blur_gpu_run_get_area (const BlurGpuRun *run, int y, int rows)
{
  return (BlurRect) { run->base.strip.x0, y, run->base.strip.x1 - run->base.strip.x0, rows };
}

/* Where row y of the result goes, whose first row is first. */
static inline gpointer
blur_gpu_run_get_row (const BlurGpuRun *run, int y, int first)
{
  gsize row = (run->base.strip.x1 - run->base.strip.x0) * blur_format_size (&run->base.plan->format);

  return (char *) run->result + (gsize) (y - first) * row;
}

/* n / m, upwards. */
static inline unsigned
blur_ceil_div (gsize n, gsize m)
{
  return (unsigned) ((n + m - 1) / m);
}

/* Adds what is to be queued next, in samples times taps. Where that and what is queued already would be
 * more than a launch may cost, waits for the latter, and asks whether the run is still wanted: FALSE if it
 * is not, or on failure. */
gboolean blur_gpu_run_pace (BlurGpuRun *run, double cost, GError **error);

/* Queues what makes a part of an area. */
typedef gboolean (*BlurGpuPart) (BlurGpuRun *run, const BlurRect *part, gpointer data,
                                 GError **error);

/* Queues an area in parts, from the top, each in one launch that costs no more than it may, as far as
 * parts are multiples of multiple_x columns (0: never cut) and multiple_y rows. taps: that a sample
 * is the sum of, beside what reading, decoding and storing it costs. */
gboolean blur_gpu_run_queue (BlurGpuRun *run, const BlurRect *area, int taps, int multiple_x,
                             int multiple_y, BlurGpuPart part, gpointer data, GError **error);

/* Queues a kernel over launch.x blocks by rows rows. A block gets rows_a_block of them, a multiple of
 * multiple, chosen so that the blocks fill the device; warm: what its start costs, in rows.
 * rows_a_block is one of the kernel's args. */
gboolean blur_gpu_run_launch (BlurGpuRun *run, BlurProgramKind kind, BlurLaunch launch, int rows,
                              int warm, int multiple, int *rows_a_block, void **args, GError **error);

/* A grid in a buffer of at least that size. FALSE with error on failure. */
gboolean blur_gpu_run_get_grid (BlurGpuRun *run, BlurBufferName buffer, BlurSpan columns,
                                BlurSpan rows, BlurGrid *grid, GError **error);

/* Bytes of a grid of columns x rows cells. */
gsize blur_gpu_get_grid_bytes (const BlurPlan *plan, gsize columns, gsize rows);

/* Of kernels/convolve.cuh: the rows that a block makes at a time; the widest tile with which a block
 * fits into the device twice; a launch over so many columns, but for its rows. */
#define BLUR_GPU_TILE_ROWS 8
int blur_gpu_get_tile (BlurGpu *gpu, const BlurPlan *plan);
BlurLaunch blur_gpu_run_get_tiles (const BlurGpuRun *run, const BlurTaps *x, const BlurTaps *y,
                                   int columns);

/* Whether the FIR of a plan's pixels goes through tiles on any device: the narrowest fits into the least
 * shared memory there is. */
gboolean blur_gpu_has_tile (const BlurPlan *plan);

/* Whether the run's tile does with such weights, on its device. */
gboolean blur_gpu_run_has_room (const BlurGpuRun *run, const BlurTaps *x, const BlurTaps *y);

/* Sets the spans of an axis's levels; past its last stage they stay the same. The grids along an axis
 * without stages have the pixels and what its FIR reaches beyond them. */
void blur_levels_init (BlurLevels *levels, const BlurAxis *axis, BlurSpan source);

G_END_DECLS

#endif
