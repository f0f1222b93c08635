/* Device memory, pinned host memory, and the copies between them. */
#include "device-private.h"
#include "trace.h"

/* The device memory left for other programs, such as the desktop: 1/RESERVE of all memory, but at
 * least RESERVE_MIN bytes. */
#define RESERVE     10
#define RESERVE_MIN ((gsize) 400 << 20)

gboolean
fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error)
{
  size_t available = 0, total = 0;
  gsize reserve;

  if (! fx_gpu_use (gpu, error) || ! FX_GPU_CALL (gpu, error, cuMemGetInfo, &available, &total))
    return FALSE;
  for (int i = 0; i < FX_BUFFERS_RESIDENT; i++)
    available += gpu->buffers[i].size;
  reserve = MAX (total / RESERVE, RESERVE_MIN);
  *bytes = available > reserve ? available - reserve : 0;
  return TRUE;
}

/* Buffers. */

static CUresult
empty (FxGpu *gpu, FxBuffer *buffer)
{
  CUdeviceptr data = buffer->data;

  *buffer = (FxBuffer) { 0 };
  return data ? gpu->driver.cuMemFree (data) : CUDA_SUCCESS;
}

static gboolean
grow (FxGpu *gpu, FxBuffer *buffer, gsize size, GError **error)
{
  if (! fx_driver_check (&gpu->driver, empty (gpu, buffer), "cuMemFree", error))
    return FALSE;
  if (! FX_GPU_CALL (gpu, error, cuMemAlloc, &buffer->data, size))
    {
      buffer->data = 0;
      return FALSE;
    }
  buffer->size = size;
  return TRUE;
}

gpointer
fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error)
{
  FxBuffer *buffer = &gpu->buffers[name];

  if (buffer->size < size && ! grow (gpu, buffer, size, error))
    return NULL;
  return (gpointer) (guintptr) buffer->data;
}

/* The device need not be this thread's current one. */
static void
free_buffer (FxGpu *gpu, FxBufferName name)
{
  gboolean entered = fx_gpu_enter (gpu);

  empty (gpu, &gpu->buffers[name]);
  fx_gpu_leave (gpu, entered);
}

void
fx_gpu_trim (FxGpu *gpu)
{
  for (int i = 0; i < FX_BUFFERS_RESIDENT; i++)
    free_buffer (gpu, (FxBufferName) i);
}

gsize
fx_gpu_get_held_memory (FxGpu *gpu)
{
  gsize bytes = 0;

  for (int i = FX_BUFFERS_RESIDENT; i < FX_BUFFERS; i++)
    bytes += gpu->buffers[i].size;
  return bytes;
}

gconstpointer
fx_gpu_keep_bytes (FxGpu *gpu, GBytes *bytes, GError **error)
{
  gsize size;
  gconstpointer data = g_bytes_get_data (bytes, &size);
  gpointer copy;

  if (gpu->kept != bytes)
    g_clear_pointer (&gpu->kept, g_bytes_unref);
  copy = fx_gpu_get_buffer (gpu, FX_BUFFER_RESIDENT_2, size, error);
  if (! copy || gpu->kept)
    return copy;
  if (! fx_gpu_upload (gpu, copy, data, size, error))
    return NULL;
  gpu->kept = g_bytes_ref (bytes);
  return copy;
}

/* Frees what is resident beside a source. */
static void
free_beside (FxGpu *gpu)
{
  g_clear_pointer (&gpu->kept, g_bytes_unref);
  free_buffer (gpu, FX_BUFFER_RESIDENT_1);
  free_buffer (gpu, FX_BUFFER_RESIDENT_2);
}

/* Keeps the buffer for a new source if it is at most twice as large as needed, so that images of
 * similar sizes do not allocate it again. */
gboolean
fx_gpu_lease_source (FxGpu *gpu, const FxResidentSource *resident, gsize bytes)
{
  if (gpu->resident == resident && gpu->buffers[FX_BUFFER_RESIDENT_0].size >= bytes)
    return TRUE;
  free_beside (gpu);
  if (gpu->buffers[FX_BUFFER_RESIDENT_0].size > 2 * bytes)
    free_buffer (gpu, FX_BUFFER_RESIDENT_0);
  gpu->resident = resident;
  return FALSE;
}

void
fx_gpu_end_lease (FxGpu *gpu, const FxResidentSource *resident)
{
  if (gpu->resident != resident)
    return;
  gpu->resident = NULL;
  free_buffer (gpu, FX_BUFFER_RESIDENT_0);
  free_beside (gpu);
}

/* Host memory. */

static void
unpin (FxGpu *gpu)
{
  if (gpu->pinned)
    gpu->driver.cuMemHostUnregister (gpu->pinned);
  gpu->pinned = NULL;
  gpu->pinned_size = 0;
}

static void
pin (FxGpu *gpu, gpointer memory, gsize size)
{
  g_autoptr (GError) error = NULL;

  if (! FX_GPU_CALL (gpu, &error, cuMemHostRegister, memory, size, 0))
    {
      fx_trace ("pin", g_get_monotonic_time (), size, "%s", error->message);
      return;
    }
  gpu->pinned = memory;
  gpu->pinned_size = size;
}

void
fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size)
{
  gboolean entered;

  if (gpu->pinned == memory && gpu->pinned_size == size)
    return;
  entered = fx_gpu_enter (gpu);
  unpin (gpu);
  if (entered && size > 0)
    pin (gpu, memory, size);
  fx_gpu_leave (gpu, entered);
}

void
fx_gpu_free_memory (FxGpu *gpu)
{
  g_clear_pointer (&gpu->kept, g_bytes_unref);
  for (int i = 0; i < FX_BUFFERS; i++)
    empty (gpu, &gpu->buffers[i]);
  unpin (gpu);
}

/* Copies. */

gboolean
fx_gpu_upload (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error)
{
  return FX_GPU_CALL (gpu, error, cuMemcpyHtoDAsync, (CUdeviceptr) (guintptr) to, from, size,
                      gpu->stream) &&
         FX_GPU_CALL (gpu, error, cuEventRecord, gpu->uploaded, gpu->stream);
}

gboolean
fx_gpu_download (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error)
{
  return FX_GPU_CALL (gpu, error, cuMemcpyDtoHAsync, to, (CUdeviceptr) (guintptr) from, size,
                      gpu->stream);
}

gboolean
fx_gpu_wait_upload (FxGpu *gpu, GError **error)
{
  return FX_GPU_CALL (gpu, error, cuEventSynchronize, gpu->uploaded);
}

gboolean
fx_gpu_wait (FxGpu *gpu, GError **error)
{
  return FX_GPU_CALL (gpu, error, cuStreamSynchronize, gpu->stream);
}
