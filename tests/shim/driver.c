#include "device.h"
#include "driver-limits.h"
#include "driver.h"
#include "fault.h"
#include "format.h"
#include "shim-kernel.h"
#include "stand-in.h"
#include "threads.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8 /* contexts on a thread's stack */

static const StandIn whole = {
  .driver = 13000,
  .devices = 1,
  .arch = 90,
  .nvrtc = "13.0",
  .builtins = TRUE,
  .free_bytes = (gsize) 1 << 30,
  .processors = 3, /* each runs one block at a time: few, so that small images have several */
  .launches = TRUE,
  .compiles = TRUE,
};

StandIn stand_in = whole;

/* An object in a context, which is freed with the context at the latest. */
typedef struct {
  gpointer data;
  gsize size; /* of the device's memory */
  GDestroyNotify free;
} Thing;

/* A device's primary context. It is never freed, because threads may still have it as their current
 * one. */
struct CUctx_st {
  int users; /* 0: it is destroyed */
  gboolean broken;
  GHashTable *things; /* data to Thing */
};

static struct {
  GMutex lock;
  CUcontext primary; /* the newest one */
  GPtrArray *all;    /* contexts */
  gboolean lost;
  gint loaded; /* atomic: the driver's library is */
  gint absent; /* atomic: the runtime was asked before that: for it there is no driver any more */
} machine;

static _Thread_local struct {
  CUcontext contexts[DEPTH_MAX];
  int depth;
  int pushed; /* calls that pushed one and were not popped */
} stack;

void
stand_in_reset (void)
{
  stand_in = whole;
}

void
stand_in_check_clean (const char *point)
{
  if (! machine.primary || machine.primary->users == 0)
    return;
  if (strcmp (point, "cuDevicePrimaryCtxRelease") != 0)
    g_test_message ("a context is left, of %d users", machine.primary->users);
  g_assert_cmpstr (point, ==, "cuDevicePrimaryCtxRelease");
  machine.primary->users = 0;
  g_clear_pointer (&machine.primary->things, g_hash_table_unref);
}

void
stand_in_restore (void)
{
  fault_end ();
  machine.lost = FALSE;
}

const FxGpuCost *
fx_gpu_get_cost (void)
{
  return &stand_in.cost;
}

/* Contexts. */

static CUcontext
get_current (void)
{
  return stack.depth > 0 ? stack.contexts[stack.depth - 1] : NULL;
}

static void
free_thing (gpointer data)
{
  Thing *thing = data;

  thing->free (thing->data);
  g_free (thing);
}

static CUcontext
make_context (void)
{
  CUcontext context = g_new0 (struct CUctx_st, 1);

  if (! machine.all)
    machine.all = g_ptr_array_new ();
  g_ptr_array_add (machine.all, context);
  context->things = g_hash_table_new_full (NULL, NULL, NULL, free_thing);
  return context;
}

static void
release (void)
{
  g_mutex_lock (&machine.lock);
  g_assert (machine.primary->users > 0);
  if (--machine.primary->users == 0)
    g_clear_pointer (&machine.primary->things, g_hash_table_unref);
  g_mutex_unlock (&machine.lock);
}

void
stand_in_unshare (void)
{
  stand_in.shared = FALSE;
  release ();
}

gsize
stand_in_get_memory (void)
{
  GHashTableIter iter;
  gpointer thing;
  gsize size = 0;

  g_mutex_lock (&machine.lock);
  g_hash_table_iter_init (&iter, machine.primary->things);
  while (g_hash_table_iter_next (&iter, NULL, &thing))
    size += ((Thing *) thing)->size;
  g_mutex_unlock (&machine.lock);
  return size;
}

/* Returns data, which now belongs to the current context. */
static gpointer
add (gpointer data, gsize size, GDestroyNotify func)
{
  Thing *thing = g_new (Thing, 1);

  *thing = (Thing) { data, size, func };
  g_mutex_lock (&machine.lock);
  g_hash_table_insert (get_current ()->things, data, thing);
  g_mutex_unlock (&machine.lock);
  return data;
}

