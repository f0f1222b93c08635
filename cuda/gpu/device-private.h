/* Declarations shared by the files that implement a device: device.c uses memory.c and launch.c,
 * and all three use context.c. */
#pragma once

#include "builder.h"
#include "device.h"
#include "driver.h"

typedef struct {
  CUdeviceptr data;
  gsize size;
} FxBuffer;

struct FxGpu {
  char name[96];
  int processors;
  int shared_block, shared_processor; /* bytes */
  int shared_default;                 /* bytes per block that need no request */
  FxDriver driver;
  CUdevice device;
  CUcontext context; /* the device's primary context, retained */
  FxBuilder *builder;
  FxVariants variants;
  GQueue kernels; /* of FxKernel, most recently used first */
  CUstream stream;
  CUevent uploaded;
  FxBuffer buffers[FX_BUFFERS];
  const FxResidentSource *resident; /* the source that has the lease */
  GBytes *kept;                     /* what FX_BUFFER_RESIDENT_2 has, or NULL */
  gpointer pinned;                  /* host memory of the caller */
  gsize pinned_size;
};

/* Calls a function of the driver. Returns FALSE with error like fx_driver_check. */
#define FX_GPU_CALL(gpu, error, call, ...) \
  fx_driver_check (&(gpu)->driver, (gpu)->driver.call (__VA_ARGS__), #call, error)

/* Makes gpu's context this thread's current one, until fx_gpu_leave restores the previous one.
 * Returns FALSE on failure; the previous one is then still current. Pass the result to
 * fx_gpu_leave. */
gboolean fx_gpu_enter (const FxGpu *gpu);
void fx_gpu_leave (const FxGpu *gpu, gboolean entered);

/* Free what memory.c and launch.c have allocated. fx_gpu_close calls them between fx_gpu_enter and
 * fx_gpu_leave. */
void fx_gpu_free_memory (FxGpu *gpu);
void fx_gpu_free_kernels (FxGpu *gpu);
