#include "builder.h"
#include "device.h"
#include "error.h"
#include "trace.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define MEMORY_RESERVE ((gsize) 64 << 20) /* device bytes left to others */
#define PROGRAMS_MAX   64                 /* loaded at a time; the least recently used goes first */
/* Samples times taps a launch. An H100 makes 5.8e9 of them a millisecond (measured; two passes over
 * RGB with 1999 taps, the slowest way), so that a GPU a tenth as fast takes 17 ms. */
#define LAUNCH_LIMIT 1e10

#define SHARED_DEFAULT 49152 /* bytes of shared memory that a block may have unasked */

/* The driver's calls, found at run time: the binary starts without a driver. */
typedef struct {
  CUresult (*module_load) (CUmodule *, const void *);
  CUresult (*module_unload) (CUmodule);
  CUresult (*get_function) (CUfunction *, CUmodule, const char *);
  CUresult (*set_attribute) (CUfunction, CUfunction_attribute, int);
  CUresult (*get_occupancy) (int *, CUfunction, int, size_t);
  CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, CUstream, void **, void **);
  CUresult (*get_error_string) (CUresult, const char **);
} Driver;

struct FxProgram {
  char *source;
  CUmodule module;
  CUfunction kernel;
  gsize allowed; /* bytes of shared memory that a block may have, where it asked for more */

  /* The last answer of the driver about occupancy: asking takes as long as a launch. */
  struct {
    unsigned threads;
    gsize shared;
    int blocks; /* a multiprocessor; 0: not asked yet */
  } occupancy;
};

typedef struct {
  void *data;
  gsize size;
} Buffer;

struct FxGpu {
  char name[96];
  int processors;
  int shared_block, shared_processor; /* bytes */
  Driver driver;
  FxBuilder *builder;
  GQueue programs; /* of FxProgram, the most recently used first */
  cudaStream_t stream;
  cudaEvent_t uploaded;
  GArray *marks; /* of cudaEvent_t */
  Buffer buffers[FX_BUFFERS];
  gconstpointer resident; /* whose image is in those that stay */
  Buffer pinned;          /* the caller's memory */
};

/* The process has one context for all of them. */
static struct {
  GMutex lock;
  int users;
} context;

/* Errors. */

static gboolean
check (cudaError_t result, const char *what, GError **error)
{
  int code = result == cudaErrorMemoryAllocation ? FX_ERROR_MEMORY : FX_ERROR_DEVICE;

  if (result == cudaSuccess)
    return TRUE;
  cudaGetLastError (); /* what is not sticky shall not be seen by the next call */
  g_set_error (error, FX_ERROR, code, _("CUDA failed to %s: %s (%s)"), what,
               cudaGetErrorString (result), cudaGetErrorName (result));
  return FALSE;
}

static gboolean
check_driver (const FxGpu *gpu, CUresult result, const char *what, GError **error)
{
  int code = result == CUDA_ERROR_OUT_OF_MEMORY ? FX_ERROR_MEMORY : FX_ERROR_DEVICE;
  const char *text = NULL;

  if (result == CUDA_SUCCESS)
    return TRUE;
  gpu->driver.get_error_string (result, &text);
  g_set_error (error, FX_ERROR, code, _("The CUDA driver failed to %s: %s (error %d)"), what,
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
  if (! check (result, _("find the driver's calls"), error))
    return FALSE;
  if (! entry)
    {
      g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE, _("The NVIDIA driver has no %s"), name);
      return FALSE;
    }
  memcpy (place, &entry, sizeof entry);
  return TRUE;
}

static gboolean
find_driver (Driver *driver, GError **error)
{
  return find_entry ("cuModuleLoadData", &driver->module_load, error) &&
         find_entry ("cuModuleUnload", &driver->module_unload, error) &&
         find_entry ("cuModuleGetFunction", &driver->get_function, error) &&
         find_entry ("cuFuncSetAttribute", &driver->set_attribute, error) &&
         find_entry ("cuOccupancyMaxActiveBlocksPerMultiprocessor", &driver->get_occupancy,
                     error) &&
         find_entry ("cuLaunchKernel", &driver->launch, error) &&
         find_entry ("cuGetErrorString", &driver->get_error_string, error);
}

