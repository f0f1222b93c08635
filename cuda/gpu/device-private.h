/* What the parts of a device share: context.c, below memory.c, launch.c and marks.c, and these
 * below device.c. */
#ifndef FX_DEVICE_PRIVATE_H
#define FX_DEVICE_PRIVATE_H

#include "builder.h"
#include "device.h"
#include "driver.h"

G_BEGIN_DECLS

typedef struct {
  CUdeviceptr data;
  gsize size;
} FxBuffer;

struct FxGpu {
  char name[96];
  int processors;
  int shared_block, shared_processor; /* bytes */
  int shared_unasked;                 /* bytes that a block may have without asking for them */
  FxDriver driver;
  CUdevice device;
  CUcontext context; /* the device's primary one, retained */
  FxBuilder *builder;
  FxVersions versions;
  GQueue kernels; /* of FxKernel, the most recently used first */
  CUstream stream;
  CUevent uploaded;
  GArray *marks; /* of CUevent */
  FxBuffer buffers[FX_BUFFERS];
  gconstpointer owner; /* of some of them */
  gpointer pinned;     /* the caller's memory */
  gsize pinned_size;
};

/* As fx_driver_check. */
gboolean fx_gpu_check (const FxGpu *gpu, CUresult result, const char *what, GError **error);

/* Makes gpu's context this thread's for a while; fx_gpu_leave gives back the one before. */
void fx_gpu_enter (const FxGpu *gpu);
void fx_gpu_leave (const FxGpu *gpu);

/* Of fx_gpu_close, within fx_gpu_enter: what each part has. */
void fx_gpu_free_memory (FxGpu *gpu);
void fx_gpu_free_kernels (FxGpu *gpu);
void fx_gpu_free_marks (FxGpu *gpu);

G_END_DECLS

#endif
