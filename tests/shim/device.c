/* Implements ../../cuda/gpu/include/device.h on the CPU, without CUDA. shim-kernel.h's compiler
 * gets the program source that NVRTC would get. The engine's own launch.c loads and launches the
 * kernels, over a driver that has the functions for this and refuses what CUDA's driver refuses
 * (driver-limits.h).
 *
 * SHIM_ARCH in the environment is the device's compute capability, 52 for 5.2; the default is
 * 9.0. */
#include "device-private.h"
#include "error.h"
#include "gpu-kernels.h"
#include "shim-device.h"
#include "shim-kernel.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

#define PROCESSORS 3 /* each runs one block at a time: few, so that small images have several */
#define ARCH       90

typedef struct {
  FxGpu base;
  FxTeam *team; /* runs the blocks */
} ShimGpu;

static double launch_limit = G_MAXDOUBLE; /* in samples times taps */

void
shim_set_launch_limit (double limit)
{
  launch_limit = limit;
}

static gsize free_bytes = (gsize) 1 << 30;

void
shim_set_free (gsize bytes)
{
  free_bytes = bytes;
}

static int launches;

int
shim_count_launches (void)
{
  return launches;
}

static void (*on_launch) (void);

void
shim_on_launch (void (*func) (void))
{
  on_launch = func;
}

/* Requested failures. */

static struct {
  int left; /* calls before the one that fails; -1: none fails */
  int code;
  gboolean lost;
} orders[SHIM_CALLS] = { { -1 }, { -1 }, { -1 }, { -1 }, { -1 } };
static gboolean lost;
static gsize held; /* bytes in the buffers of all devices */

/* This thread's current device. */
static _Thread_local ShimGpu *current;

void
shim_fail (ShimCall call, int skip, int code, gboolean lose)
{
  orders[call].left = skip;
  orders[call].code = code;
  orders[call].lost = lose;
}

void
shim_mend (void)
{
  for (int i = 0; i < SHIM_CALLS; i++)
    orders[i].left = -1;
  lost = FALSE;
}

/* Returns whether a call fails, and sets code to the error. */
static gboolean
is_due (ShimCall call, int *code)
{
  *code = FX_ERROR_DEVICE;
  if (! lost)
    {
      if (orders[call].left < 0 || orders[call].left-- > 0)
        return FALSE;
      *code = orders[call].code;
      lost = orders[call].lost;
    }
  return TRUE;
}

static gboolean
is_fine (ShimCall call, GError **error)
{
  int code;

  if (! is_due (call, &code))
    return TRUE;
  g_set_error (error, FX_ERROR, code, "Call %d failed, as the test wants", call);
  return FALSE;
}

/* Programs. The code from the builder is the path of the compiled file. */

