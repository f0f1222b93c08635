/* Replaces the device and the run in a build without a CUDA toolkit. */
#include "gpu.h"

#include "error.h"

#include <glib/gi18n-lib.h>

static gboolean
no_gpu_fail (GError **error)
{
  g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
               _ ("This build has no GPU engine: it was made without CUDA"));
  return FALSE;
}

int
fx_gpu_get_count (void)
{
  return 0;
}

FxGpu *
fx_gpu_open (const FxConfig *config, GError **error)
{
  no_gpu_fail (error);
  return NULL;
}

void
fx_gpu_close (FxGpu *gpu)
{
}

const char *
fx_gpu_get_name (FxGpu *gpu)
{
  return "";
}

gboolean
fx_gpu_use (FxGpu *gpu, GError **error)
{
  return no_gpu_fail (error);
}

gboolean
fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error)
{
  return no_gpu_fail (error);
}

void
fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size)
{
}

gboolean
fx_gpu_is_ready (FxGpu *gpu, const FxUse *use)
{
  return FALSE;
}

gboolean
fx_gpu_make_ready (FxGpu *gpu, const FxUse *use, GError **error)
{
  return no_gpu_fail (error);
}

void
fx_gpu_trim (FxGpu *gpu)
{
}

gboolean
fx_gpu_is_alive (FxGpu *gpu)
{
  return FALSE;
}

/* The engine calls this before it finds that no GPU can be opened. */
static gsize
no_gpu_get_bytes (gconstpointer device, const FxPlan *plan, const FxStrip *strip)
{
  return 0;
}

const FxBackend fx_gpu_backend = { .get_bytes = no_gpu_get_bytes };
const FxBackend fx_gpu_resident_backend = { .get_bytes = no_gpu_get_bytes };

gboolean
fx_gpu_lease_source (FxGpu *gpu, const FxResidentSource *resident, gsize bytes)
{
  return FALSE;
}

void
fx_gpu_end_lease (FxGpu *gpu, const FxResidentSource *resident)
{
}

gsize
fx_gpu_get_held_memory (FxGpu *gpu)
{
  return 0;
}

/* All costs are 0, so that the engine tries to open the GPU and reports why it cannot. */
const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = { 0 };

  return &cost;
}
