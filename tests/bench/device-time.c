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

static gboolean
queue_once (FxGpuRun *run, GError **error)
{
  int height = run->base.strip.height;

  if (run->path->rewind)
    run->path->rewind (run);
  run->queued = 0.0;
  return fx_gpu_backend.push (&run->base, NULL, 0, height, error) &&
         run->path->pull (run, 0, height, error);
}

/* Does not wait between runs, so that the device never waits for the host. */
static gboolean
time_runs (FxGpuRun *run, cudaEvent_t *events, double *milliseconds, int n, GError **error)
{
  CUstream stream = run->gpu->stream;
  gboolean done = check (cudaEventRecord (events[0], stream), error);

  for (int i = 0; i < n && done; i++)
    done = queue_once (run, error) && check (cudaEventRecord (events[i + 1], stream), error);
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
time_with_events (FxGpuRun *run, double *milliseconds, int n, GError **error)
{
  g_autofree cudaEvent_t *events = g_new0 (cudaEvent_t, n + 1);
  gboolean done = TRUE;

  for (int i = 0; i <= n && done; i++)
    done = check (cudaEventCreate (&events[i]), error);
  done = done && time_runs (run, events, milliseconds, n, error);
  for (int i = 0; i <= n; i++)
    if (events[i])
      cudaEventDestroy (events[i]);
  return done;
}

gboolean
device_time (FxGpu *gpu, const FxPlan *plan, int width, int height, gconstpointer pixels,
             gpointer result, double *milliseconds, int n, GError **error)
{
  const FxStrip strip = {
    .width = width,
    .height = height,
    .x1 = width,
    .y1 = height,
    .source_x1 = width,
    .source_y1 = height,
    .chunk_rows = height,
  };
  const gsize bytes = (gsize) width * height * fx_format_size (&plan->codec.format);
  FxRun *run = fx_gpu_backend.begin (gpu, plan, &strip, error);
  gboolean done;

  if (! run)
    return FALSE;
  done = fx_gpu_backend.push (run, pixels, 0, height, error) &&
         time_with_events ((FxGpuRun *) run, milliseconds, n, error) &&
         fx_gpu_download (gpu, result, ((FxGpuRun *) run)->result, bytes, error) &&
         fx_gpu_wait (gpu, error);
  fx_gpu_backend.end (run);
  return done;
}
