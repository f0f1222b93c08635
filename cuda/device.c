#include "device.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MEMORY_RESERVE  ((gsize) 64 << 20) /* device bytes left to others */
#define PROGRAMS_MAX    64                 /* loaded at a time; the least recently used goes first */

/* Errors. */

gboolean
blur_gpu_check (cudaError_t result, const char *what, GError **error)
{
  int code = result == cudaErrorMemoryAllocation ? BLUR_ERROR_MEMORY : BLUR_ERROR_DEVICE;

  if (result == cudaSuccess)
    return TRUE;
  cudaGetLastError (); /* what is not sticky shall not be seen by the next call */
  g_set_error (error, BLUR_ERROR, code, _("CUDA failed to %s: %s (%s)"), what,
               cudaGetErrorString (result), cudaGetErrorName (result));
  return FALSE;
}

static gboolean
check_driver (const BlurGpu *gpu, CUresult result, const char *what, GError **error)
{
  int code = result == CUDA_ERROR_OUT_OF_MEMORY ? BLUR_ERROR_MEMORY : BLUR_ERROR_DEVICE;
  const char *text = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  gpu->driver.get_error_string (result, &text);
  g_set_error (error, BLUR_ERROR, code, _("The CUDA driver failed to %s: %s (error %d)"), what,
               text ? text : "?", (int) result);
  return FALSE;
}

/* Opening. */

static gboolean
find_entry (const char *name, gpointer place, GError **error)
{
  void *entry = NULL;
  cudaError_t result;

#if CUDART_VERSION >= 12050
  enum cudaDriverEntryPointQueryResult found;

  result = cudaGetDriverEntryPointByVersion (name, &entry, 11000, cudaEnableDefault, &found);
#elif CUDART_VERSION >= 12000
  enum cudaDriverEntryPointQueryResult found;

  result = cudaGetDriverEntryPoint (name, &entry, cudaEnableDefault, &found);
#else
  result = cudaGetDriverEntryPoint (name, &entry, cudaEnableDefault);
#endif
  if (! blur_gpu_check (result, _("find the driver's calls"), error))
    return FALSE;
  if (! entry)
    {
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE,
                   _("The NVIDIA driver has no %s"), name);
      return FALSE;
    }
  memcpy (place, &entry, sizeof entry);
  return TRUE;
}

static gboolean
find_driver (BlurDriver *driver, GError **error)
{
  return find_entry ("cuModuleLoadData", &driver->module_load, error) &&
         find_entry ("cuModuleUnload", &driver->module_unload, error) &&
         find_entry ("cuModuleGetFunction", &driver->get_function, error) &&
         find_entry ("cuLaunchKernel", &driver->launch, error) &&
         find_entry ("cuGetErrorString", &driver->get_error_string, error);
}

/* Says what is missing, in the order in which a person would look for it. */
static gboolean
check_device (int *driver_version, GError **error)
{
  cudaError_t result;
  int count = 0;

  if (cudaDriverGetVersion (driver_version) != cudaSuccess || *driver_version == 0)
    {
      g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE, _("There is no NVIDIA driver"));
      return FALSE;
    }
  result = cudaGetDeviceCount (&count);
  if (result == cudaErrorInsufficientDriver)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE,
                 _("The NVIDIA driver is for CUDA %d.%d, but CUDA %d.%d is needed"),
                 *driver_version / 1000, *driver_version % 1000 / 10, CUDART_VERSION / 1000,
                 CUDART_VERSION % 1000 / 10);
  else if (result == cudaErrorNoDevice || (result == cudaSuccess && count == 0))
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE,
                 _("The NVIDIA driver finds no GPU that may be used"));
  else if (result != cudaSuccess)
    g_set_error (error, BLUR_ERROR, BLUR_ERROR_UNAVAILABLE, _("The GPU cannot be used: %s (%s)"),
                 cudaGetErrorString (result), cudaGetErrorName (result));
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_properties (BlurGpu *gpu, GError **error)
{
  int major = 0, minor = 0;
  struct cudaDeviceProp properties;

  if (! blur_gpu_check (cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, 0),
               _("read the GPU's version"), error) ||
      ! blur_gpu_check (cudaDeviceGetAttribute (&minor, cudaDevAttrComputeCapabilityMinor, 0),
               _("read the GPU's version"), error) ||
      ! blur_gpu_check (cudaGetDeviceProperties (&properties, 0), _("read the GPU's name"), error))
    return FALSE;
  gpu->arch = 10 * major + minor;
  g_strlcpy (gpu->name, properties.name, sizeof gpu->name);
  return TRUE;
}

