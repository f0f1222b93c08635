#include "gpu.h"
#include "program.h"
#include "trace.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define MEMORY_RESERVE  ((gsize) 64 << 20) /* device bytes left to others */
#define PROGRAMS_MAX    64                 /* loaded at a time; the least recently used goes first */

/* As kernels/fir.cu has them. */
#define RUN           8
#define ROWS          16
#define TILE          128
#define ROW_BLOCK     (ROWS * TILE / RUN)
#define COLUMN_BLOCK  128

typedef struct {
  CUdeviceptr rows;
  long long pitch;
  int count;
} Ring;

typedef struct {
  CUdeviceptr pixels;
  int x0, x1;
  int width;
} Source;

/* The driver's calls, found at run time: the binary starts without a driver. */
typedef struct {
  CUresult (*module_load) (CUmodule *, const void *);
  CUresult (*module_unload) (CUmodule);
  CUresult (*get_function) (CUfunction *, CUmodule, const char *);
  CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, CUstream, void **, void **);
  CUresult (*get_error_string) (CUresult, const char **);
} Driver;

/* A loaded program. */
typedef struct {
  char *name;
  CUmodule module;
  CUfunction filter_rows;
  CUfunction filter_columns;
} Program;

/* Memory that grows with the largest run so far and is kept for the next. */
typedef struct {
  void *data;
  gsize size;
} Buffer;

struct BlurGpu {
  char name[96];
  int arch; /* compute capability, 90 for 9.0 */
  int driver_major;
  Driver driver;
  BlurCompiler *compiler; /* NULL until the first program */
  BlurCache *cache;
  GQueue programs; /* of Program, the most recently used first */
  cudaStream_t stream;
  cudaEvent_t uploaded;
  Buffer source, result, ring;           /* on the device */
  Buffer source_staging, result_staging; /* pinned */
};

typedef struct {
  BlurRun base;
  BlurGpu *gpu;
  Program *program;
  Ring ring;
} GpuRun;

/* Errors. */

static gboolean
check (cudaError_t result, const char *what, GError **error)
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
  if (! check (result, _("find the driver's calls"), error))
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
find_driver (Driver *driver, GError **error)
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

