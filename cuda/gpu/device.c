/* Opens and closes a device. */
#include "device-private.h"
#include "trace.h"

#include <cuda_runtime_api.h>

/* The limit of a launch on an H100, in samples times taps, and the number of its multiprocessors.
 * An H100 processes 5.8e9 a millisecond (measured with the slowest path: two passes over RGB with
 * 1999 taps). The limit is in proportion to the number of multiprocessors, so that a launch takes
 * 17 ms even if each is a tenth as fast. */
#define LAUNCH_LIMIT      1e10
#define LAUNCH_PROCESSORS 132

int
fx_gpu_get_count (void)
{
  int version, count = 0;

  if (fx_driver_has_device (&version, NULL) && cudaGetDeviceCount (&count) == cudaSuccess)
    return count;
  return 0;
}

static gboolean
read_properties (FxGpu *gpu, int *arch, GError **error)
{
  int major = 0, minor = 0;
  const struct {
    CUdevice_attribute attribute;
    int *value;
  } properties[] = {
    { CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &gpu->processors },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &gpu->shared_default },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &gpu->shared_block },
    { CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &gpu->shared_processor },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major },
    { CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor },
  };

  if (! FX_GPU_CALL (gpu, error, cuDeviceGetName, gpu->name, sizeof gpu->name, gpu->device))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (properties); i++)
    if (! FX_GPU_CALL (gpu, error, cuDeviceGetAttribute, properties[i].value,
                       properties[i].attribute, gpu->device))
      return FALSE;
  *arch = 10 * major + minor;
  return TRUE;
}

static gboolean
find_device (FxGpu *gpu, int *version, int *arch, GError **error)
{
  return fx_driver_has_device (version, error) && fx_driver_find (&gpu->driver, error) &&
         FX_GPU_CALL (gpu, error, cuDeviceGet, &gpu->device, 0) &&
         read_properties (gpu, arch, error);
}

/* Retains the primary context, which the whole process shares. CUDA destroys it when its last user
 * releases it. */
static gboolean
retain_context (FxGpu *gpu, GError **error)
{
  if (FX_GPU_CALL (gpu, error, cuDevicePrimaryCtxRetain, &gpu->context, gpu->device))
    return TRUE;
  gpu->context = NULL;
  return FALSE;
}

static gboolean
make_stream (FxGpu *gpu, GError **error)
{
  return FX_GPU_CALL (gpu, error, cuStreamCreate, &gpu->stream, CU_STREAM_NON_BLOCKING) &&
         FX_GPU_CALL (gpu, error, cuEventCreate, &gpu->uploaded, CU_EVENT_DISABLE_TIMING);
}

FxGpu *
fx_gpu_open (const FxConfig *config, GError **error)
{
  FxGpu *gpu = g_new0 (FxGpu, 1);
  gint64 start = g_get_monotonic_time ();
  int version = 0, arch = 0;

  gpu->variants = config->variants;
  g_queue_init (&gpu->kernels);
  if (find_device (gpu, &version, &arch, error))
    {
      gpu->builder = fx_builder_new (arch, version / 1000,
                                     config); /* opens NVRTC in the background */
      if (retain_context (gpu, error) && fx_gpu_use (gpu, error) && make_stream (gpu, error))
        {
          fx_trace ("open", start, 0, "%s, compute capability %d.%d", gpu->name, arch / 10,
                    arch % 10);
          return gpu;
        }
    }
  fx_gpu_close (gpu);
  return NULL;
}

/* Releases the context. This may destroy it, so it must not remain this thread's current one. */
static void
release_context (FxGpu *gpu)
{
  CUcontext current = NULL;

  if (gpu->driver.cuCtxGetCurrent (&current) == CUDA_SUCCESS && current == gpu->context)
    gpu->driver.cuCtxSetCurrent (NULL);
  gpu->driver.cuDevicePrimaryCtxRelease (gpu->device);
}

/* Ignores failures: after a failed kernel every call fails, and destroying the context frees
 * everything. */
void
fx_gpu_close (FxGpu *gpu)
{
  if (! gpu)
    return;
  if (gpu->context)
    {
      gboolean entered = fx_gpu_enter (gpu);

      fx_gpu_free_kernels (gpu);
      fx_gpu_free_memory (gpu);
      if (gpu->uploaded)
        gpu->driver.cuEventDestroy (gpu->uploaded);
      if (gpu->stream)
        gpu->driver.cuStreamDestroy (gpu->stream);
      fx_gpu_leave (gpu, entered);
      release_context (gpu);
    }
  fx_builder_free (gpu->builder);
  g_free (gpu);
}

const char *
fx_gpu_get_name (FxGpu *gpu)
{
  return gpu->name;
}

gboolean
fx_gpu_is_alive (FxGpu *gpu)
{
  gboolean entered = fx_gpu_enter (gpu);
  gboolean alive = entered && gpu->driver.cuStreamSynchronize (gpu->stream) == CUDA_SUCCESS;

  fx_gpu_leave (gpu, entered);
  return alive;
}

FxVariants
fx_gpu_get_variants (FxGpu *gpu)
{
  return gpu->variants;
}

double
fx_gpu_get_launch_limit (FxGpu *gpu)
{
  return LAUNCH_LIMIT * MIN (gpu->processors, LAUNCH_PROCESSORS) / LAUNCH_PROCESSORS;
}