static CUresult
drop (gconstpointer data)
{
  gboolean found;

  g_mutex_lock (&machine.lock);
  found = g_hash_table_remove (get_current ()->things, data);
  g_mutex_unlock (&machine.lock);
  g_assert (found); /* nothing may be freed twice, or in another context */
  return CUDA_SUCCESS;
}

/* Faults. */

static gboolean
is_about_memory (const char *point)
{
  return strcmp (point, "cuMemAlloc") == 0 || strcmp (point, "cuMemHostRegister") == 0;
}

/* Checks a call that needs no context. */
static CUresult
check (const char *point)
{
  FaultMode mode;

  if (! fault_is_due (point, &mode))
    return CUDA_SUCCESS;
  machine.lost |= mode == FAULT_LOST;
  return CUDA_ERROR_UNKNOWN;
}

/* Checks a call that needs a current context. */
static CUresult
check_in_context (const char *point)
{
  CUcontext context = get_current ();
  FaultMode mode;

  if (! context)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context->users == 0)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (fault_is_due (point, &mode))
    {
      if (mode == FAULT_ONCE)
        return is_about_memory (point) ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_UNKNOWN;
      context->broken = TRUE;
      machine.lost |= mode == FAULT_LOST;
    }
  return context->broken ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}

/* Defines a function of the driver: a fault point, and then an expression. */
#define CALL(check, name, parameters, result)          \
  static CUresult CUDAAPI do_##name parameters         \
  {                                                    \
    const CUresult checked = check (#name);            \
                                                       \
    return checked == CUDA_SUCCESS ? result : checked; \
  }

/* Error messages. */

CALL (check, cuGetErrorName, (CUresult error, const char **text),
      (*text = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                                 : "CUDA_ERROR_STAND_IN",
       CUDA_SUCCESS))
CALL (check, cuGetErrorString, (CUresult error, const char **text),
      (*text = error == CUDA_ERROR_UNKNOWN || error == CUDA_ERROR_ILLEGAL_ADDRESS
                 ? "as the test wants"
                 : "the device cannot do that",
       CUDA_SUCCESS))

/* Devices and contexts. */

CALL (check, cuDeviceGet, (CUdevice * device, int n), (*device = n, CUDA_SUCCESS))
CALL (check, cuDeviceGetName, (char *name, int size, CUdevice device),
      (g_strlcpy (name, "Stand-in", size), CUDA_SUCCESS))

static CUresult
get_attribute (int *value, CUdevice_attribute attribute, CUdevice device)
{
  if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)
    *value = stand_in.arch / 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)
    *value = stand_in.arch % 10;
  else if (attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)
    *value = stand_in.processors;
  else if (! limits_get_device (stand_in.arch, attribute, value))
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CALL (check, cuDeviceGetAttribute, (int *value, CUdevice_attribute attribute, CUdevice device),
      get_attribute (value, attribute, device))

static CUresult
retain (CUcontext *context, CUdevice device)
{
  if (machine.lost)
    return CUDA_ERROR_NO_DEVICE;
  g_mutex_lock (&machine.lock);
  if (! machine.primary || machine.primary->users == 0)
    {
      machine.primary = make_context ();
      machine.primary->users = stand_in.shared;
    }
  machine.primary->users++;
  g_mutex_unlock (&machine.lock);
  *context = machine.primary;
  return CUDA_SUCCESS;
}

CALL (check, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device),
      retain (context, device))

CALL (check, cuDevicePrimaryCtxRelease, (CUdevice device), (release (), CUDA_SUCCESS))
CALL (check, cuCtxGetCurrent, (CUcontext * context), (*context = get_current (), CUDA_SUCCESS))

static CUresult
push (CUcontext context)
{
  g_assert (stack.depth < DEPTH_MAX);
  stack.contexts[stack.depth++] = context;
  stack.pushed++;
  return CUDA_SUCCESS;
}

CALL (check, cuCtxPushCurrent, (CUcontext context), push (context))

static CUresult
pop (CUcontext *context)
{
  g_assert (stack.pushed > 0); /* else it is another's */
  *context = get_current ();
  stack.depth--;
  stack.pushed--;
  return CUDA_SUCCESS;
}

CALL (check, cuCtxPopCurrent, (CUcontext * context), pop (context))

