/* Replaces gpu-view.c in a build without a CUDA toolkit, which never opens a GPU. */
#include "gpu-view.h"

gboolean
fx_gpu_is_ready_to_view (FxGpu *gpu, const FxUse *use)
{
  return FALSE;
}

gboolean
fx_gpu_make_ready_to_view (FxGpu *gpu, const FxUse *use, GError **error)
{
  return fx_gpu_use (gpu, error);
}

gboolean
fx_gpu_render_view (FxGpu *gpu, FxDeviceImage *image, const FxViewJob *job, GError **error)
{
  return fx_gpu_use (gpu, error);
}
