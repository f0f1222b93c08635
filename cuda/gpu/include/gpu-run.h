/* A run on the GPU: the parts that the GPU paths of all filters share. */
#pragma once

#include "../kernels/args.h"
#include "device.h"

/* The common part of every GPU path's run, which is its first member. */
typedef struct {
  FxRun base;
  FxGpu *gpu;
  const FxGpuPath *path;
  FxProgramCase program_case; /* that its programs are made for */
  gboolean for_view;          /* the result is only displayed, in 8 bits; set this before begin */
  char *image;                /* the start of the source's memory */
  FxSource source; /* a ring of chunks, or a whole resident image, whose rows do not move */
  FxRect area;     /* of the result that is pulled */
  gpointer result; /* begins with the first row of the area */
  FxKernel *kernels[FX_PROGRAMS_MAX]; /* of the path's programs, in the same order */
  GSList *kept;                       /* memory that is freed when the run ends */
  double queued; /* samples times taps queued since the last wait for the device */
  int pushed;    /* for fx_gpu_run_compute: the source row to pass to the path next */
} FxGpuRun;

/* A path: the part of a run on the GPU that a filter implements. run.c wraps it in the FxBackend
 * that the pipeline calls. The backend copies rows to and from the device, and returns when the
 * copies are complete. A path accesses only device memory, with a ring of the source and the
 * result, and queues launches. It keeps its state in its own run, whose first member is an
 * FxGpuRun.
 *
 * For each strip, get_source_rows, get_bytes and get_programs are called first. Then begin, push
 * and pull, in the order that backend.h describes, and end are called on one thread. The work that
 * they queue and the copies of chunks run in that order on the device's only stream, so a path need
 * not wait for any of them. */
struct FxGpuPath {
  gsize size;         /* the size of its run in bytes */
  gboolean needs_all; /* a strip's whole source must arrive before any result */

  /* The programs that the path requires, up to the first NULL. If that depends on the plan,
   * get_programs instead sets programs, with room for FX_PROGRAMS_MAX, and returns their number. */
  const FxProgram *programs[FX_PROGRAMS_MAX];
  int (*get_programs) (const FxPlan *plan, FxVariants variants, const FxProgram **programs);

  /* Returns the rows that the ring must hold in addition to the incoming chunk. NULL: those that a
   * chunk of the result depends on, and the rest of the source chunk that contains the last of
   * them. */
  int (*get_source_rows) (const FxPlan *plan, const FxStrip *strip);

  /* Returns the bytes of device memory needed in addition to source and result. NULL: none. */
  gsize (*get_bytes) (const FxPlan *plan, const FxStrip *strip);

  /* Allocates memory. The programs are already loaded. Returns FALSE with error on failure; end is
   * called then, too. NULL: there is nothing to allocate. */
  gboolean (*begin) (FxGpuRun *run, GError **error);

  /* Queues the work that is possible once rows y to y + rows - 1 of the source are in the ring.
   * NULL: none. */
  gboolean (*push) (FxGpuRun *run, int y, int rows, GError **error);

  /* Queues the work that produces area, which is the run's: rows of the result at full width. */
  gboolean (*pull) (FxGpuRun *run, const FxRect *area, GError **error);

  /* Frees the contents of the path's run, whether or not begin succeeded. No queued work is left.
   * NULL: there is nothing to free. */
  void (*end) (FxGpuRun *run);
};

/* Sets programs, with room for FX_PROGRAMS_MAX, to those that the plan's path requires. Returns
 * their number. */
int fx_gpu_path_get_programs (const FxPlan *plan, FxVariants variants, const FxProgram **programs);

/* Creates a run of plan over strip, which fx_gpu_run_free frees. plan must outlive it. A run of an
 * identity plan only limits launches (fx_gpu_run_throttle), and must not begin. Never returns NULL.
 * The caller sets the run's source; fx_gpu_run_begin then allocates the buffers, with result_bytes
 * for the result, and loads the programs. It returns FALSE with error on failure. */
FxGpuRun *fx_gpu_run_new (FxGpu *gpu, const FxPlan *plan, const FxStrip *strip);
gboolean fx_gpu_run_begin (FxGpuRun *run, gsize result_bytes, GError **error);