/* cudaGetDeviceProperties costs milliseconds and changes its layout between versions. */
static gboolean
read_properties (BlurGpu *gpu, GError **error)
{
  int major = 0, minor = 0;
  struct cudaDeviceProp properties;

  if (! check (cudaDeviceGetAttribute (&major, cudaDevAttrComputeCapabilityMajor, 0),
               _("read the GPU's version"), error) ||
      ! check (cudaDeviceGetAttribute (&minor, cudaDevAttrComputeCapabilityMinor, 0),
               _("read the GPU's version"), error) ||
      ! check (cudaGetDeviceProperties (&properties, 0), _("read the GPU's name"), error))
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
  if (check_device (&version, error) && check (cudaSetDevice (0), _("open the GPU"), error) &&
      check (cudaFree (NULL), _("open the GPU"), error) && read_properties (gpu, error) &&
      find_driver (&gpu->driver, error) &&
      check (cudaStreamCreateWithFlags (&gpu->stream, cudaStreamNonBlocking),
             _("make a stream"), error) &&
      check (cudaEventCreateWithFlags (&gpu->uploaded, cudaEventDisableTiming),
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
unload_program (BlurGpu *gpu, Program *program)
{
  if (program->module)
    gpu->driver.module_unload (program->module);
  g_free (program->name);
  g_free (program);
}

void
blur_gpu_close (BlurGpu *gpu)
{
  Program *program;

  if (! gpu)
    return;
  /* Failures are passed over: after a failed kernel every call fails, and all goes with the process. */
  while ((program = g_queue_pop_head (&gpu->programs)))
    unload_program (gpu, program);
  cudaFree (gpu->source.data);
  cudaFree (gpu->result.data);
  cudaFree (gpu->ring.data);
  cudaFreeHost (gpu->source_staging.data);
  cudaFreeHost (gpu->result_staging.data);
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

static Program *
find_program (BlurGpu *gpu, const char *name)
{
  GList *link;

  for (link = gpu->programs.head; link; link = link->next)
    if (strcmp (((Program *) link->data)->name, name) == 0)
      {
        g_queue_unlink (&gpu->programs, link);
        g_queue_push_head_link (&gpu->programs, link);
        return link->data;
      }
  return NULL;
}

static GBytes *
get_code (BlurGpu *gpu, const BlurPlan *plan, GError **error)
{
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
  return blur_program_get (gpu->compiler, gpu->cache, plan, &target, error);
}

static gboolean
load_code (BlurGpu *gpu, Program *program, GBytes *code, GError **error)
{
  gint64 start = g_get_monotonic_time ();

  if (! check_driver (gpu, gpu->driver.module_load (&program->module, g_bytes_get_data (code, NULL)),
                      _("load the blur's program"), error) ||
      ! check_driver (gpu, gpu->driver.get_function (&program->filter_rows, program->module,
                                                     "filter_rows"), _("find a kernel"), error) ||
      ! check_driver (gpu, gpu->driver.get_function (&program->filter_columns, program->module,
                                                     "filter_columns"), _("find a kernel"), error))
    return FALSE;
  blur_trace ("load", start, g_bytes_get_size (code), NULL);
  return TRUE;
}

static Program *
get_program (BlurGpu *gpu, const BlurPlan *plan, GError **error)
{
  g_autofree char *name = blur_program_get_name (plan);
  g_autoptr (GBytes) code = NULL;
  Program *program = find_program (gpu, name);

  if (program)
    return program;
  code = get_code (gpu, plan, error);
  if (! code)
    return NULL;
  program = g_new0 (Program, 1);
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

gsize
blur_gpu_get_free_memory (BlurGpu *gpu)
{
  gsize held = gpu->source.size + gpu->result.size + gpu->ring.size;
  size_t available = 0, total = 0;

  if (cudaMemGetInfo (&available, &total) != cudaSuccess)
    return 0; /* the next call says why */
  available += held;
  return available > 2 * MEMORY_RESERVE ? available - MEMORY_RESERVE : available / 2;
}

static gboolean
grow (Buffer *buffer, gsize size, gboolean pinned, GError **error)
{
  if (buffer->size >= size)
    return TRUE;
  if (! check (pinned ? cudaFreeHost (buffer->data) : cudaFree (buffer->data), _("free memory"),
               error))
    return FALSE;
  *buffer = (Buffer) { NULL, 0 };
  if (! check (pinned ? cudaMallocHost (&buffer->data, size) : cudaMalloc (&buffer->data, size),
               pinned ? _("allocate pinned memory") : _("allocate GPU memory"), error))
    {
      buffer->data = NULL;
      return FALSE;
    }
  buffer->size = size;
  return TRUE;
}

static gboolean
allocate (GpuRun *run, GError **error)
{
  const BlurStrip *strip = &run->base.strip;
  gsize row = strip->chunk_rows * blur_format_size (&run->base.plan->format);
  gsize source = row * (strip->source_x1 - strip->source_x0);
  gsize result = row * (strip->x1 - strip->x0);
  gsize pitch = blur_plan_get_pitch (strip->x1 - strip->x0);
  gsize ring = strip->ring_rows * run->base.plan->format.channels * pitch * sizeof (float);
  BlurGpu *gpu = run->gpu;

  if (! grow (&gpu->source, source, FALSE, error) || ! grow (&gpu->result, result, FALSE, error) ||
      ! grow (&gpu->ring, ring, FALSE, error) ||
      ! grow (&gpu->source_staging, source, TRUE, error) ||
      ! grow (&gpu->result_staging, result, TRUE, error))
    return FALSE;
  run->base.source = gpu->source_staging.data;
  run->base.result = gpu->result_staging.data;
  run->ring = (Ring) { (CUdeviceptr) (guintptr) gpu->ring.data, (long long) pitch,
                       strip->ring_rows };
  return TRUE;
}

/* Running. */

static void
gpu_end (BlurRun *base)
{
  GpuRun *run = (GpuRun *) base;

  /* A run that stopped midway may have work under way in the buffers. */
  cudaStreamSynchronize (run->gpu->stream);
  g_free (run);
}

static BlurRun *
gpu_begin (gpointer device, const BlurPlan *plan, const BlurStrip *strip, GError **error)
{
  GpuRun *run = g_new0 (GpuRun, 1);

  run->base = (BlurRun) { .backend = &blur_gpu_backend, .plan = plan, .strip = *strip };
  run->gpu = device;
  run->program = get_program (run->gpu, plan, error);
  if (run->program && allocate (run, error))
    return &run->base;
  gpu_end (&run->base);
  return NULL;
}

static unsigned
ceil_div (gsize a, gsize b)
{
  return (unsigned) ((a + b - 1) / b);
}

static gboolean
gpu_push (BlurRun *base, int y, int rows, GError **error)
{
  GpuRun *run = (GpuRun *) base;
  BlurGpu *gpu = run->gpu;
  BlurStrip *strip = &base->strip;
  Source source = { (CUdeviceptr) (guintptr) gpu->source.data, strip->source_x0, strip->source_x1,
                    strip->width };
  gsize size = (gsize) rows * (strip->source_x1 - strip->source_x0) *
               blur_format_size (&base->plan->format);
  void *args[] = { &source, &run->ring, &strip->x0, &y, &rows };

  return check (cudaMemcpyAsync (gpu->source.data, base->source, size, cudaMemcpyHostToDevice,
                                 gpu->stream), _("copy to the GPU"), error) &&
         check (cudaEventRecord (gpu->uploaded, gpu->stream), _("record an event"), error) &&
         check_driver (gpu, gpu->driver.launch (run->program->filter_rows,
                                                ceil_div (strip->x1 - strip->x0, TILE),
                                                ceil_div (rows, ROWS), 1, ROW_BLOCK, 1, 1, 0,
                                                gpu->stream, args, NULL),
                       _("start a kernel"), error) &&
         /* The caller fills the staging buffer next. */
         check (cudaEventSynchronize (gpu->uploaded), _("copy to the GPU"), error);
}

static gboolean
gpu_pull (BlurRun *base, int y, int rows, GError **error)
{
  GpuRun *run = (GpuRun *) base;
  BlurGpu *gpu = run->gpu;
  BlurStrip *strip = &base->strip;
  int width = strip->x1 - strip->x0;
  int lowest = MAX (0, y - base->plan->y.radius);
  int offset = lowest % strip->ring_rows - lowest;
  CUdeviceptr result = (CUdeviceptr) (guintptr) gpu->result.data;
  gsize size = (gsize) rows * width * blur_format_size (&base->plan->format);
  void *args[] = { &run->ring, &offset, &strip->height, &width, &y, &rows, &result };

  return check_driver (gpu, gpu->driver.launch (run->program->filter_columns,
                                                ceil_div (width, COLUMN_BLOCK),
                                                ceil_div (rows, RUN), 1, COLUMN_BLOCK, 1, 1, 0,
                                                gpu->stream, args, NULL),
                       _("start a kernel"), error) &&
         check (cudaMemcpyAsync (base->result, gpu->result.data, size, cudaMemcpyDeviceToHost,
                                 gpu->stream), _("copy from the GPU"), error) &&
         check (cudaStreamSynchronize (gpu->stream), _("run the blur"), error);
}

const BlurBackend blur_gpu_backend = {
  .begin = gpu_begin,
  .push = gpu_push,
  .pull = gpu_pull,
  .end = gpu_end,
};