/* Adds a room's files to those that a program may include. */
static void
add_room (GResource *room, GPtrArray *names, GPtrArray *texts)
{
  g_auto (GStrv) all = g_resource_enumerate_children (room, FX_PROGRAM_FILES,
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_assert (all);
  for (int i = 0; all[i]; i++)
    {
      g_autofree char *path = g_strconcat (FX_PROGRAM_FILES, all[i], NULL);
      g_autoptr (GBytes)
        bytes = g_resource_lookup_data (room, path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

      g_ptr_array_add (names, g_strdup (all[i]));
      g_ptr_array_add (texts, g_strdup (g_bytes_get_data (bytes, NULL)));
    }
}

static char *
compile (const FxProgram *program, const char *text, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GResource *own = program->get_files ();

  add_room (fx_gpu_kernels_get_resource (), names, texts);
  if (own != fx_gpu_kernels_get_resource ())
    add_room (own, names, texts);
  return shim_compile (text, (int) names->len, (const char *const *) names->pdata,
                       (const char *const *) texts->pdata, error);
}

static GBytes *
build (const FxProgram *program, const char *text, GError **error)
{
  char *path;

  g_assert (current);
  if (! is_fine (SHIM_PROGRAM, error) || ! (path = compile (program, text, error)))
    return NULL;
  return g_bytes_new_take (path, strlen (path) + 1);
}

gboolean
fx_builder_get (FxBuilder *builder, int n, const FxProgram *const *programs, char *const *texts,
                GBytes **codes, GError **error)
{
  gboolean built = TRUE;

  memset (codes, 0, n * sizeof *codes);
  for (int i = 0; i < n && built; i++)
    built = ! texts[i] || (codes[i] = build (programs[i], texts[i], error));
  for (int i = 0; i < n && ! built; i++)
    g_clear_pointer (&codes[i], g_bytes_unref);
  return built;
}

/* Background compilations finish at once, or never. */
static gboolean background;

void
shim_set_background (gboolean on)
{
  background = on;
}

GBytes *
fx_builder_find (FxBuilder *builder, const FxProgram *program, const char *text)
{
  return background ? build (program, text, NULL) : NULL;
}

/* The driver functions that context.c and launch.c call. A context is its device. */

static CUresult CUDAAPI
set_current (CUcontext context)
{
  current = (ShimGpu *) context;
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
get_error_name (CUresult error, const char **text)
{
  *text = "CUDA_ERROR_SHIM";
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
get_error_string (CUresult error, const char **text)
{
  *text = error == CUDA_ERROR_UNKNOWN ? "as the test wants" : "the device cannot do that";
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
load_module (CUmodule *module, const void *image)
{
  *module = (CUmodule) shim_kernel_open (image);
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
unload_module (CUmodule module)
{
  shim_kernel_free ((ShimKernel *) module);
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
get_function (CUfunction *function, CUmodule module, const char *name)
{
  *function = (CUfunction) module;
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
get_global (CUdeviceptr *place, size_t *size, CUmodule module, const char *name)
{
  *place = (CUdeviceptr) (guintptr) shim_kernel_get_global ((ShimKernel *) module, name);
  return CUDA_SUCCESS;
}

static int
get_arch (void)
{
  const char *value = g_getenv ("SHIM_ARCH");

  return value ? atoi (value) : ARCH;
}

static CUresult CUDAAPI
get_attribute (int *value, CUfunction_attribute attribute, CUfunction function)
{
  return limits_get_attribute (shim_kernel_get_limits ((ShimKernel *) function), attribute, value);
}

static CUresult CUDAAPI
set_attribute (CUfunction function, CUfunction_attribute attribute, int value)
{
  return limits_set_attribute (shim_kernel_get_limits ((ShimKernel *) function), get_arch (),
                               attribute, value);
}

static CUresult CUDAAPI
count_blocks (int *blocks, CUfunction function, int threads, size_t shared)
{
  *blocks = limits_count_blocks (shim_kernel_get_limits ((ShimKernel *) function), get_arch (),
                                 threads, shared);
  *blocks = MIN (*blocks, 1);
  return CUDA_SUCCESS;
}

static CUresult CUDAAPI
start_kernel (CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads,
              unsigned threads_y, unsigned threads_z, unsigned shared, CUstream stream, void **args,
              void **extra)
{
  const unsigned grid[3] = { x, y, z }, block[3] = { threads, threads_y, threads_z };
  const ShimLaunch launch = { x, y, threads, shared };
  ShimKernel *kernel = (ShimKernel *) function;
  CUresult result;
  int code;

  if (is_due (SHIM_LAUNCH, &code))
    return code == FX_ERROR_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_UNKNOWN;
  result = limits_check_launch (shim_kernel_get_limits (kernel), grid, block, shared);
  if (result != CUDA_SUCCESS)
    return result;
  if (! shim_kernel_is_aligned (kernel, args))
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  launches++;
  if (on_launch)
    on_launch ();
  shim_kernel_launch (kernel, current->team, &launch, args);
  return CUDA_SUCCESS;
}

static const FxDriver driver = {
  .cuCtxSetCurrent = set_current,
  .cuFuncGetAttribute = get_attribute,
  .cuFuncSetAttribute = set_attribute,
  .cuGetErrorName = get_error_name,
  .cuGetErrorString = get_error_string,
  .cuLaunchKernel = start_kernel,
  .cuModuleGetFunction = get_function,
  .cuModuleGetGlobal = get_global,
  .cuModuleLoadData = load_module,
  .cuModuleUnload = unload_module,
  .cuOccupancyMaxActiveBlocksPerMultiprocessor = count_blocks,
};

/* The device. */

static void (*on_open) (void);

void
shim_on_open (void (*func) (void))
{
  on_open = func;
}

/* All zero, so that the automatic choice takes the GPU, unless a test changes it. */
static FxGpuCost cost;

const FxGpuCost *
fx_gpu_get_cost (void)
{
  return &cost;
}

void
shim_set_cost (const FxGpuCost *value)
{
  cost = *value;
}

void
fx_gpu_pin (FxGpu *gpu, gpointer memory, gsize size)
{
}

static int
get_limit (CUdevice_attribute attribute)
{
  int value = 0;

  g_assert (limits_get_device (get_arch (), attribute, &value));
  return value;
}

FxGpu *
fx_gpu_open (const FxConfig *config, GError **error)
{
  ShimGpu *shim = g_new0 (ShimGpu, 1);
  FxGpu *gpu = &shim->base;

  gpu->versions = config->versions;
  gpu->driver = driver;
  gpu->context = (CUcontext) shim;
  gpu->processors = PROCESSORS;
  gpu->shared_unasked = get_limit (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  gpu->shared_block = get_limit (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  gpu->shared_processor = get_limit (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  g_queue_init (&gpu->kernels);
  shim->team = fx_team_new (fx_threads_get_default ());
  current = shim;
  if (on_open)
    on_open ();
  return gpu;
}

FxVersions
fx_gpu_get_versions (FxGpu *gpu)
{
  return gpu->versions;
}

void
fx_gpu_close (FxGpu *gpu)
{
  if (! gpu)
    return;
  fx_gpu_trim (gpu);
  fx_gpu_free_buffer (gpu, FX_BUFFER_RESIDENT_0);
  fx_gpu_free_buffer (gpu, FX_BUFFER_RESIDENT_1);
  fx_gpu_free_kernels (gpu);
  fx_team_free (((ShimGpu *) gpu)->team);
  g_free (gpu);
}

const char *
fx_gpu_get_name (FxGpu *gpu)
{
  return "Shim";
}

gboolean
fx_gpu_get_free_memory (FxGpu *gpu, gsize *bytes, GError **error)
{
  *bytes = free_bytes;
  return fx_gpu_use (gpu, error);
}

gboolean
fx_gpu_is_alive (FxGpu *gpu)
{
  return ! lost;
}

void
fx_gpu_trim (FxGpu *gpu)
{
  for (int i = 0; i < FX_BUFFERS_RESIDENT; i++)
    fx_gpu_free_buffer (gpu, (FxBufferName) i);
}

void
fx_gpu_free_buffer (FxGpu *gpu, FxBufferName name)
{
  FxBuffer *buffer = &gpu->buffers[name];

  free ((gpointer) (guintptr) buffer->data);
  held -= buffer->size;
  *buffer = (FxBuffer) { 0 };
}

gsize
fx_gpu_get_held_memory (FxGpu *gpu)
{
  return gpu->buffers[FX_BUFFER_RESIDENT_0].size + gpu->buffers[FX_BUFFER_RESIDENT_1].size;
}

gsize
shim_get_memory (void)
{
  return held;
}

const FxResidentSource *
fx_gpu_get_resident (FxGpu *gpu)
{
  return gpu->resident;
}

void
fx_gpu_set_resident (FxGpu *gpu, const FxResidentSource *resident)
{
  gpu->resident = resident;
}

double
fx_gpu_get_launch_limit (FxGpu *gpu)
{
  return launch_limit;
}

/* Fills new memory with bits that mean NaN, or the largest value in integer formats. */
gpointer
fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error)
{
  FxBuffer *buffer = &gpu->buffers[name];
  gpointer memory;

  if (! is_fine (SHIM_BUFFER, error))
    return NULL;
  if (buffer->size < size)
    {
      fx_gpu_free_buffer (gpu, name);
      memory = aligned_alloc (256, (size + 255) / 256 * 256);
      g_assert (memory);
      memset (memory, 0xff, size);
      *buffer = (FxBuffer) { (CUdeviceptr) (guintptr) memory, size };
      held += size;
    }
  return (gpointer) (guintptr) buffer->data;
}

gboolean
fx_gpu_upload (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error)
{
  if (! is_fine (SHIM_UPLOAD, error))
    return FALSE;
  memcpy (to, from, size);
  return TRUE;
}

gboolean
fx_gpu_download (FxGpu *gpu, gpointer to, gconstpointer from, gsize size, GError **error)
{
  if (! is_fine (SHIM_DOWNLOAD, error))
    return FALSE;
  memcpy (to, from, size);
  return TRUE;
}

gboolean
fx_gpu_wait_upload (FxGpu *gpu, GError **error)
{
  return TRUE;
}

gboolean
fx_gpu_wait (FxGpu *gpu, GError **error)
{
  return TRUE;
}
