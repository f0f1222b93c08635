#include "driver.h"

#include "fault.h"
#include "format.h"
#include "stand-in.h"
#include "shim-kernel.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 8 /* contexts on a thread's stack */
#define CAPACITY  3 /* blocks at a time: few, so that small images have several */
#define THREADS   2

static const StandIn whole = {
  .driver = 13000,
  .devices = 1,
  .arch = 90,
  .nvrtc = "13.0",
  .builtins = TRUE,
  .free_bytes = (gsize) 1 << 30,
  .processors = 1,
  .launches = TRUE,
  .compiles = TRUE,
};

StandIn stand_in = whole;

/* An object in a context, which is freed with the context at the latest. */
typedef struct {
  gpointer data;
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
  FxTeam *team;
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
stand_in_mend (void)
{
  machine.lost = FALSE;
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

static void (*on_release) (void);

void
stand_in_on_release (void (*func) (void))
{
  on_release = func;
}

static void
release (void)
{
  if (on_release)
    on_release ();
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

/* Returns data, which now belongs to the current context. */
static gpointer
add (gpointer data, GDestroyNotify func)
{
  Thing *thing = g_new (Thing, 1);

  *thing = (Thing) { data, func };
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

#define CALL(name, ...) static CUresult CUDAAPI do_##name (__VA_ARGS__)
#define CHECK(name)                                   \
  do                                                  \
    {                                                 \
      const CUresult result_of_check = check (#name); \
      if (result_of_check != CUDA_SUCCESS)            \
        return result_of_check;                       \
    }                                                 \
  while (0)
#define CHECK_IN_CONTEXT(name)                                   \
  do                                                             \
    {                                                            \
      const CUresult result_of_check = check_in_context (#name); \
      if (result_of_check != CUDA_SUCCESS)                       \
        return result_of_check;                                  \
    }                                                            \
  while (0)

/* A call that is checked, and then is an expression. */
#define SIMPLE_CALL(check, name, parameters, result) \
  static CUresult CUDAAPI do_##name parameters       \
  {                                                  \
    check (name);                                    \
    return result;                                   \
  }

/* Error messages. */

SIMPLE_CALL (CHECK, cuGetErrorName, (CUresult error, const char **text),
             (*text = error == CUDA_ERROR_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                                        : "CUDA_ERROR_STAND_IN",
              CUDA_SUCCESS))
SIMPLE_CALL (CHECK, cuGetErrorString, (CUresult error, const char **text),
             (*text = error == CUDA_ERROR_ILLEGAL_ADDRESS
                        ? "an illegal memory access was encountered"
                        : "as the test wants",
              CUDA_SUCCESS))

/* Devices and contexts. */

SIMPLE_CALL (CHECK, cuDeviceGet, (CUdevice * device, int n), (*device = n, CUDA_SUCCESS))
SIMPLE_CALL (CHECK, cuDeviceGetName, (char *name, int size, CUdevice device),
             (g_strlcpy (name, "Stand-in", size), CUDA_SUCCESS))

CALL (cuDeviceGetAttribute, int *value, CUdevice_attribute attribute, CUdevice device)
{
  CHECK (cuDeviceGetAttribute);
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

CALL (cuDevicePrimaryCtxRetain, CUcontext *context, CUdevice device)
{
  CHECK (cuDevicePrimaryCtxRetain);
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

SIMPLE_CALL (CHECK, cuDevicePrimaryCtxRelease, (CUdevice device), (release (), CUDA_SUCCESS))
SIMPLE_CALL (CHECK, cuCtxGetCurrent, (CUcontext * context),
             (*context = get_current (), CUDA_SUCCESS))

CALL (cuCtxPushCurrent, CUcontext context)
{
  CHECK (cuCtxPushCurrent);
  g_assert (stack.depth < DEPTH_MAX);
  stack.contexts[stack.depth++] = context;
  stack.pushed++;
  return CUDA_SUCCESS;
}

CALL (cuCtxPopCurrent, CUcontext *context)
{
  CHECK (cuCtxPopCurrent);
  g_assert (stack.pushed > 0); /* else it is another's */
  *context = get_current ();
  stack.depth--;
  stack.pushed--;
  return CUDA_SUCCESS;
}

CALL (cuCtxSetCurrent, CUcontext context)
{
  CHECK (cuCtxSetCurrent);
  stack.depth -= stack.depth > 0;
  if (context)
    stack.contexts[stack.depth++] = context;
  stack.pushed++;
  return CUDA_SUCCESS;
}

/* The queue. All work is done when it is queued. */

SIMPLE_CALL (CHECK_IN_CONTEXT, cuStreamCreate, (CUstream * stream, unsigned flags),
             (*stream = add (g_malloc (1), g_free), CUDA_SUCCESS))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuStreamDestroy, (CUstream stream), drop (stream))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuStreamSynchronize, (CUstream stream), CUDA_SUCCESS)
SIMPLE_CALL (CHECK_IN_CONTEXT, cuEventCreate, (CUevent * event, unsigned flags),
             (*event = add (g_malloc (1), g_free), CUDA_SUCCESS))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuEventDestroy, (CUevent event), drop (event))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuEventRecord, (CUevent event, CUstream stream), CUDA_SUCCESS)
SIMPLE_CALL (CHECK_IN_CONTEXT, cuEventSynchronize, (CUevent event), CUDA_SUCCESS)

/* Memory. New memory is filled with bits that mean NaN, or the largest value in integer formats. */

CALL (cuMemGetInfo, size_t *available, size_t *all)
{
  CHECK_IN_CONTEXT (cuMemGetInfo);
  *available = stand_in.free_bytes;
  *all = stand_in.all_bytes ? stand_in.all_bytes : stand_in.free_bytes;
  return CUDA_SUCCESS;
}

CALL (cuMemAlloc, CUdeviceptr *data, size_t size)
{
  gpointer memory;

  CHECK_IN_CONTEXT (cuMemAlloc);
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (size > stand_in.free_bytes)
    return CUDA_ERROR_OUT_OF_MEMORY;
  memory = add (aligned_alloc (256, (size + 255) / 256 * 256), free);
  memset (memory, 0xff, size);
  *data = (CUdeviceptr) (guintptr) memory;
  return CUDA_SUCCESS;
}

SIMPLE_CALL (CHECK_IN_CONTEXT, cuMemFree, (CUdeviceptr data),
             drop ((gconstpointer) (guintptr) data))

/* CUDA refuses memory that is pinned already. */
CALL (cuMemHostRegister, void *memory, size_t size, unsigned flags)
{
  CHECK_IN_CONTEXT (cuMemHostRegister);
  if (size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (g_hash_table_contains (get_current ()->things, memory))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  add (memory, (GDestroyNotify) g_thread_yield); /* the context must not free it */
  return CUDA_SUCCESS;
}

SIMPLE_CALL (CHECK_IN_CONTEXT, cuMemHostUnregister, (void *memory), drop (memory))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuMemcpyHtoDAsync,
             (CUdeviceptr to, const void *from, size_t size, CUstream stream),
             (memcpy ((gpointer) (guintptr) to, from, size), CUDA_SUCCESS))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuMemcpyDtoHAsync,
             (void *to, CUdeviceptr from, size_t size, CUstream stream),
             (memcpy (to, (gconstpointer) (guintptr) from, size), CUDA_SUCCESS))

/* Programs. The output of nvrtc.c is the word CUBIN or PTX, the architecture, and a path. A real
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

static Kernel *
open_kernel (const char *path)
{
  Kernel *kernel = g_new0 (Kernel, 1);

  kernel->code = shim_kernel_open (path);
  kernel->limits = *shim_kernel_get_limits (kernel->code);
  return kernel;
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
  *kernel = open_kernel (path);
  return CUDA_SUCCESS;
}

CALL (cuModuleLoadData, CUmodule *module, const void *image)
{
  Kernel *kernel;
  CUresult result;

  CHECK_IN_CONTEXT (cuModuleLoadData);
  result = load (image, &kernel);
  if (result == CUDA_SUCCESS)
    *module = add (kernel, free_kernel);
  return result;
}

SIMPLE_CALL (CHECK_IN_CONTEXT, cuModuleUnload, (CUmodule module), drop (module))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuModuleGetFunction,
             (CUfunction * function, CUmodule module, const char *name),
             (*function = (CUfunction) module, CUDA_SUCCESS))

/* In a real CUBIN, which does not run, any memory serves. */
CALL (cuModuleGetGlobal, CUdeviceptr *data, size_t *size, CUmodule module, const char *name)
{
  static float entries[FX_TRC_ENTRIES];
  const Kernel *kernel = (Kernel *) module;

  CHECK_IN_CONTEXT (cuModuleGetGlobal);
  *data = (CUdeviceptr) (guintptr) (kernel->code ? shim_kernel_get_global (kernel->code, name)
                                                 : entries);
  return CUDA_SUCCESS;
}

SIMPLE_CALL (CHECK_IN_CONTEXT, cuFuncGetAttribute,
             (int *value, CUfunction_attribute attribute, CUfunction function),
             limits_get_attribute (&((Kernel *) function)->limits, attribute, value))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuFuncSetAttribute,
             (CUfunction function, CUfunction_attribute attribute, int value),
             limits_set_attribute (&((Kernel *) function)->limits, stand_in.arch, attribute, value))
SIMPLE_CALL (CHECK_IN_CONTEXT, cuOccupancyMaxActiveBlocksPerMultiprocessor,
             (int *blocks, CUfunction function, int threads, size_t shared),
             (*blocks = MIN (limits_count_blocks (&((Kernel *) function)->limits, stand_in.arch,
                                                  threads, shared),
                             stand_in.crowded ? 0 : CAPACITY),
              CUDA_SUCCESS))

CALL (cuLaunchKernel, CUfunction function, unsigned x, unsigned y, unsigned z, unsigned threads,
      unsigned threads_y, unsigned threads_z, unsigned shared, CUstream stream, void **args,
      void **extra)
{
  const unsigned grid[3] = { x, y, z }, block[3] = { threads, threads_y, threads_z };
  const ShimLaunch launch = { x, y, threads, shared };
  const Kernel *kernel = (Kernel *) function;
  CUresult result;

  CHECK_IN_CONTEXT (cuLaunchKernel);
  if (! stand_in.launches)
    return CUDA_ERROR_LAUNCH_FAILED;
  result = limits_check_launch (&kernel->limits, grid, block, shared);
  if (result != CUDA_SUCCESS || ! kernel->code)
    return result;
  if (! shim_kernel_is_aligned (kernel->code, args))
    return CUDA_ERROR_MISALIGNED_ADDRESS;
  if (! machine.team)
    machine.team = fx_team_new (THREADS);
  shim_kernel_launch (kernel->code, machine.team, &launch, args);
  return CUDA_SUCCESS;
}

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

cudaError_t CUDARTAPI
cudaDriverGetVersion (int *version)
{
  FaultMode mode;

  *version = stand_in.driver;
  return fault_is_due ("cudaDriverGetVersion", &mode) ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t CUDARTAPI
cudaGetDeviceCount (int *count)
{
  CUresult result = check ("cudaGetDeviceCount");

  *count = 0;
  if (stand_in.driver / 1000 < CUDART_VERSION / 1000)
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
