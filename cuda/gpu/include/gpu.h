/* The engine on an NVIDIA GPU. A build without CUDA has none.c instead.
 *
 * An FxGpu serves one thread at a time. */
#pragma once

#include "backend.h"
#include "config.h"
#include "program.h"

typedef struct FxGpu FxGpu;

/* Returns the number of usable GPUs: those in CUDA_VISIBLE_DEVICES, or all. Returns 0 if there is
 * no driver. Does not open a GPU. */
int fx_gpu_get_count (void);

/* Opens the first CUDA device (the first of CUDA_VISIBLE_DEVICES) and makes it this thread's
 * current one. From config, which need not outlive it, it takes ptx, versions, patience and
 * cache_dir. Returns NULL with FX_ERROR_UNAVAILABLE if there is no driver, no device or no GPU
 * engine in the build, or with another error if CUDA fails. */
FxGpu *fx_gpu_open (const FxConfig *config, GError **error);

/* Closes gpu and frees everything it holds. The device's context, which takes half a gigabyte of
 * its memory, is destroyed when its last user in the process releases it. If gpu's device is this
 * thread's current one, the thread has none afterwards. NULL is legal. */
void fx_gpu_close (FxGpu *gpu);

/* Returns the device's name, "NVIDIA H100 80GB HBM3" for example. Owned by gpu. */
const char *fx_gpu_get_name (FxGpu *gpu);

/* Makes gpu's device this thread's current one. Each thread must call this before it loads programs
 * or begins a run. Returns FALSE with error on failure. */
gboolean fx_gpu_use (FxGpu *gpu, GError **error);

/* Makes gpu's device this thread's current one, and sets bytes to the memory that a strip may take
 * now: the free memory and that which gpu holds for runs, less a reserve for others, a tenth of the
 * device's memory and at least 400 MiB. Returns FALSE with error on failure. */
gboolean fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error);

/* Pins host memory instead of the memory pinned before, for fast copies. If the system refuses,
 * copies from and to it remain slow. Size 0 pins nothing: call this before the memory is freed. */
void fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size);

/* What a GPU is to be ready for: runs of plan (an identity plan needs no programs); and program, if
 * not NULL, in linear light for images of format. */
typedef struct {
  FxPlan *plan;
  const FxProgram *program;
  FxFormat format;
} FxUse;

/* Return whether the use could begin at once, with its programs loaded; and load them, compiling
 * them if needed. */
gboolean fx_gpu_is_ready (FxGpu *gpu, const FxUse *use);
gboolean fx_gpu_make_ready (FxGpu *gpu, const FxUse *use, GError **error);

/* Estimated costs in milliseconds, measured on an H100: open, if the device is not open or programs
 * are not loaded; run, for a run; megabyte, for each megabyte copied to the device and back; work,
 * for each millisecond that the filter takes a thread of the CPU. They are 0 in a build without
 * CUDA. */
typedef struct {
  double open, run, megabyte, work;
} FxGpuCost;

const FxGpuCost *fx_gpu_get_cost (void);

/* Frees the device memory that gpu holds for the next run. A resident source stays. */
void fx_gpu_trim (FxGpu *gpu);

/* Returns whether the device still responds. After a failed kernel or a lost device it does not,
 * and the only legal call is fx_gpu_close. In a process that shares the context with other users,
 * that state may persist. */
gboolean fx_gpu_is_alive (FxGpu *gpu);

/* The backend for runs on a GPU; its device is the FxGpu. It keeps a resident source in the memory
 * leased with fx_gpu_lease_source. Its functions fail with FX_ERROR_UNAVAILABLE (no NVRTC, or one
 * that does not support the device), FX_ERROR_MEMORY or FX_ERROR_DEVICE. */
extern const FxBackend fx_gpu_backend;

/* Leases the memory for a resident source of bytes bytes. Another source that had the lease is
 * lost. Returns TRUE if resident has leased as much before, so that what was stored is still there.
 * The next run allocates the memory. */
gboolean fx_gpu_lease_source (FxGpu *gpu, const FxResidentSource *resident, gsize bytes);

/* Frees the memory of a resident source, if it has the lease. */
void fx_gpu_end_lease (FxGpu *gpu, const FxResidentSource *resident);

/* Returns the bytes of device memory held for resident sources, whichever has the lease. */
gsize fx_gpu_get_held_memory (FxGpu *gpu);