static CUresult
set_current (CUcontext context)
{
  stack.depth -= stack.depth > 0;
  if (context)
    stack.contexts[stack.depth++] = context;
  stack.pushed++;
  return CUDA_SUCCESS;
}

CALL (check, cuCtxSetCurrent, (CUcontext context), set_current (context))

/* The queue. All work is done when it is queued. */

struct CUstream_st {
  FxTeam *team; /* runs the blocks; NULL before the first launch */
};

static void
free_stream (gpointer data)
{
  CUstream stream = data;

  fx_team_free (stream->team);
  g_free (stream);
}

CALL (check_in_context, cuStreamCreate, (CUstream * stream, unsigned flags),
      (*stream = add (g_new0 (struct CUstream_st, 1), 0, free_stream), CUDA_SUCCESS))
CALL (check_in_context, cuStreamDestroy, (CUstream stream), drop (stream))
CALL (check_in_context, cuStreamSynchronize, (CUstream stream), CUDA_SUCCESS)
CALL (check_in_context, cuEventCreate, (CUevent * event, unsigned flags),
      (*event = add (g_malloc (1), 0, g_free), CUDA_SUCCESS))
CALL (check_in_context, cuEventDestroy, (CUevent event), drop (event))
CALL (check_in_context, cuEventRecord, (CUevent event, CUstream stream), CUDA_SUCCESS)
CALL (check_in_context, cuEventSynchronize, (CUevent event), CUDA_SUCCESS)

/* Memory. New memory is filled with what must not matter: in turns four NaN, which a product with 0
 * keeps, and an RGBA pixel of the largest finite values, whose sums and products become infinite,
 * and which a test for NaN keeps. */

static void
poison (gpointer memory, gsize size)
{
  static const guint32 bits[] = { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
                                  0xff7fffff, 0xff7fffff, 0xff7fffff, 0x7f7fffff };

  for (gsize done = 0; done < size; done += sizeof bits)
    memcpy ((char *) memory + done, bits, MIN (sizeof bits, size - done));
}

void
stand_in_poison_buffer (gpointer data)
{
  const Thing *thing;

  g_mutex_lock (&machine.lock);
  thing = g_hash_table_lookup (machine.primary->things, data);
  if (thing)
    poison (data, thing->size);
  g_mutex_unlock (&machine.lock);
}

static CUresult
get_info (size_t *available, size_t *all)
{
  *available = stand_in.free_bytes;
  *all = stand_in.all_bytes ? stand_in.all_bytes : stand_in.free_bytes;
  return CUDA_SUCCESS;
}

CALL (check_in_context, cuMemGetInfo, (size_t * available, size_t *all), get_info (available, all))