BlurGpu *
blur_gpu_open (GError **error)
{
  BlurGpu *gpu = g_new0 (BlurGpu, 1);
  gint64 start = g_get_monotonic_time ();
  int version = 0;

  g_queue_init (&gpu->programs);
  gpu->cache = blur_cache_new (NULL, BLUR_CACHE_LIMIT);
  if (check_device (&version, error) && blur_gpu_check (cudaSetDevice (0), _("open the GPU"), error) &&
      blur_gpu_check (cudaFree (NULL), _("open the GPU"), error) && read_properties (gpu, error) &&
      find_driver (&gpu->driver, error) &&
      blur_gpu_check (cudaStreamCreateWithFlags (&gpu->stream, cudaStreamNonBlocking),
             _("make a stream"), error) &&
      blur_gpu_check (cudaEventCreateWithFlags (&gpu->uploaded, cudaEventDisableTiming),
             _("make an event"), error))
    {
      gpu->driver_major = version / 1000;
      blur_trace ("open", start, 0, "%s, compute capability %d.%d", gpu->name, gpu->arch / 10,
                  gpu->arch % 10);
      return gpu;
    }
  blur_gpu_close (gpu);
  return NULL;
}

/* Programs. */

static void
unload_program (BlurGpu *gpu, BlurProgram *program)
{
  if (program->module)
    gpu->driver.module_unload (program->module);
  g_free (program->name);
  g_free (program);
}

static cudaError_t
free_buffer (BlurBuffer *buffer)
{
  void *data = buffer->data;

  buffer->data = NULL;
  buffer->size = 0;
  return buffer->pinned ? cudaFreeHost (data) : cudaFree (data);
}

void
blur_gpu_close (BlurGpu *gpu)
{
  BlurProgram *program;

  if (! gpu)
    return;
  /* Failures are passed over: after a failed kernel every call fails, and all goes with the process. */
  cudaSetDevice (0);
  while ((program = g_queue_pop_head (&gpu->programs)))
    unload_program (gpu, program);
  blur_gpu_trim (gpu);
  if (gpu->uploaded)
    cudaEventDestroy (gpu->uploaded);
  if (gpu->stream)
    cudaStreamDestroy (gpu->stream);
  cudaGetLastError ();
  blur_compiler_close (gpu->compiler);
  blur_cache_free (gpu->cache);
  g_free (gpu);
}

const char *
blur_gpu_get_name (BlurGpu *gpu)
{
  return gpu->name;
}

static BlurProgram *
find_program (BlurGpu *gpu, const char *name)
{
  GList *link;

  for (link = gpu->programs.head; link; link = link->next)
    if (strcmp (((BlurProgram *) link->data)->name, name) == 0)
      {
        g_queue_unlink (&gpu->programs, link);
        g_queue_push_head_link (&gpu->programs, link);
        return link->data;
      }
  return NULL;
}

static GBytes *
get_code (BlurGpu *gpu, const BlurPlan *plan, BlurProgramKind kind, GError **error)
{
  g_autofree char *source = blur_program_get_source (plan, kind);
  gboolean ptx = g_strcmp0 (g_getenv ("CUDA_BLUR_CODE"), "ptx") == 0;
  BlurTarget target;
  const int *archs;
  int n;

  if (! gpu->compiler && ! (gpu->compiler = blur_compiler_open (gpu->driver_major, error)))
    return NULL;
  archs = blur_compiler_get_archs (gpu->compiler, &n);
  if (! blur_target_choose (archs, n, blur_compiler_get_version (gpu->compiler), gpu->arch, ptx,
                            &target, error))
    return NULL;
  return blur_program_get (gpu->compiler, gpu->cache, source, &target, error);
}