static gboolean
get_driver_version (int *version, GError **error)
{
  if (cudaDriverGetVersion (version) == cudaSuccess && *version > 0)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE, _("There is no NVIDIA driver"));
  return FALSE;
}

gboolean
fx_gpu_has_driver (GError **error)
{
  int version = 0;

  return get_driver_version (&version, error);
}

/* Says what is missing, in the order in which a person would look for it. */
static gboolean
check_device (int *driver_version, GError **error)
{
  cudaError_t result;
  int count = 0;

  if (! get_driver_version (driver_version, error))
    return FALSE;
  result = cudaGetDeviceCount (&count);
  if (result == cudaErrorInsufficientDriver)
    g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
                 _("The NVIDIA driver is for CUDA %d.%d, but CUDA %d.%d is needed"),
                 *driver_version / 1000, *driver_version % 1000 / 10, CUDART_VERSION / 1000,
                 CUDART_VERSION % 1000 / 10);
  else if (result == cudaErrorNoDevice || (result == cudaSuccess && count == 0))
    g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE,
                 _("The NVIDIA driver finds no GPU that may be used"));
  else if (result != cudaSuccess)
    g_set_error (error, FX_ERROR, FX_ERROR_UNAVAILABLE, _("The GPU cannot be used: %s (%s)"),
                 cudaGetErrorString (result), cudaGetErrorName (result));
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_arch (int *arch, GError **error)
{
  int major = 0, minor = 0;

  if (! check (cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, 0),
               _("read the GPU's properties"), error) ||
      ! check (cudaDeviceGetAttribute (&minor, cudaDevAttrComputeCapabilityMinor, 0),
               _("read the GPU's properties"), error))
    return FALSE;
  *arch = 10 * major + minor;
  return TRUE;
}

static gboolean
read_properties (FxGpu *gpu, GError **error)
{
  struct cudaDeviceProp properties;

  if (! check (cudaGetDeviceProperties (&properties, 0), _("read the GPU's properties"), error))
    return FALSE;
  g_strlcpy (gpu->name, properties.name, sizeof gpu->name);
  gpu->processors = properties.multiProcessorCount;
  gpu->shared_block = (int) properties.sharedMemPerBlockOptin;
  gpu->shared_processor = (int) properties.sharedMemPerMultiprocessor;
  return TRUE;
}

static gboolean
make_stream (FxGpu *gpu, GError **error)
{
  return check (cudaStreamCreateWithFlags (&gpu->stream, cudaStreamNonBlocking), _("make a stream"),
                error) &&
         check (cudaEventCreateWithFlags (&gpu->uploaded, cudaEventDisableTiming),
                _("make an event"), error);
}

static gboolean
make_context (FxGpu *gpu, GError **error)
{
  return check (cudaSetDevice (0), _("open the GPU"), error) &&
         check (cudaFree (NULL), _("open the GPU"), error) && read_properties (gpu, error) &&
         find_driver (&gpu->driver, error) && make_stream (gpu, error);
}

FxGpu *
fx_gpu_open (GError **error)
{
  FxGpu *gpu = g_new0 (FxGpu, 1);
  gint64 start = g_get_monotonic_time ();
  int version = 0, arch = 0;

  g_queue_init (&gpu->programs);
  gpu->marks = g_array_new (FALSE, FALSE, sizeof (cudaEvent_t));
  g_mutex_lock (&context.lock);
  context.users++;
  g_mutex_unlock (&context.lock);
  if (check_device (&version, error) && read_arch (&arch, error))
    {
      gpu->builder = fx_builder_new (arch, version / 1000); /* opens NVRTC meanwhile */
      if (make_context (gpu, error))
        {
          fx_trace ("open", start, 0, "%s, compute capability %d.%d", gpu->name, arch / 10,
                    arch % 10);
          return gpu;
        }
    }
  fx_gpu_close (gpu);
  return NULL;
}

