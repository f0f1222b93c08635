/* The engine on an NVIDIA GPU. Where the build has no CUDA, none.c stands in. */
#ifndef FX_GPU_H
#define FX_GPU_H

#include "backend.h"
#include "config.h"

G_BEGIN_DECLS

typedef struct FxGpu FxGpu;

/* How many GPUs may be used: those of CUDA_VISIBLE_DEVICES, or all. 0 as well where something is
 * missing. Opens none of them. */
int fx_gpu_get_count (void);

/* Opens the current CUDA device (the first of CUDA_VISIBLE_DEVICES). NULL with FX_ERROR_UNAVAILABLE
 * when there is no driver, no device, or the build has no GPU engine. config: its code, versions
 * and cache count. */
FxGpu *fx_gpu_open (const FxConfig *config, GError **error);

/* Gives back all that gpu holds. The device's context, half a gigabyte of its memory, goes with the
 * last in the process that uses it. Where gpu's device is this thread's current one, there is none
 * afterwards. NULL is legal. */
void fx_gpu_close (FxGpu *gpu);

const char *fx_gpu_get_name (FxGpu *gpu);

/* Makes gpu's device the current one of this thread, which every thread must before it loads
 * programs or begins a run. */
gboolean fx_gpu_use (FxGpu *gpu, GError **error);

/* The same, and says how many bytes a strip may take now: what is free or held for runs by gpu,
 * less a reserve. */
gboolean fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error);

/* Pins host memory, in place of what was pinned before: copies from and to it are fast. Where the
 * system does not let it, they stay slow. size 0: pins nothing, before the memory is freed. */
void fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size);

/* Whether a run of plan would start at once, with no program to load or to compile; makes it so.
 * grown: as fx_gpu_run_new has it. */
gboolean fx_gpu_is_ready (FxGpu *gpu, const FxPlan *plan, gboolean grown);
gboolean fx_gpu_make_ready (FxGpu *gpu, const FxPlan *plan, gboolean grown, GError **error);

/* What a run costs, in milliseconds: with the device not open, or its programs not loaded; with all
 * of it there; for a megabyte to and from the device. Measured on an H100. */
typedef struct {
  double open, run, megabyte;
} FxGpuCost;

const FxGpuCost *fx_gpu_get_cost (void);

/* Gives back the memory that gpu keeps for the next run; a preview's image stays. */
void fx_gpu_trim (FxGpu *gpu);

/* Whether the device still answers. After a failed kernel, or when it was lost, it does not, and
 * gpu is good for fx_gpu_close alone; a process that shares its context with others may stay so. */
gboolean fx_gpu_is_alive (FxGpu *gpu);

/* Takes the FxGpu as its device. Fails with FX_ERROR_UNAVAILABLE (no NVRTC, or one that does not
 * know the device), FX_ERROR_MEMORY or FX_ERROR_DEVICE. */
extern const FxBackend fx_gpu_backend;

/* The same, but the source is taken in whole rows, and stays in memory that belongs to the caller
 * of fx_gpu_claim; it is not in the bytes that a strip takes. */
extern const FxBackend fx_gpu_keeping_backend;

/* Has gpu keep bytes of source for owner, an address that tells it from others; what another had is
 * lost. TRUE: what owner has had there, if anything, still is. */
gboolean fx_gpu_claim (FxGpu *gpu, gconstpointer owner, gsize bytes);

/* Bytes that owner has there; 0: none. */
gsize fx_gpu_get_claimed (FxGpu *gpu, gconstpointer owner);

/* Bytes that are there, whoever has them. */
gsize fx_gpu_get_held_memory (FxGpu *gpu);

/* For measurements. Runs plan n times over an image in device memory, into device memory, and says
 * how long each took on the device. pixels: width * height of them, in host memory; result: NULL,
 * or as many, gets the result's. milliseconds: n of them. */
gboolean fx_gpu_time (FxGpu *gpu, const FxPlan *plan, int width, int height, gconstpointer pixels,
                      gpointer result, double *milliseconds, int n, GError **error);

G_END_DECLS

#endif