static CUresult
allocate (CUdeviceptr *data, size_t size)
{
  gpointer memory;

  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (size > stand_in.free_bytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memory = add (aligned_alloc (256, (size + 255) / 256 * 256), size, free);
  poison (memory, size);
  *data = (CUdeviceptr) (guintptr) memory;
  return CUDA_SUCCESS;
}

CALL (check_in_context, cuMemAlloc, (CUdeviceptr * data, size_t size), allocate (data, size))

CALL (check_in_context, cuMemFree, (CUdeviceptr data), drop ((gconstpointer) (guintptr) data))

/* CUDA refuses memory that is pinned already. */
static CUresult
pin (void *memory, size_t size, unsigned flags)
{
  gboolean pinned;

  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  g_mutex_lock (&machine.lock);
  pinned = g_hash_table_contains (get_current ()->things, memory);
  g_mutex_unlock (&machine.lock);
  if (pinned)
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  add (memory, 0, (GDestroyNotify) g_thread_yield); /* the context must not free it */
  return CUDA_SUCCESS;
}

CALL (check_in_context, cuMemHostRegister, (void *memory, size_t size, unsigned flags),
      pin (memory, size, flags))

CALL (check_in_context, cuMemHostUnregister, (void *memory), drop (memory))
CALL (check_in_context, cuMemcpyHtoDAsync,
      (CUdeviceptr to, const void *from, size_t size, CUstream stream),
      (memcpy ((gpointer) (guintptr) to, from, size), CUDA_SUCCESS))
CALL (check_in_context, cuMemcpyDtoHAsync,
      (void *to, CUdeviceptr from, size_t size, CUstream stream),
      (memcpy (to, (gconstpointer) (guintptr) from, size), CUDA_SUCCESS))

/* Programs: the word CUBIN or PTX, the architecture, and the path of the compiled file. A real
 * CUBIN, for any architecture, can be loaded, too: its launches are checked, but nothing runs. */

typedef struct {
  ShimKernel *code; /* NULL for a real CUBIN */
  LimitsKernel limits;
} Kernel;

static void
free_kernel (gpointer data)
{
  Kernel *kernel = data;

  g_clear_pointer (&kernel->code, shim_kernel_free);
  g_free (kernel);
}

static CUresult
load (const char *image, Kernel **kernel)
{
  char kind[6], path[1024];
  int arch;

  if (memcmp (image, "\177ELF", 4) == 0)
    {
      *kernel = g_new0 (Kernel, 1);
      limits_read_cubin (image, &(*kernel)->limits);
      return CUDA_SUCCESS;
    }
  if (sscanf (image, "%5s %d %1023s", kind, &arch, path) != 3)
    return CUDA_ERROR_INVALID_IMAGE;
  if (arch > stand_in.arch || (strcmp (kind, "CUBIN") == 0 && arch / 10 != stand_in.arch / 10))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  *kernel = g_new0 (Kernel, 1);
  (*kernel)->code = shim_kernel_open (path);
  (*kernel)->limits.shared = shim_kernel_get_static ((*kernel)->code);
  return CUDA_SUCCESS;
}

static CUresult
load_module (CUmodule *module, const void *image)
{
  Kernel *kernel;
  const CUresult result = load (image, &kernel);

  if (result == CUDA_SUCCESS)
    *module = add (kernel, 0, free_kernel);
  return result;
}

CALL (check_in_context, cuModuleLoadData, (CUmodule * module, const void *image),
      load_module (module, image))

CALL (check_in_context, cuModuleUnload, (CUmodule module), drop (module))
CALL (check_in_context, cuModuleGetFunction,
      (CUfunction * function, CUmodule module, const char *name),
      (*function = (CUfunction) module, CUDA_SUCCESS))

/* In a real CUBIN, which does not run, any memory serves. */
static CUresult
get_global (CUdeviceptr *data, size_t *size, CUmodule module, const char *name)
{
  static float entries[FX_TRC_ENTRIES];
  const Kernel *kernel = (Kernel *) module;

  *data = (CUdeviceptr) (guintptr) (kernel->code ? shim_kernel_get_global (kernel->code, name)
                                                 : entries);
  return CUDA_SUCCESS;
}

CALL (check_in_context, cuModuleGetGlobal,
      (CUdeviceptr * data, size_t *size, CUmodule module, const char *name),
      get_global (data, size, module, name))

CALL (check_in_context, cuFuncGetAttribute,
      (int *value, CUfunction_attribute attribute, CUfunction function),
      limits_get_attribute (&((Kernel *) function)->limits, attribute, value))
CALL (check_in_context, cuFuncSetAttribute,
      (CUfunction function, CUfunction_attribute attribute, int value),
      limits_set_attribute (&((Kernel *) function)->limits, stand_in.arch, attribute, value))
CALL (check_in_context, cuOccupancyMaxActiveBlocksPerMultiprocessor,
      (int *blocks, CUfunction function, int threads, size_t shared),
      (*blocks = MIN (limits_count_blocks (&((Kernel *) function)->limits, stand_in.arch, threads,
                                           shared),
                      stand_in.crowded ? 0 : 1),
       CUDA_SUCCESS))

static CUresult
launch (CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads,
        unsigned threads_y, unsigned threads_z, unsigned shared, CUstream stream, void **args,
        void **extra)
{
  const unsigned grid[3] = { x, y, z }, block[3] = { threads, threads_y, threads_z };
  const ShimLaunch launch = { x, y, threads, shared };
  const Kernel *kernel = (Kernel *) function;
  CUresult result;

  if (! stand_in.launches)
    return CUDA_ERROR_LAUNCH_FAILED;
  result = limits_check_launch (&kernel->limits, grid, block, shared);
  if (result != CUDA_SUCCESS || ! kernel->code)
    return result;
  if (! shim_kernel_is_aligned (kernel->code, args))
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  if (! stream->team)
    stream->team = fx_team_new (fx_threads_get_default ());
  shim_kernel_launch (kernel->code, stream->team, &launch, args);
  return CUDA_SUCCESS;
}

CALL (check_in_context, cuLaunchKernel,
      (CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads,
       unsigned threads_y, unsigned threads_z, unsigned shared, CUstream stream, void **args,
       void **extra),
      launch (function, x, y, z, threads, threads_y, threads_z, shared, stream, args, extra))

/* The runtime. */

static gpointer
find_call (const char *name)
{
#define ENTRY(call) { #call, (gpointer) do_##call },
  static const struct {
    const char *name;
    gpointer call;
  } calls[] = { FX_DRIVER_CALLS (ENTRY) };
#undef ENTRY

  for (gsize i = 0; i < G_N_ELEMENTS (calls); i++)
    if (strcmp (calls[i].name, name) == 0)
      return calls[i].call;
  return NULL;
}

static cudaError_t
find_entry (const char *name, void **entry)
{
  if (check ("cudaGetDriverEntryPoint") != CUDA_SUCCESS)
    return cudaErrorUnknown;
  *entry = find_call (name);
  return *entry ? cudaSuccess : cudaErrorSymbolNotFound;
}

#if CUDART_VERSION >= 12050
cudaError_t CUDARTAPI
cudaGetDriverEntryPointByVersion (const char *name, void **entry, unsigned version,
                                  unsigned long long flags,
                                  enum cudaDriverEntryPointQueryResult *found)
{
  return find_entry (name, entry);
}
#elif CUDART_VERSION >= 12000
cudaError_t CUDARTAPI
cudaGetDriverEntryPoint (const char *name, void **entry, unsigned long long flags,
                         enum cudaDriverEntryPointQueryResult *found)
{
  return find_entry (name, entry);
}
#else
cudaError_t CUDARTAPI
cudaGetDriverEntryPoint (const char *name, void **entry, unsigned long long flags)
{
  return find_entry (name, entry);
}
#endif

/* Opens the driver's library. Other paths are those of NVRTC, if there is nvrtc.c, and of programs
 * that are compiled. */

GModule *__wrap_g_module_open (const char *path, GModuleFlags flags);
GModule *__real_g_module_open (const char *path, GModuleFlags flags);

GModule *
__wrap_g_module_open (const char *path, GModuleFlags flags)
{
  FaultMode mode;

  if (g_strcmp0 (path, "libcuda.so.1") != 0)
    return (stand_in_open_nvrtc ? stand_in_open_nvrtc : __real_g_module_open) (path, flags);
  if (stand_in.driver == 0 || fault_is_due ("g_module_open", &mode))
    return NULL;
  g_atomic_int_set (&machine.loaded, TRUE);
  return __real_g_module_open (NULL, flags);
}

/* The driver's version for the runtime; 0: there is none. */
static int
get_version (void)
{
  if (! g_atomic_int_get (&machine.loaded))
    g_atomic_int_set (&machine.absent, TRUE);
  return g_atomic_int_get (&machine.absent) ? 0 : stand_in.driver;
}

cudaError_t CUDARTAPI
cudaDriverGetVersion (int *version)
{
  FaultMode mode;

  *version = get_version ();
  return fault_is_due ("cudaDriverGetVersion", &mode) ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t CUDARTAPI
cudaGetDeviceCount (int *count)
{
  CUresult result = check ("cudaGetDeviceCount");

  *count = 0;
  if (get_version () / 1000 < CUDART_VERSION / 1000)
    return cudaErrorInsufficientDriver;
  if (stand_in.updated)
    return cudaErrorSystemDriverMismatch;
  if (machine.lost || stand_in.devices == 0)
    return cudaErrorNoDevice;
  *count = stand_in.devices;
  return result == CUDA_SUCCESS ? cudaSuccess : cudaErrorUnknown;
}

const char *CUDARTAPI
cudaGetErrorName (cudaError_t error)
{
  return "cudaErrorStandIn";
}

const char *CUDARTAPI
cudaGetErrorString (cudaError_t error)
{
  return "as the test wants";
}
