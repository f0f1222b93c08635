/* One CUDA device, opened: programs, memory, copies, launches. What gpu.c and its parts see of it;
 * tests/shim/ implements the same on the CPU.
 *
 * Everything that is said to be queued runs in order, after the call has returned. Failures are
 * BLUR_ERROR_MEMORY where memory ran out, else BLUR_ERROR_DEVICE. */
#ifndef BLUR_DEVICE_H
#define BLUR_DEVICE_H

#include "gpu.h"
#include "program.h"

G_BEGIN_DECLS

/* A loaded program. */
typedef struct BlurProgram BlurProgram;

/* Device memory that grows with the largest run so far and is kept for the next; the image of a preview
 * and its mask stay until they are given back. */
typedef enum {
  BLUR_BUFFER_SOURCE, /* rows as they are stored */
  BLUR_BUFFER_RESULT,
  BLUR_BUFFER_RING, /* rows of floats on their way from one axis to the other */
  BLUR_BUFFER_GRID_0,
  BLUR_BUFFER_GRID_1,
  BLUR_BUFFER_WEIGHTS,
  BLUR_BUFFER_COVERS, /* what a view's columns and rows cover */
  BLUR_BUFFER_VIEW,
  BLUR_BUFFER_IMAGE, /* from here on those that stay */
  BLUR_BUFFER_MASK,
  BLUR_BUFFERS
} BlurBufferName;

/* The loaded program for plan, compiled if it must be: as blur_program_get_source. Owned by gpu; stays
 * loaded while fewer than 63 others are asked for. */
BlurProgram *blur_gpu_get_program (BlurGpu *gpu, const BlurPlan *plan, BlurProgramKind kind, int tile,
                                   GError **error);

/* The same, but NULL without an error, at once, while it is neither loaded nor kept on disk: it is
 * then compiled in the background. */
BlurProgram *blur_gpu_find_program (BlurGpu *gpu, const BlurPlan *plan, BlurProgramKind kind,
                                    int tile);

/* Whether blur_gpu_get_program would have it at once: it is loaded. */
gboolean blur_gpu_has_program (BlurGpu *gpu, const BlurPlan *plan, BlurProgramKind kind, int tile);

/* The most bytes of shared memory that a block may have, and that a multiprocessor has. */
void blur_gpu_get_shared (BlurGpu *gpu, gsize *block, gsize *processor);

/* What a launch may cost at the most, in samples times taps: no display shall freeze, and Cancel shall
 * not wait. */
double blur_gpu_get_launch_limit (BlurGpu *gpu);

/* How many blocks of a program run at a time. shared: bytes of shared memory a block, beside what the
 * program has of its own. */
gboolean blur_gpu_get_capacity (BlurGpu *gpu, BlurProgram *program, unsigned threads, gsize shared,
                                int *blocks, GError **error);

/* The buffer, at least size bytes large; what it held is lost if it must grow. NULL with error on
 * failure. */
gpointer blur_gpu_get_buffer (BlurGpu *gpu, BlurBufferName name, gsize size, GError **error);

/* Bytes of the buffers that stay. */
gsize blur_gpu_get_held_memory (BlurGpu *gpu);

/* Gives back that one, which may be empty. */
void blur_gpu_free_buffer (BlurGpu *gpu, BlurBufferName name);

/* Whose image the buffers that stay hold: an address that tells one from another; NULL, as at first:
 * nobody's. */
gconstpointer blur_gpu_get_resident (BlurGpu *gpu);
void blur_gpu_set_resident (BlurGpu *gpu, gconstpointer owner);

/* Queues a copy from host to device, or back. Not before blur_gpu_wait_upload or blur_gpu_wait may the
 * host memory be written or read. */
gboolean blur_gpu_upload (BlurGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);
gboolean blur_gpu_download (BlurGpu *gpu, gpointer to, gconstpointer from, gsize size,
                            GError **error);

/* Waits for the last upload; for all that is queued. */
gboolean blur_gpu_wait_upload (BlurGpu *gpu, GError **error);
gboolean blur_gpu_wait (BlurGpu *gpu, GError **error);

typedef struct {
  unsigned x, y; /* blocks */
  unsigned threads;
  gsize shared; /* bytes a block, beside what the program has of its own */
} BlurLaunch;

/* Queues a program's kernel. args: a pointer to each of its arguments, which are read at once. */
gboolean blur_gpu_launch (BlurGpu *gpu, BlurProgram *program, const BlurLaunch *launch, void **args,
                          GError **error);

/* For measurements: marks the queue's end as number n, 0 and up. */
gboolean blur_gpu_mark (BlurGpu *gpu, guint n, GError **error);

/* Waits for mark n + 1, and says what the device took from mark n to there. */
gboolean blur_gpu_get_time (BlurGpu *gpu, guint n, double *milliseconds, GError **error);

G_END_DECLS

#endif
