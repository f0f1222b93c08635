/* A thread's current CUDA context. */
#include "device-private.h"

gboolean
fx_gpu_check (const FxGpu *gpu, CUresult result, const char *call, GError **error)
{
  return fx_driver_check (&gpu->driver, result, call, error);
}

gboolean
fx_gpu_use (FxGpu *gpu, GError **error)
{
  return fx_gpu_check (gpu, gpu->driver.cuCtxSetCurrent (gpu->context), "cuCtxSetCurrent", error);
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
