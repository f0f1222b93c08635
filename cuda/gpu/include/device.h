/* One CUDA device, opened: programs, memory, copies, launches. What gpu.c and its parts see of it;
 * tests/shim/ implements the same on the CPU.
 *
 * Everything that is said to be queued runs in order, after the call has returned. Failures are
 * FX_ERROR_MEMORY where memory ran out, else FX_ERROR_DEVICE. */
#ifndef FX_DEVICE_H
#define FX_DEVICE_H

#include "gpu.h"
#include "program.h"

G_BEGIN_DECLS

/* A loaded program. */
typedef struct FxProgram FxProgram;

/* Device memory that grows with the largest run so far and is kept for the next; the image of a
 * preview and its mask stay until they are given back. */
typedef enum {
  FX_BUFFER_SOURCE, /* rows as they are stored */
  FX_BUFFER_RESULT,
  FX_BUFFER_RING, /* rows of floats on their way from one axis to the other */
  FX_BUFFER_GRID_0,
  FX_BUFFER_GRID_1,
  FX_BUFFER_WEIGHTS,
  FX_BUFFER_COVERS, /* what a view's columns and rows cover */
  FX_BUFFER_VIEW,
  FX_BUFFER_IMAGE, /* from here on those that stay */
  FX_BUFFER_MASK,
  FX_BUFFERS
} FxBufferName;

/* The loaded program for plan, compiled if it must be: as fx_program_get_source. Owned by gpu;
 * stays loaded while fewer than 63 others are asked for. */
FxProgram *fx_gpu_get_program (FxGpu *gpu, const FxPlan *plan, FxProgramKind kind, int tile,
                               gboolean grown, GError **error);

/* The same, but NULL without an error, at once, while it is neither loaded nor kept on disk: it is
 * then compiled in the background. */
FxProgram *fx_gpu_find_program (FxGpu *gpu, const FxPlan *plan, FxProgramKind kind, int tile,
                                gboolean grown);

/* Whether fx_gpu_get_program would have it at once: it is loaded. */
gboolean fx_gpu_has_program (FxGpu *gpu, const FxPlan *plan, FxProgramKind kind, int tile,
                             gboolean grown);

/* The most bytes of shared memory that a block may have, and that a multiprocessor has. */
void fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor);

/* What a launch may cost at the most, in samples times taps: no display shall freeze, and Cancel
 * shall not wait. */
double fx_gpu_get_launch_limit (FxGpu *gpu);

/* How many blocks of a program run at a time. shared: bytes of shared memory a block, beside what
 * the program has of its own. */
gboolean fx_gpu_get_capacity (FxGpu *gpu, FxProgram *program, unsigned threads, gsize shared,
                              int *blocks, GError **error);

/* The buffer, at least size bytes large; what it held is lost if it must grow. NULL with error on
 * failure. */
gpointer fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error);

/* Bytes of the buffers that stay. */
gsize fx_gpu_get_held_memory (FxGpu *gpu);

/* Gives back that one, which may be empty. */
void fx_gpu_free_buffer (FxGpu *gpu, FxBufferName name);

/* Whose image the buffers that stay hold: an address that tells one from another; NULL, as at
 * first: nobody's. */
gconstpointer fx_gpu_get_resident (FxGpu *gpu);
void fx_gpu_set_resident (FxGpu *gpu, gconstpointer owner);

/* Queues a copy from host to device, or back. Not before fx_gpu_wait_upload or fx_gpu_wait may the
 * host memory be written or read. */
gboolean fx_gpu_upload (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);
gboolean fx_gpu_download (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);

/* Waits for the last upload; for all that is queued. */
gboolean fx_gpu_wait_upload (FxGpu *gpu, GError **error);
gboolean fx_gpu_wait (FxGpu *gpu, GError **error);

typedef struct {
  unsigned x, y; /* blocks */
  unsigned threads;
  gsize shared; /* bytes a block, beside what the program has of its own */
} FxLaunch;

/* Queues a program's kernel. args: a pointer to each of its arguments, which are read at once. */
gboolean fx_gpu_launch (FxGpu *gpu, FxProgram *program, const FxLaunch *launch, void **args,
                        GError **error);

/* For measurements: marks the queue's end as number n, 0 and up. */
gboolean fx_gpu_mark (FxGpu *gpu, guint n, GError **error);

/* Waits for mark n + 1, and says what the device took from mark n to there. */
gboolean fx_gpu_get_time (FxGpu *gpu, guint n, double *milliseconds, GError **error);

G_END_DECLS

#endif
