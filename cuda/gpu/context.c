/* A thread's current CUDA context. */
#include "device-private.h"

#include <glib/gi18n-lib.h>

gboolean
fx_gpu_check (const FxGpu *gpu, CUresult result, const char *action, GError **error)
{
  return fx_driver_check (&gpu->driver, result, action, error);
}

gboolean
fx_gpu_use (FxGpu *gpu, GError **error)
{
  return fx_gpu_check (gpu, gpu->driver.cuCtxSetCurrent (gpu->context), _ ("open the GPU"), error);
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