const FxGpuCost *
fx_gpu_get_cost (void)
{
  static const FxGpuCost cost = { .open = 250.0, .run = 0.06, .megabyte = 0.15 };

  return &cost;
}

/* Programs. */

static void
unload_program (FxGpu *gpu, FxProgram *program)
{
  if (program->module)
    gpu->driver.module_unload (program->module);
  g_free (program->source);
  g_free (program);
}

static cudaError_t
empty (Buffer *buffer)
{
  void *data = buffer->data;

  *buffer = (Buffer) { 0 };
  return cudaFree (data);
}

void
fx_gpu_close (FxGpu *gpu)
{
  FxProgram *program;
  guint i;

  if (! gpu)
    return;
  /* Failures are passed over: after a failed kernel every call fails, and all goes with the
   * process. */
  cudaSetDevice (0);
  while ((program = g_queue_pop_head (&gpu->programs)))
    unload_program (gpu, program);
  fx_gpu_trim (gpu);
  fx_gpu_free_buffer (gpu, FX_BUFFER_IMAGE);
  fx_gpu_free_buffer (gpu, FX_BUFFER_MASK);
  fx_gpu_pin (gpu, NULL, 0);
  if (gpu->uploaded)
    cudaEventDestroy (gpu->uploaded);
  for (i = 0; i < gpu->marks->len; i++)
    cudaEventDestroy (g_array_index (gpu->marks, cudaEvent_t, i));
  g_array_unref (gpu->marks);
  if (gpu->stream)
    cudaStreamDestroy (gpu->stream);
  g_mutex_lock (&context.lock);
  if (--context.users == 0 && gpu->builder) /* it was opened */
    cudaDeviceReset ();
  g_mutex_unlock (&context.lock);
  cudaGetLastError ();
  fx_builder_free (gpu->builder);
  g_free (gpu);
}

const char *
fx_gpu_get_name (FxGpu *gpu)
{
  return gpu->name;
}

static FxProgram *
find_loaded (FxGpu *gpu, const char *source)
{
  GList *link;

  for (link = gpu->programs.head; link; link = link->next)
    if (strcmp (((FxProgram *) link->data)->source, source) == 0)
      {
        g_queue_unlink (&gpu->programs, link);
        g_queue_push_head_link (&gpu->programs, link);
        return link->data;
      }
  return NULL;
}

static gboolean
load_code (FxGpu *gpu, FxProgram *program, GBytes *code, GError **error)
{
  gint64 start = g_get_monotonic_time ();

  if (! check_driver (gpu,
                      gpu->driver.module_load (&program->module, g_bytes_get_data (code, NULL)),
                      _("load the blur's program"), error) ||
      ! check_driver (gpu, gpu->driver.get_function (&program->kernel, program->module, "blur"),
                      _("find a kernel"), error))
    return FALSE;
  fx_trace ("load", start, g_bytes_get_size (code), NULL);
  return TRUE;
}

static FxProgram *
load_program (FxGpu *gpu, const char *source, GBytes *code, GError **error)
{
  FxProgram *program = g_new0 (FxProgram, 1);

  program->source = g_strdup (source);
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

FxProgram *
fx_gpu_get_program (FxGpu *gpu, const FxPlan *plan, FxProgramKind kind, int tile, gboolean grown,
                    GError **error)
{
  g_autofree char *source = fx_program_get_source (plan, kind, tile, grown);
  FxProgram *program = find_loaded (gpu, source);
  g_autoptr (GBytes) code = NULL;

  if (program || ! (code = fx_builder_get (gpu->builder, source, error)))
    return program;
  return load_program (gpu, source, code, error);
}

FxProgram *
fx_gpu_find_program (FxGpu *gpu, const FxPlan *plan, FxProgramKind kind, int tile, gboolean grown)
{
  g_autofree char *source = fx_program_get_source (plan, kind, tile, grown);
  FxProgram *program = find_loaded (gpu, source);
  g_autoptr (GBytes) code = NULL;

  if (program || ! (code = fx_builder_find (gpu->builder, source)))
    return program;
  return load_program (gpu, source, code, NULL);
}

gboolean
fx_gpu_has_program (FxGpu *gpu, const FxPlan *plan, FxProgramKind kind, int tile, gboolean grown)
{
  g_autofree char *source = fx_program_get_source (plan, kind, tile, grown);

  return find_loaded (gpu, source) != NULL;
}

void
fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor)
{
  *block = gpu->shared_block;
  *processor = gpu->shared_processor;
}

