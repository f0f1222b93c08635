/* A thread's current CUDA context. */
#include "device-private.h"

gboolean
fx_gpu_use (FxGpu *gpu, GError **error)
{
  return FX_GPU_CALL (gpu, error, cuCtxSetCurrent, gpu->context);
}

gboolean
fx_gpu_enter (const FxGpu *gpu)
{
  return gpu->driver.cuCtxPushCurrent (gpu->context) == CUDA_SUCCESS;
}

void
fx_gpu_leave (const FxGpu *gpu, gboolean entered)
{
  CUcontext context;

  if (entered)
    gpu->driver.cuCtxPopCurrent (&context);
}
