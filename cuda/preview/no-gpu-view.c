/* Replaces gpu-view.c in a build without a CUDA toolkit, which never opens a GPU. */
#include "gpu-view.h"

const FxProgram fx_program_reduce;

gboolean
fx_gpu_render_view (FxGpu *gpu, FxDeviceImage *image, const FxViewJob *job, GError **error)
{
  return fx_gpu_use (gpu, error);
}
