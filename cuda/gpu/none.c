/* Stands in for gpu.c and gpu-preview.c where the build found no CUDA toolkit. */
#include "show.h"

#include <glib/gi18n-lib.h>

gboolean
blur_gpu_has_driver (GError **error)
{
  g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE,
               _("This build has no GPU engine: the CUDA toolkit was not there when it was made"));
  return FALSE;
}

BlurGpu *
blur_gpu_open (GError **error)
{
  blur_gpu_has_driver (error);
  return NULL;
}

void
blur_gpu_close (BlurGpu *gpu)
{
}

const char *
blur_gpu_get_name (BlurGpu *gpu)
{
  return "";
}

gboolean
blur_gpu_use (BlurGpu *gpu, GError **error)
{
  return TRUE;
}

gboolean
blur_gpu_get_free_memory (BlurGpu *gpu, gsize *bytes, GError **error)
{
  *bytes = 0;
  return TRUE;
}

void
blur_gpu_pin (BlurGpu *gpu, gpointer memory, gsize size)
{
}

gboolean
blur_gpu_is_ready (BlurGpu *gpu, const BlurPlan *plan)
{
  return FALSE;
}

gboolean
blur_gpu_get_ready (BlurGpu *gpu, const BlurPlan *plan, GError **error)
{
  return FALSE;
}

void
blur_gpu_trim (BlurGpu *gpu)
{
}

gboolean
blur_gpu_is_alive (BlurGpu *gpu)
{
  return FALSE;
}

gboolean
blur_gpu_is_ready_to_show (BlurGpu *gpu, const BlurPlan *plan, const BlurFormat *format)
{
  return FALSE;
}

gboolean
blur_gpu_get_ready_to_show (BlurGpu *gpu, const BlurPlan *plan, const BlurFormat *format,
                            GError **error)
{
  return FALSE;
}

gboolean
blur_gpu_show (BlurGpu *gpu, BlurResident *resident, const BlurPlan *plan,
               const BlurPreviewJob *job, GError **error)
{
  return FALSE;
}

void
blur_gpu_forget (BlurGpu *gpu, const BlurResident *resident)
{
}

/* Asked for before the opening fails. */
static gsize
get_bytes (const BlurPlan *plan, const BlurStrip *strip)
{
  return 0;
}

const BlurBackend blur_gpu_backend = { .get_bytes = get_bytes };

/* None, so that it is asked and says why it is not there. */
const BlurGpuCost *
blur_gpu_get_cost (void)
{
  static const BlurGpuCost cost = { 0 };

  return &cost;
}