static gboolean
load_code (BlurGpu *gpu, BlurProgram *program, GBytes *code, GError **error)
{
  gint64 start = g_get_monotonic_time ();

  if (! check_driver (gpu, gpu->driver.module_load (&program->module, g_bytes_get_data (code, NULL)),
                      _("load the blur's program"), error))
    return FALSE;
  blur_trace ("load", start, g_bytes_get_size (code), NULL);
  return TRUE;
}

BlurProgram *
blur_gpu_get_program (BlurGpu *gpu, const BlurPlan *plan, BlurProgramKind kind, GError **error)
{
  g_autofree char *name = blur_program_get_name (plan, kind);
  g_autoptr (GBytes) code = NULL;
  BlurProgram *program = find_program (gpu, name);

  if (program)
    return program;
  code = get_code (gpu, plan, kind, error);
  if (! code)
    return NULL;
  program = g_new0 (BlurProgram, 1);
  program->name = g_steal_pointer (&name);
  if (! load_code (gpu, program, code, error))
    {
      unload_program (gpu, program);
      return NULL;
    }
  if (g_queue_get_length (&gpu->programs) == PROGRAMS_MAX)
    unload_program (gpu, g_queue_pop_tail (&gpu->programs));
  g_queue_push_head (&gpu->programs, program);
  return program;
}

/* Memory. */

gboolean
blur_gpu_get_free_memory (BlurGpu *gpu, gsize *bytes, GError **error)
{
  size_t available = 0, total = 0;
  int i;

  if (! blur_gpu_check (cudaSetDevice (0), _("open the GPU"), error) ||
      ! blur_gpu_check (cudaMemGetInfo (&available, &total), _("ask for the free memory"), error))
    return FALSE;
  for (i = 0; i < BLUR_BUFFERS; i++)
    available += gpu->buffers[i].pinned ? 0 : gpu->buffers[i].size;
  *bytes = available > 2 * MEMORY_RESERVE ? available - MEMORY_RESERVE : available / 2;
  return TRUE;
}

void
blur_gpu_trim (BlurGpu *gpu)
{
  int i;

  cudaSetDevice (0);
  for (i = 0; i < BLUR_BUFFERS; i++)
    free_buffer (&gpu->buffers[i]);
  cudaGetLastError ();
}

gboolean
blur_gpu_is_alive (BlurGpu *gpu)
{
  gboolean alive = cudaStreamSynchronize (gpu->stream) == cudaSuccess;

  cudaGetLastError ();
  return alive;
}

gboolean
blur_gpu_grow (BlurGpu *gpu, BlurBufferName name, gsize size, GError **error)
{
  BlurBuffer *buffer = &gpu->buffers[name];
  cudaError_t result;

  if (buffer->size >= size)
    return TRUE;
  if (! blur_gpu_check (free_buffer (buffer), _("free memory"), error))
    return FALSE;
  buffer->pinned = name >= BLUR_BUFFER_SOURCE_STAGING;
  result = buffer->pinned ? cudaMallocHost (&buffer->data, size) : cudaMalloc (&buffer->data, size);
  if (! blur_gpu_check (result, buffer->pinned ? _("allocate pinned memory")
                                               : _("allocate GPU memory"), error))
    {
      buffer->data = NULL;
      return FALSE;
    }
  buffer->size = size;
  return TRUE;
}

gboolean
blur_gpu_launch (BlurGpu *gpu, BlurProgram *program, const char *kernel, unsigned x, unsigned y,
                 unsigned z, unsigned threads, void **args, GError **error)
{
  CUfunction function;

  return check_driver (gpu, gpu->driver.get_function (&function, program->module, kernel),
                       _("find a kernel"), error) &&
         check_driver (gpu, gpu->driver.launch (function, x, y, z, threads, 1, 1, 0, gpu->stream,
                                                args, NULL), _("start a kernel"), error);
}