double
fx_gpu_get_launch_limit (FxGpu *gpu)
{
  return LAUNCH_LIMIT;
}

/* Shared memory beyond the default must be asked for, once. */
static gboolean
allow_shared (FxGpu *gpu, FxProgram *program, gsize shared, GError **error)
{
  if (shared <= MAX (program->allowed, SHARED_DEFAULT))
    return TRUE;
  if (! check_driver (gpu,
                      gpu->driver.set_attribute (program->kernel,
                                                 CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                                 (int) shared),
                      _("get shared memory"), error))
    return FALSE;
  program->allowed = shared;
  return TRUE;
}

static gboolean
ask_occupancy (FxGpu *gpu, FxProgram *program, unsigned threads, gsize shared, GError **error)
{
  int blocks = 0;

  if (! allow_shared (gpu, program, shared, error) ||
      ! check_driver (gpu,
                      gpu->driver.get_occupancy (&blocks, program->kernel, (int) threads, shared),
                      _("ask for a kernel's occupancy"), error))
    return FALSE;
  program->occupancy.threads = threads;
  program->occupancy.shared = shared;
  program->occupancy.blocks = MAX (blocks, 1);
  return TRUE;
}

gboolean
fx_gpu_get_capacity (FxGpu *gpu, FxProgram *program, unsigned threads, gsize shared, int *blocks,
                     GError **error)
{
  gboolean known = program->occupancy.blocks > 0 && program->occupancy.threads == threads &&
                   program->occupancy.shared == shared;

  if (! known && ! ask_occupancy (gpu, program, threads, shared, error))
    return FALSE;
  *blocks = program->occupancy.blocks * gpu->processors;
  return TRUE;
}

/* Memory. */

gboolean
fx_gpu_use (FxGpu *gpu, GError **error)
{
  /* Before CUDA 12, setting the device does not make its context this thread's, on which the
   * driver's own calls depend. */
  return check (cudaSetDevice (0), _("open the GPU"), error) &&
         check (cudaFree (NULL), _("open the GPU"), error);
}

gboolean
fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error)
{
  size_t available = 0, total = 0;
  int i;

  if (! fx_gpu_use (gpu, error) ||
      ! check (cudaMemGetInfo (&available, &total), _("ask for the free memory"), error))
    return FALSE;
  for (i = 0; i < FX_BUFFER_IMAGE; i++)
    available += gpu->buffers[i].size;
  *bytes = available > 2 * MEMORY_RESERVE ? available - MEMORY_RESERVE : available / 2;
  return TRUE;
}

void
fx_gpu_trim (FxGpu *gpu)
{
  int i;

  for (i = 0; i < FX_BUFFER_IMAGE; i++)
    fx_gpu_free_buffer (gpu, (FxBufferName) i);
}

void
fx_gpu_free_buffer (FxGpu *gpu, FxBufferName name)
{
  cudaSetDevice (0);
  empty (&gpu->buffers[name]);
  cudaGetLastError ();
}

gsize
fx_gpu_get_held_memory (FxGpu *gpu)
{
  return gpu->buffers[FX_BUFFER_IMAGE].size + gpu->buffers[FX_BUFFER_MASK].size;
}

gboolean
fx_gpu_is_alive (FxGpu *gpu)
{
  gboolean alive = cudaStreamSynchronize (gpu->stream) == cudaSuccess;

  cudaGetLastError ();
  return alive;
}

