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
 * current one. Uses config's ptx, variants, timeout and cache_dir; config need not outlive the
 * call. Returns NULL with FX_ERROR_UNAVAILABLE if there is no driver, no device or no GPU engine in
 * the build, or with another error if CUDA fails. */
FxGpu *fx_gpu_open (const FxConfig *config, GError **error);

/* Closes gpu and frees everything it holds. The device's context, which takes half a gigabyte of
 * its memory, is destroyed when its last user in the process releases it. If gpu's device is this
 * thread's current one, the thread has none afterwards. NULL is legal. */
void fx_gpu_close (FxGpu *gpu);

/* Returns the device's name, such as "NVIDIA H100 80GB HBM3". gpu owns it. */
const char *fx_gpu_get_name (FxGpu *gpu);

/* Makes gpu's device this thread's current one. Each thread must call this before it loads programs
 * or begins a run. Returns FALSE with error on failure. */
gboolean fx_gpu_use (FxGpu *gpu, GError **error);

/* Makes gpu's device this thread's current one, and sets bytes to the memory that a strip may use
 * now: the free memory plus the memory that gpu keeps for runs, minus a reserve for other programs
 * (a tenth of the device's memory, at least 400 MiB). Returns FALSE with error on failure. */
gboolean fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error);

/* Pins host memory instead of the memory pinned before, for fast copies. If the system refuses,
 * copies from and to the memory remain slow. Call this with size 0, which pins nothing, before you
 * free the memory. */
void fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size);

/* What a GPU must be ready for: runs of plan (an identity plan needs no programs) and, if program
 * is not NULL, program in linear light for images of format. */
typedef struct {
  FxPlan *plan;
  const FxProgram *program;
  FxFormat format;
} FxUse;

/* Return whether the programs of use are loaded, so that it can begin at once; and load them, after
 * compiling them if needed. */
gboolean fx_gpu_is_ready (FxGpu *gpu, const FxUse *use);
gboolean fx_gpu_make_ready (FxGpu *gpu, const FxUse *use, GError **error);

/* Estimated costs in milliseconds, measured on an H100: open, to open the device or load programs;
 * run, for a run; megabyte, to copy a megabyte to the device and back; work, for each millisecond
 * that a thread of the CPU takes for the filter. They are 0 in a build without CUDA. */
typedef struct {
  double open, run, megabyte, work;
} FxGpuCost;

const FxGpuCost *fx_gpu_get_cost (void);

/* Frees the device memory that gpu keeps for the next run, except for a resident source. */
void fx_gpu_trim (FxGpu *gpu);

/* Returns whether the device still responds. After a failed kernel or a lost device it does not,
 * and the only legal call is fx_gpu_close. If other users in the process share the context, that
 * state may persist. */
gboolean fx_gpu_is_alive (FxGpu *gpu);

/* The backend for runs on a GPU; its device is the FxGpu. It keeps a resident source in the memory
 * leased with fx_gpu_lease_source. Its functions fail with FX_ERROR_UNAVAILABLE (no NVRTC, or one
 * that does not support the device), FX_ERROR_MEMORY or FX_ERROR_DEVICE. */
extern const FxBackend fx_gpu_backend;

/* Leases memory for a resident source of bytes bytes. A different source that had the lease is
 * lost. Returns TRUE if resident already has the lease and enough memory, so that its rows are
 * still there. The next run allocates the memory. */
gboolean fx_gpu_lease_source (FxGpu *gpu, const FxResidentSource *resident, gsize bytes);

/* Frees the memory of a resident source and of what is kept beside it, if it has the lease. */
void fx_gpu_end_lease (FxGpu *gpu, const FxResidentSource *resident);

/* Returns the bytes of device memory allocated for resident sources and what is kept beside them,
 * regardless of which one has the lease. */
gsize fx_gpu_get_held_memory (FxGpu *gpu);
