/* The lease of the memory that stays allocated from run to run. */
#include "device.h"

/* Keeps the buffer for a new source if it is at most twice as large as needed, so that images of
 * similar sizes do not allocate it again. */
gboolean
fx_gpu_lease_source (FxGpu *gpu, const FxResidentSource *resident, gsize bytes)
{
  if (fx_gpu_get_resident (gpu) == resident && fx_gpu_get_held_memory (gpu) >= bytes)
    return TRUE;
  fx_gpu_free_buffer (gpu, FX_BUFFER_RESIDENT_1);
  if (fx_gpu_get_held_memory (gpu) > 2 * bytes)
    fx_gpu_free_buffer (gpu, FX_BUFFER_RESIDENT_0);
  fx_gpu_set_resident (gpu, resident);
  return FALSE;
}

void
fx_gpu_end_lease (FxGpu *gpu, const FxResidentSource *resident)
{
  if (fx_gpu_get_resident (gpu) != resident)
    return;
  fx_gpu_set_resident (gpu, NULL);
  fx_gpu_free_buffer (gpu, FX_BUFFER_RESIDENT_0);
  fx_gpu_free_buffer (gpu, FX_BUFFER_RESIDENT_1);
}
