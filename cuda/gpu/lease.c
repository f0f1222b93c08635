/* The lease of the memory that stays allocated from run to run. */
#include "device.h"

/* Keeps the buffer for a new owner if it is at most twice as large as needed, so that images of
 * similar sizes do not allocate it again. */
gboolean
fx_gpu_lease_source (FxGpu *gpu, gconstpointer owner, gsize bytes)
{
  if (fx_gpu_get_leased_bytes (gpu, owner) >= bytes)
    return TRUE;
  fx_gpu_free_buffer (gpu, FX_BUFFER_OWNED_1);
  if (fx_gpu_get_held_memory (gpu) > 2 * bytes)
    fx_gpu_free_buffer (gpu, FX_BUFFER_OWNED_0);
  fx_gpu_set_owner (gpu, owner);
  return FALSE;
}

gsize
fx_gpu_get_leased_bytes (FxGpu *gpu, gconstpointer owner)
{
  return fx_gpu_get_owner (gpu) == owner ? fx_gpu_get_held_memory (gpu) : 0;
}
