/* An open CUDA device: programs, memory, copies and launches, for runs and the GPU paths of
 * filters. tests/shim/ has a driver on which it runs on the CPU.
 *
 * Queued work runs in order, after the call that queues it has returned. Functions with an error
 * fail with FX_ERROR_MEMORY if device memory is exhausted, otherwise with FX_ERROR_DEVICE, unless
 * they say more. The device must be the calling thread's current one (fx_gpu_use). */
#pragma once

#include "gpu.h"

/* The kernel of a loaded program, which its FxGpu owns. */
typedef struct FxKernel FxKernel;

/* Buffers of device memory. All but the last three grow to the largest size requested so far, and
 * stay allocated for later runs. The last three hold a resident source, and what is kept with it,
 * until they are freed. */
typedef enum {
  FX_BUFFER_SOURCE, /* a run's source rows, as they are stored */
  FX_BUFFER_RESULT,
  FX_BUFFER_PATH_0, /* a run's intermediate data, for its path */
  FX_BUFFER_PATH_1,
  FX_BUFFER_PATH_2,
  FX_BUFFER_VIEW_0, /* for a view of an image */
  FX_BUFFER_VIEW_1,
  FX_BUFFER_RESIDENT_0,
  FX_BUFFER_RESIDENT_1,
  FX_BUFFER_RESIDENT_2, /* see fx_gpu_keep_bytes */
  FX_BUFFERS
} FxBufferName;

#define FX_BUFFERS_RESIDENT FX_BUFFER_RESIDENT_0 /* the first of these three */

/* Returns the kernel of program for program_case. Loads the kernel first if needed, and waits for
 * its compilation if needed. The kernel stays loaded until 64 other kernels have been requested
 * after it. Cases that differ only in the entries of a table of a tone curve share a kernel, which
 * applies the table of the case that was requested last. Returns NULL with error on failure; the
 * error may also be one of fx_builder_get. */
FxKernel *fx_gpu_get_kernel (FxGpu *gpu, const FxProgram *program,
                             const FxProgramCase *program_case, GError **error);

/* The same for n programs, at most FX_PROGRAMS_MAX, which are compiled in parallel. Sets kernels to
 * the n kernels. Returns FALSE with error on failure; some of kernels are then NULL. */
gboolean fx_gpu_get_kernels (FxGpu *gpu, int n, const FxProgram *const *programs,
                             const FxProgramCase *program_case, FxKernel **kernels, GError **error);

/* Like fx_gpu_get_kernel, but never waits for a compilation; it may wait for NVRTC to open. If the
 * program is neither loaded nor in the cache, returns NULL and compiles it in the background. Also
 * returns NULL if it cannot be compiled or loaded. */
FxKernel *fx_gpu_find_kernel (FxGpu *gpu, const FxProgram *program,
                              const FxProgramCase *program_case);

/* Returns whether the kernel is loaded. Does not affect which kernels stay loaded. */
gboolean fx_gpu_has_kernel (FxGpu *gpu, const FxProgram *program,
                            const FxProgramCase *program_case);

/* Returns config's variants: which variants of programs to use. */
FxVariants fx_gpu_get_variants (FxGpu *gpu);

/* Sets block to the maximum bytes of shared memory per block, and processor to the bytes per
 * multiprocessor. */
void fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor);

/* Returns the maximum cost of one launch, in samples times taps. The limit keeps the display from
 * freezing, and lets a run be cancelled soon. */
double fx_gpu_get_launch_limit (FxGpu *gpu);

/* Sets blocks to the number of blocks of kernel, at least 1, that run on the device at the same
 * time. threads is per block. shared is the bytes of dynamic shared memory per block. Returns FALSE
 * with error if not even one block fits. */
gboolean fx_gpu_get_capacity (FxGpu *gpu, FxKernel *kernel, unsigned threads, gsize shared,
                              int *blocks, GError **error);

/* Returns the buffer's device address, after enlarging it to size bytes if it is smaller. Its
 * contents are lost if it is enlarged. Returns NULL with error on failure; the buffer is then
 * empty. */
gpointer fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error);

/* Returns the device address of a copy of bytes, which it keeps for later runs of the resident
 * source, until it is asked to keep others or the lease ends; it takes a reference. Queues an
 * upload if there is no copy yet. Returns NULL with error on failure. */
gconstpointer fx_gpu_keep_bytes (FxGpu *gpu, GBytes *bytes, GError **error);

/* Queue a copy of size bytes from host to device, and from device to host. The host memory must not
 * be written until fx_gpu_wait_upload or fx_gpu_wait after an upload, nor read until fx_gpu_wait
 * after a download. */
gboolean fx_gpu_upload (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);
gboolean fx_gpu_download (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error);

/* Wait for the last upload, and for all queued work. They also return FALSE if earlier queued work
 * has failed. */
gboolean fx_gpu_wait_upload (FxGpu *gpu, GError **error);
gboolean fx_gpu_wait (FxGpu *gpu, GError **error);

#define FX_BLOCKS_Y_MAX 65535

typedef struct {
  unsigned x, y; /* blocks, horizontally and vertically; y is at most FX_BLOCKS_Y_MAX */
  unsigned threads;
  gsize shared; /* bytes of dynamic shared memory per block */
} FxLaunch;

/* Queues a launch of kernel. args has a pointer to each of the kernel's arguments, which are copied
 * before the call returns. Fails with FX_ERROR_DEVICE if a block would need more threads or shared
 * memory than the device has. */
gboolean fx_gpu_launch (FxGpu *gpu, FxKernel *kernel, const FxLaunch *launch, void **args,
                        GError **error);
