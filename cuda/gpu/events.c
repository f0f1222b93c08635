/* Measures the device's time between two places in its queue. */
#include "device-private.h"

/* Creates events until there are at least n + 1. */
static gboolean
make_events (FxGpu *gpu, guint n, GError **error)
{
  while (gpu->events->len <= n)
    {
      CUevent event;

      if (! fx_gpu_check (gpu, gpu->driver.cuEventCreate (&event, CU_EVENT_DEFAULT),
                          "cuEventCreate", error))
        return FALSE;
      g_array_append_val (gpu->events, event);
    }
  return TRUE;
}

gboolean
fx_gpu_record_event (FxGpu *gpu, guint n, GError **error)
{
  return make_events (gpu, n, error) &&
         fx_gpu_check (gpu,
                       gpu->driver.cuEventRecord (g_array_index (gpu->events, CUevent, n),
                                                  gpu->stream),
                       "cuEventRecord", error);
}

gboolean
fx_gpu_get_time (FxGpu *gpu, guint n, double *milliseconds, GError **error)
{
  CUevent from = g_array_index (gpu->events, CUevent, n);
  CUevent to = g_array_index (gpu->events, CUevent, n + 1);
  float elapsed = 0.0f;

  if (! fx_gpu_check (gpu, gpu->driver.cuEventSynchronize (to), "cuEventSynchronize", error) ||
      ! fx_gpu_check (gpu, gpu->driver.cuEventElapsedTime (&elapsed, from, to),
                      "cuEventElapsedTime", error))
    return FALSE;
  *milliseconds = elapsed;
  return TRUE;
}

void
fx_gpu_free_events (FxGpu *gpu)
{
  guint i;

  for (i = 0; i < gpu->events->len; i++)
    gpu->driver.cuEventDestroy (g_array_index (gpu->events, CUevent, i));
}
