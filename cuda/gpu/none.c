/* Replaces the device and the run in a build without a CUDA toolkit. */
#include "gpu.h"

#include "error.h"

#include <glib/gi18n-lib.h>

int
fx_gpu_get_count (void)
{
  return 0;
}

FxGpu *
fx_gpu_open (const FxConfig *config, GError **error)
{
  fx_fail (error, FX_ERROR_UNAVAILABLE,
           _ ("This build has no GPU engine: it was made without CUDA"));
  return NULL;
}

void
fx_gpu_close (FxGpu *gpu)
{
}

/* All costs are 0, so that the engine tries to open the GPU and reports why it cannot. */
const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = { 0 };

  return &cost;
}

/* The engine calls this before it finds that no GPU can be opened. */
static gsize
no_gpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  return 0;
}

const FxBackend fx_gpu_backend = { .get_bytes = no_gpu_get_bytes };

/* Without a GPU, the functions that take one are never called. */
#define NEVER_CALLED(name)   \
  name                       \
  {                          \
    g_assert_not_reached (); \
  }

NEVER_CALLED (const char *fx_gpu_get_name (FxGpu *gpu))
NEVER_CALLED (gboolean fx_gpu_use (FxGpu *gpu, GError **error))
NEVER_CALLED (gboolean fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error))
NEVER_CALLED (void fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size))
NEVER_CALLED (gboolean fx_gpu_is_ready (FxGpu *gpu, const FxUse *use))
NEVER_CALLED (gboolean fx_gpu_make_ready (FxGpu *gpu, const FxUse *use, GError **error))
NEVER_CALLED (void fx_gpu_trim (FxGpu *gpu))
NEVER_CALLED (gboolean fx_gpu_is_alive (FxGpu *gpu))
NEVER_CALLED (gboolean fx_gpu_lease_source (FxGpu *gpu, const FxResidentSource *resident,
                                            gsize bytes))
NEVER_CALLED (void fx_gpu_end_lease (FxGpu *gpu, const FxResidentSource *resident))
NEVER_CALLED (gsize fx_gpu_get_held_memory (FxGpu *gpu))