/* For a source that is on the device: queues the work that produces rows y to y + rows - 1 of the
 * result, after passing the path the source rows that they depend on and that it has not received
 * yet. Call this for rows in order. */
gboolean fx_gpu_run_compute (FxGpuRun *run, int y, int rows, GError **error);

/* Waits for all queued work and frees the run. */
void fx_gpu_run_free (FxGpuRun *run);

/* Keeps memory until the run ends, as that which is uploaded must be, and then frees it with
 * g_free. Returns memory, which may be NULL. */
gpointer fx_gpu_run_keep (FxGpuRun *run, gpointer memory);

/* Replaces the run's first n programs by specialised ones if all are available, and sets done to
 * whether it did. Until they are compiled, the run keeps the generic ones. Returns FALSE with error
 * if only specialised programs are allowed and one cannot be compiled. */
gboolean fx_gpu_run_specialise (FxGpuRun *run, int n, const FxProgram *const *programs,
                                gboolean *done, GError **error);

/* Returns the bytes of device memory that the plan's path needs in addition to source and
 * result. */
gsize fx_gpu_run_get_bytes (const FxPlan *plan, const FxStrip *strip);

/* Returns rows y to y + rows - 1 of the result at full width. */
static inline FxRect
fx_gpu_run_get_area (const FxGpuRun *run, int y, int rows)
{
  return (FxRect) { run->base.strip.x0, y, run->base.strip.x1 - run->base.strip.x0, rows };
}

/* Returns the address of row y of the result, which is in the area that is pulled. */
static inline gpointer
fx_gpu_run_get_row (const FxGpuRun *run, int y)
{
  gsize row = run->area.width * fx_format_size (&run->base.plan->codec.format);

  return (char *) run->result + (gsize) (y - run->area.y) * row;
}

/* Returns a launch over part, whose blocks have that many threads and process columns x rows. */
static inline FxLaunch
fx_gpu_get_launch (const FxRect *part, int columns, int rows, int threads)
{
  return (FxLaunch) { .x = fx_ceil_div (part->width, columns),
                      .y = fx_ceil_div (part->height, rows),
                      .threads = threads };
}

/* Call this before queueing work of the given cost, in samples times taps. If the cost and that of
 * the work already queued exceed the limit of one launch, waits for the queued work and checks
 * whether the run is still wanted. Returns FALSE if it is not, or with error on failure. */
gboolean fx_gpu_run_throttle (FxGpuRun *run, double cost, GError **error);

/* Queues the work for one part of an area. */
typedef gboolean (*FxGpuPart) (FxGpuRun *run, const FxRect *part, gpointer data, GError **error);

/* Queues an area in parts, from the top. Each part is one launch within the limit, as far as that
 * is possible with parts that are multiples of multiple_x columns (0: full width) and multiple_y
 * rows. taps is the number of products per sample; the cost of reading, decoding and storing a
 * sample is added. */
gboolean fx_gpu_run_queue (FxGpuRun *run, const FxRect *area, int taps, int multiple_x,
                           int multiple_y, FxGpuPart part, gpointer data, GError **error);

/* Returns how many rows each block is to process, a multiple of multiple, if a launch has columns
 * blocks horizontally, over rows rows, and the device runs capacity blocks at a time. warm is a
 * block's start-up cost, in rows. */
int fx_gpu_choose_rows (int capacity, int columns, int rows, int warm, int multiple);

/* Queues a kernel over launch.x blocks by rows rows. Each block processes rows_a_block rows, a
 * multiple of multiple, chosen so that the blocks fill the device. warm is a block's start-up cost,
 * in rows. rows_a_block must be one of the kernel's args. */
gboolean fx_gpu_run_launch (FxGpuRun *run, FxKernel *kernel, FxLaunch launch, int rows, int warm,
                            int multiple, int *rows_a_block, void **args, GError **error);

/* Sets grid to a grid of columns x rows cells in buffer, which is enlarged if needed. Returns FALSE
 * with error on failure. */
gboolean fx_gpu_run_get_grid (FxGpuRun *run, FxBufferName buffer, FxSpan columns, FxSpan rows,
                              FxGrid *grid, GError **error);

/* Returns the bytes of a grid of columns x rows cells. */
gsize fx_gpu_get_grid_bytes (const FxPlan *plan, gsize columns, gsize rows);
