/* The engine on an NVIDIA GPU: context, memory, modules, launches. */
#ifndef BLUR_GPU_H
#define BLUR_GPU_H

#include "backend.h"

G_BEGIN_DECLS

typedef struct BlurGpu BlurGpu;

/* Opens the current CUDA device (the first of CUDA_VISIBLE_DEVICES). NULL with
 * BLUR_ERROR_UNAVAILABLE when there is no driver, no device, or the build has no GPU engine. */
BlurGpu *blur_gpu_open (GError **error);

/* NULL is legal. */
void blur_gpu_close (BlurGpu *gpu);

const char *blur_gpu_get_name (BlurGpu *gpu);

/* Bytes a strip may take now: what is free on the device, less a reserve. */
gsize blur_gpu_get_free_memory (BlurGpu *gpu);

/* Takes the BlurGpu as its device. Fails with BLUR_ERROR_UNAVAILABLE (no NVRTC, or one that does not
 * know the device), BLUR_ERROR_MEMORY or BLUR_ERROR_DEVICE. */
extern const BlurBackend blur_gpu_backend;

G_END_DECLS

#endif