static gboolean
grow (Buffer *buffer, gsize size, GError **error)
{
  if (! check (empty (buffer), _("free memory"), error))
    return FALSE;
  if (! check (cudaMalloc (&buffer->data, size), _("allocate GPU memory"), error))
    {
      buffer->data = NULL;
      return FALSE;
    }
  buffer->size = size;
  return TRUE;
}

gpointer
fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error)
{
  Buffer *buffer = &gpu->buffers[name];

  if (buffer->size < size && ! grow (buffer, size, error))
    return NULL;
  return buffer->data;
}

gconstpointer
fx_gpu_get_resident (FxGpu *gpu)
{
  return gpu->resident;
}

void
fx_gpu_set_resident (FxGpu *gpu, gconstpointer owner)
{
  gpu->resident = owner;
}

void
fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size)
{
  g_autoptr (GError) error = NULL;

  if (gpu->pinned.data == memory && gpu->pinned.size == size)
    return;
  cudaSetDevice (0);
  if (gpu->pinned.data)
    cudaHostUnregister (gpu->pinned.data);
  cudaGetLastError (); /* of a device that is lost */
  gpu->pinned = (Buffer) { 0 };
  if (size == 0)
    return;
  if (check (cudaHostRegister (memory, size, cudaHostRegisterDefault), _("pin memory"), &error))
    gpu->pinned = (Buffer) { memory, size };
  else
    fx_trace ("pin", g_get_monotonic_time (), size, "%s", error->message);
}

/* The queue. */

gboolean
fx_gpu_upload (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error)
{
  return check (cudaMemcpyAsync (to, from, size, cudaMemcpyHostToDevice, gpu->stream),
                _("copy to the GPU"), error) &&
         check (cudaEventRecord (gpu->uploaded, gpu->stream), _("record an event"), error);
}

gboolean
fx_gpu_download (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error)
{
  return check (cudaMemcpyAsync (to, from, size, cudaMemcpyDeviceToHost, gpu->stream),
                _("copy from the GPU"), error);
}

gboolean
fx_gpu_wait_upload (FxGpu *gpu, GError **error)
{
  return check (cudaEventSynchronize (gpu->uploaded), _("copy to the GPU"), error);
}

gboolean
fx_gpu_wait (FxGpu *gpu, GError **error)
{
  return check (cudaStreamSynchronize (gpu->stream), _("run the blur"), error);
}

gboolean
fx_gpu_launch (FxGpu *gpu, FxProgram *program, const FxLaunch *launch, void **args, GError **error)
{
  return allow_shared (gpu, program, launch->shared, error) &&
         check_driver (gpu,
                       gpu->driver.launch (program->kernel, launch->x, launch->y, 1,
                                           launch->threads, 1, 1, (unsigned) launch->shared,
                                           gpu->stream, args, NULL),
                       _("start a kernel"), error);
}

/* There are n + 1 of them after. */
static gboolean
make_marks (FxGpu *gpu, guint n, GError **error)
{
  while (gpu->marks->len <= n)
    {
      cudaEvent_t event;

      if (! check (cudaEventCreate (&event), _("make an event"), error))
        return FALSE;
      g_array_append_val (gpu->marks, event);
    }
  return TRUE;
}

gboolean
fx_gpu_mark (FxGpu *gpu, guint n, GError **error)
{
  return make_marks (gpu, n, error) &&
         check (cudaEventRecord (g_array_index (gpu->marks, cudaEvent_t, n), gpu->stream),
                _("record an event"), error);
}

gboolean
fx_gpu_get_time (FxGpu *gpu, guint n, double *milliseconds, GError **error)
{
  cudaEvent_t from = g_array_index (gpu->marks, cudaEvent_t, n);
  cudaEvent_t to = g_array_index (gpu->marks, cudaEvent_t, n + 1);
  float elapsed = 0.0f;

  if (! check (cudaEventSynchronize (to), _("run the blur"), error) ||
      ! check (cudaEventElapsedTime (&elapsed, from, to), _("read the time"), error))
    return FALSE;
  *milliseconds = elapsed;
  return TRUE;
}
