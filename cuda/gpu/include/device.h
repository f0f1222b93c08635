/* One CUDA device, opened: programs, memory, copies, launches. What a run and its way see of it;
 * tests/shim/ implements the same on the CPU.
 *
 * Everything that is said to be queued runs in order, after the call has returned. Failures are
 * FX_ERROR_MEMORY where memory ran out, else FX_ERROR_DEVICE. */
#ifndef FX_DEVICE_H
#define FX_DEVICE_H

#include "gpu.h"
#include "program.h"

G_BEGIN_DECLS

/* The kernel of a loaded program. */
typedef struct FxKernel FxKernel;

/* Device memory. All but the last two grow with the largest run so far and are kept for the next.
 * Those are kept for whom they belong to, until they are given back. */
typedef enum {
  FX_BUFFER_SOURCE, /* of a run: rows as they are stored */
  FX_BUFFER_RESULT,
  FX_BUFFER_WAY_0, /* of a run: what its way makes of them */
  FX_BUFFER_WAY_1,
  FX_BUFFER_WAY_2,
  FX_BUFFER_VIEW_0, /* of a view of an image */
  FX_BUFFER_VIEW_1,
  FX_BUFFER_OWNED_0,
  FX_BUFFER_OWNED_1,
  FX_BUFFERS
} FxBufferName;

/* Those before it are for anybody. */
#define FX_BUFFERS_OWNED FX_BUFFER_OWNED_0

/* The kernel of a program for a case, loaded, and compiled if it must be: as fx_program_get. Owned
 * by gpu; stays loaded while fewer than 63 others are asked for. */
FxKernel *fx_gpu_get_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *what,
                             GError **error);

/* The same for n programs, at most FX_PROGRAMS_MAX, which are compiled side by side. */
gboolean fx_gpu_get_kernels (FxGpu *gpu, int n, const FxProgram *const *programs,
                             const FxProgramCase *what, FxKernel **kernels, GError **error);

/* The same for one, but NULL without an error, at once, while it is neither loaded nor kept on
 * disk: it is then compiled in the background. */
FxKernel *fx_gpu_find_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *what);

/* Whether fx_gpu_get_kernel would have it at once: it is loaded. Changes nothing. */
gboolean fx_gpu_has_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *what);

/* Which programs run on it. */
FxVersions fx_gpu_get_versions (FxGpu *gpu);

/* The most bytes of shared memory that a block may have, and that a multiprocessor has. */
void fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor);

/* What a launch may cost at the most, in samples times taps: no display shall freeze, and Cancel
 * shall not wait. */
double fx_gpu_get_launch_limit (FxGpu *gpu);

/* How many blocks of a kernel run at a time. shared: bytes of shared memory a block, beside what
 * the kernel has of its own. */
gboolean fx_gpu_get_capacity (FxGpu *gpu, FxKernel *kernel, unsigned threads, gsize shared,
                              int *blocks, GError **error);

/* The buffer, at least size bytes large; what it held is lost if it must grow. NULL with error on
 * failure. */
gpointer fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error);

/* Gives back that one, which may be empty. */
void fx_gpu_free_buffer (FxGpu *gpu, FxBufferName name);

/* Whom those buffers belong to: an address that tells one from another; NULL, as at first:
   nobody. */
gconstpointer fx_gpu_get_owner (FxGpu *gpu);
void fx_gpu_set_owner (FxGpu *gpu, gconstpointer owner);

/* Queues a copy from host to device, or back. Not before fx_gpu_wait_upload or fx_gpu_wait may the
 * host memory be written or read. */
gboolean fx_gpu_upload (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);
gboolean fx_gpu_download (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);

/* Waits for the last upload; for all that is queued. */
gboolean fx_gpu_wait_upload (FxGpu *gpu, GError **error);
gboolean fx_gpu_wait (FxGpu *gpu, GError **error);

#define FX_BLOCKS_BELOW_MAX 65535

typedef struct {
  unsigned x, y; /* blocks beside each other; below each other, at most FX_BLOCKS_BELOW_MAX */
  unsigned threads;
  gsize shared; /* bytes a block, beside what the kernel has of its own */
} FxLaunch;

/* Queues a kernel. args: a pointer to each of its arguments, which are read at once. */
gboolean fx_gpu_launch (FxGpu *gpu, FxKernel *kernel, const FxLaunch *launch, void **args,
                        GError **error);

/* For measurements: marks the queue's end as number n, 0 and up. */
gboolean fx_gpu_mark (FxGpu *gpu, guint n, GError **error);

/* Waits for mark n + 1, and says what the device took from mark n to there. */
gboolean fx_gpu_get_time (FxGpu *gpu, guint n, double *milliseconds, GError **error);

G_END_DECLS

#endif
