#include "device-time.h"

#include "device-private.h"
#include "error.h"
#include "gpu-run.h"

#include <cuda_runtime_api.h>

static gboolean
check (cudaError_t result, GError **error)
{
  if (result != cudaSuccess)
    g_set_error_literal (error, FX_ERROR, FX_ERROR_DEVICE, cudaGetErrorString (result));
  return result == cudaSuccess;
}

/* Does not wait between runs, so that the device never waits for the host. */
static gboolean
time_runs (FxRun **runs, cudaEvent_t *events, double *milliseconds, int n, GError **error)
{
  CUstream stream = ((FxGpuRun *) runs[0])->gpu->stream;
  gboolean done = check (cudaEventRecord (events[0], stream), error);

  for (int i = 0; i < n && done; i++)
    done = fx_gpu_run_compute ((FxGpuRun *) runs[i], 0, runs[i]->strip.height, error) &&
           check (cudaEventRecord (events[i + 1], stream), error);
  done = done && check (cudaEventSynchronize (events[n]), error);
  for (int i = 0; i < n && done; i++)
    {
      float elapsed = 0.0f;

      done = check (cudaEventElapsedTime (&elapsed, events[i], events[i + 1]), error);
      milliseconds[i] = elapsed;
    }
  return done;
}

static gboolean
time_with_events (FxRun **runs, double *milliseconds, int n, GError **error)
{
  g_autofree cudaEvent_t *events = g_new0 (cudaEvent_t, n + 1);
  gboolean done = TRUE;

  for (int i = 0; i <= n && done; i++)
    done = check (cudaEventCreate (&events[i]), error);
  done = done && time_runs (runs, events, milliseconds, n, error);
  for (int i = 0; i <= n; i++)
    if (events[i])
      cudaEventDestroy (events[i]);
  return done;
}

/* The runs share the source's memory, into which the last one, which is not timed, copies it. */
static gboolean
time_with_source (FxGpu *gpu, FxRun **runs, gconstpointer pixels, gpointer result,
                  double *milliseconds, int n, GError **error)
{
  const FxStrip *strip = &runs[n]->strip;
  const gsize bytes = (gsize) strip->width * strip->height *
                      fx_format_size (&runs[n]->plan->codec.format);

  return fx_gpu_backend.push (runs[n], pixels, 0, strip->height, error) &&
         time_with_events (runs, milliseconds, n, error) &&
         fx_gpu_download (gpu, result, ((FxGpuRun *) runs[n])->result, bytes, error) &&
         fx_gpu_wait (gpu, error);
}

gboolean
device_time (FxGpu *gpu, const FxPlan *plan, int width, int height, gconstpointer pixels,
             gpointer result, double *milliseconds, int n, GError **error)
{
  const FxStrip strip = { .width = width,
                          .height = height,
                          .x1 = width,
                          .y1 = height,
                          .source_x1 = width,
                          .source_y1 = height,
                          .chunk_rows = height };
  g_autofree FxRun **runs = g_new0 (FxRun *, n + 1);
  gboolean done = TRUE;

  for (int i = 0; i <= n && done; i++)
    done = (runs[i] = fx_gpu_backend.begin (gpu, plan, &strip, error)) != NULL;
  done = done && time_with_source (gpu, runs, pixels, result, milliseconds, n, error);
  for (int i = 0; i <= n; i++)
    if (runs[i])
      fx_gpu_backend.end (runs[i]);
  return done;
}
