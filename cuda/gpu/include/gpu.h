/* The engine on an NVIDIA GPU. Where the build has no CUDA, nogpu.c stands in. */
#ifndef BLUR_GPU_H
#define BLUR_GPU_H

#include "backend.h"

G_BEGIN_DECLS

typedef struct BlurGpu BlurGpu;

/* Whether there is a driver, which a device needs. Costs next to nothing; FALSE with
 * BLUR_ERROR_UNAVAILABLE, and what blur_gpu_open would say. */
gboolean blur_gpu_has_driver (GError **error);

/* Opens the current CUDA device (the first of CUDA_VISIBLE_DEVICES). NULL with
 * BLUR_ERROR_UNAVAILABLE when there is no driver, no device, or the build has no GPU engine. */
BlurGpu *blur_gpu_open (GError **error);

/* Gives back all that gpu holds, and with the process's last one the device's context, half a gigabyte
 * of its memory. NULL is legal. */
void blur_gpu_close (BlurGpu *gpu);

const char *blur_gpu_get_name (BlurGpu *gpu);

/* Makes gpu's device the current one of this thread, which every thread must before it loads programs
 * or begins a run. */
gboolean blur_gpu_use (BlurGpu *gpu, GError **error);

/* The same, and says how many bytes a strip may take now: what is free or held for runs by gpu, less a
 * reserve. */
gboolean blur_gpu_get_free_memory (BlurGpu *gpu, gsize *bytes, GError **error);

/* Pins host memory, in place of what was pinned before: copies from and to it are fast. Where the system
 * does not let it, they stay slow. size 0: pins nothing, before the memory is freed. */
void blur_gpu_pin (BlurGpu *gpu, gpointer memory, gsize size);

/* Whether a run of plan would start at once, with no program to load or to compile; makes it so. */
gboolean blur_gpu_is_ready (BlurGpu *gpu, const BlurPlan *plan);
gboolean blur_gpu_get_ready (BlurGpu *gpu, const BlurPlan *plan, GError **error);

/* What a run costs, in milliseconds: with the device not open, or its programs not loaded; with all of
 * it there; for a megabyte to and from the device. Measured on an H100. */
typedef struct {
  double open, run, megabyte;
} BlurGpuCost;

const BlurGpuCost *blur_gpu_get_cost (void);

/* Gives back the memory that gpu keeps for the next run; a preview's image stays. */
void blur_gpu_trim (BlurGpu *gpu);

/* Whether the device still answers. After a failed kernel, or when it was lost, it does not, and gpu
 * is good for blur_gpu_close alone; a process that shares its context with others may stay so. */
gboolean blur_gpu_is_alive (BlurGpu *gpu);

/* Takes the BlurGpu as its device. Fails with BLUR_ERROR_UNAVAILABLE (no NVRTC, or one that does not
 * know the device), BLUR_ERROR_MEMORY or BLUR_ERROR_DEVICE. */
extern const BlurBackend blur_gpu_backend;

/* For measurements. Blurs an image that lies in device memory into device memory, n times, and says
 * how long each took on the device. pixels: width * height of them, in host memory; result: NULL, or
 * as many, gets the blurred ones. milliseconds: n of them. */
gboolean blur_gpu_time (BlurGpu *gpu, const BlurPlan *plan, int width, int height,
                        gconstpointer pixels, gpointer result, double *milliseconds, int n,
                        GError **error);

G_END_DECLS

#endif
