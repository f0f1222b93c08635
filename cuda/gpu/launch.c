/* Loaded programs, and launches of their kernels. */
#include "device-private.h"
#include "error.h"
#include "trace.h"
#include "trc-table.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define KERNELS_MAX 64 /* loaded at a time; the least recently used is unloaded first */

struct FxKernel {
  char *text; /* the text of its program */
  CUmodule module;
  CUfunction function;
  const FxTrcTable *table; /* the tone curve that its program holds; NULL: none */
  int threads;             /* the maximum per block */
  int shared;              /* bytes of static shared memory */
  gsize allowed; /* bytes of dynamic shared memory that the driver permits so far; more must be
                    requested */

  /* The driver's last answer about occupancy. A query takes as long as a launch. */
  struct {
    unsigned threads;
    gsize shared;
    int blocks; /* per multiprocessor; 0: not queried yet */
  } occupancy;
};

/* Loading. */

static void
unload (FxGpu *gpu, FxKernel *kernel)
{
  if (kernel->module)
    gpu->driver.cuModuleUnload (kernel->module);
  g_free (kernel->text);
  g_free (kernel);
}

void
fx_gpu_free_kernels (FxGpu *gpu)
{
  FxKernel *kernel;

  while ((kernel = g_queue_pop_head (&gpu->kernels)))
    unload (gpu, kernel);
}

static int
compare (gconstpointer kernel, gconstpointer text)
{
  return strcmp (((const FxKernel *) kernel)->text, text);
}

/* Copies the case's tone curve into the kernel's program, if the program has a table and holds a
 * different one. Launches that are queued still read the old one, whose entries are never freed. */
static gboolean
set_table (FxGpu *gpu, FxKernel *kernel, const FxProgramCase *program_case, GError **error)
{
  const FxTrcTable *table = program_case->codec.format.trc.table;
  CUdeviceptr place = 0;

  if (kernel->table == table || ! strstr (kernel->text, FX_PROGRAM_TABLE))
    return TRUE;
  kernel->table = NULL;
  if (! FX_GPU_CALL (gpu, error, cuModuleGetGlobal, &place, NULL, kernel->module,
                     FX_PROGRAM_ENTRIES) ||
      ! fx_gpu_upload (gpu, (gpointer) (guintptr) place, table->entries, sizeof table->entries,
                       error))
    return FALSE;
  kernel->table = table;
  return TRUE;
}

/* Returns the loaded kernel of text, now the most recently used, or NULL. */
static FxKernel *
touch (FxGpu *gpu, const char *text)
{
  GList *link = g_queue_find_custom (&gpu->kernels, text, compare);

  if (! link)
    return NULL;
  g_queue_unlink (&gpu->kernels, link);
  g_queue_push_head_link (&gpu->kernels, link);
  return link->data;
}

/* Reads the kernel's limits. The shared memory that needs no request includes the kernel's static
 * part. */
static gboolean
read_limits (FxGpu *gpu, FxKernel *kernel, GError **error)
{
  if (! FX_GPU_CALL (gpu, error, cuFuncGetAttribute, &kernel->threads,
                     CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->function) ||
      ! FX_GPU_CALL (gpu, error, cuFuncGetAttribute, &kernel->shared,
                     CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, kernel->function))
    return FALSE;
  kernel->allowed = MAX (gpu->shared_default - kernel->shared, 0);
  return TRUE;
}

static gboolean
load_code (FxGpu *gpu, FxKernel *kernel, GBytes *code, GError **error)
{
  gint64 start = g_get_monotonic_time ();

  if (! FX_GPU_CALL (gpu, error, cuModuleLoadData, &kernel->module,
                     g_bytes_get_data (code, NULL)) ||
      ! FX_GPU_CALL (gpu, error, cuModuleGetFunction, &kernel->function, kernel->module,
                     FX_PROGRAM_KERNEL) ||
      ! read_limits (gpu, kernel, error))
    return FALSE;
  fx_trace ("load", start, g_bytes_get_size (code), NULL);
  return TRUE;
}

static FxKernel *
launch_load (FxGpu *gpu, const char *text, GBytes *code, GError **error)
{
  FxKernel *kernel = g_new0 (FxKernel, 1);

  kernel->text = g_strdup (text);
  if (! load_code (gpu, kernel, code, error))
    {
      unload (gpu, kernel);
      return NULL;
    }
  if (g_queue_get_length (&gpu->kernels) == KERNELS_MAX)
    unload (gpu, g_queue_pop_tail (&gpu->kernels));
  g_queue_push_head (&gpu->kernels, kernel);
  return kernel;
}

/* Compiles and loads n texts, one per program. The texts of loaded kernels are NULL. */
static gboolean
build_and_load (FxGpu *gpu, int n, const FxProgram *const *programs, char *const *texts,
                FxKernel **kernels, GError **error)
{
  GBytes *binaries[FX_PROGRAMS_MAX];
  gboolean loaded = TRUE;

  if (! fx_builder_get (gpu->builder, n, programs, texts, binaries, error))
    return FALSE;
  for (int i = 0; i < n; i++)
    if (binaries[i])
      {
        loaded = loaded && (kernels[i] = launch_load (gpu, texts[i], binaries[i], error));
        g_bytes_unref (binaries[i]);
      }
  return loaded;
}

gboolean
fx_gpu_get_kernels (FxGpu *gpu, int n, const FxProgram *const *programs,
                    const FxProgramCase *program_case, FxKernel **kernels, GError **error)
{
  char *texts[FX_PROGRAMS_MAX];
  gboolean lacks = FALSE, loaded;

  for (int i = 0; i < n; i++)
    {
      texts[i] = fx_program_get_text (programs[i], program_case);
      kernels[i] = touch (gpu, texts[i]);
      if (kernels[i])
        g_clear_pointer (&texts[i], g_free);
      else
        lacks = TRUE;
    }
  loaded = ! lacks || build_and_load (gpu, n, programs, texts, kernels, error);
  for (int i = 0; i < n; i++)
    {
      loaded = loaded && kernels[i] && set_table (gpu, kernels[i], program_case, error);
      g_free (texts[i]);
    }
  return loaded;
}

FxKernel *
fx_gpu_get_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *program_case,
                   GError **error)
{
  FxKernel *kernel;

  return fx_gpu_get_kernels (gpu, 1, &program, program_case, &kernel, error) ? kernel : NULL;
}

FxKernel *
fx_gpu_find_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *program_case)
{
  g_autofree char *text = fx_program_get_text (program, program_case);
  FxKernel *kernel = touch (gpu, text);
  g_autoptr (GBytes) code = NULL;

  if (! kernel && (code = fx_builder_find (gpu->builder, program, text)))
    kernel = launch_load (gpu, text, code, NULL);
  return kernel && set_table (gpu, kernel, program_case, NULL) ? kernel : NULL;
}

gboolean
fx_gpu_has_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *program_case)
{
  g_autofree char *text = fx_program_get_text (program, program_case);

  return g_queue_find_custom (&gpu->kernels, text, compare) != NULL;
}

/* Launching. */

void
fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor)
{
  *block = gpu->shared_block;
  *processor = gpu->shared_processor;
}

static gboolean
launch_refuse (const FxKernel *kernel, unsigned threads, gsize shared, GError **error)
{
  return fx_fail (error, FX_ERROR_DEVICE,
                  _ (
                    "The GPU cannot start a kernel with %u threads and %u bytes of shared memory a "
                    "block"),
                  threads, (unsigned) (kernel->shared + shared));
}

/* Checks that a block may have so many threads and so much shared memory. Requests the shared
 * memory, once, if it exceeds what is already permitted. */
static gboolean
allow (FxGpu *gpu, FxKernel *kernel, unsigned threads, gsize shared, GError **error)
{
  CUresult result;

  if (threads > (unsigned) kernel->threads)
    return launch_refuse (kernel, threads, shared, error);
  if (shared <= kernel->allowed)
    return TRUE;
  result = gpu->driver.cuFuncSetAttribute (kernel->function,
                                           CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                           (int) shared);
  if (result == CUDA_ERROR_INVALID_VALUE) /* more than the GPU has */
    return launch_refuse (kernel, threads, shared, error);
  if (! fx_driver_check (&gpu->driver, result, "cuFuncSetAttribute", error))
    return FALSE;
  kernel->allowed = shared;
  return TRUE;
}

static gboolean
ask_occupancy (FxGpu *gpu, FxKernel *kernel, unsigned threads, gsize shared, GError **error)
{
  int blocks = 0;

  if (! allow (gpu, kernel, threads, shared, error) ||
      ! FX_GPU_CALL (gpu, error, cuOccupancyMaxActiveBlocksPerMultiprocessor, &blocks,
                     kernel->function, (int) threads, shared))
    return FALSE;
  if (blocks == 0)
    return launch_refuse (kernel, threads, shared, error);
  kernel->occupancy.threads = threads;
  kernel->occupancy.shared = shared;
  kernel->occupancy.blocks = blocks;
  return TRUE;
}

gboolean
fx_gpu_get_capacity (FxGpu *gpu, FxKernel *kernel, unsigned threads, gsize shared, int *blocks,
                     GError **error)
{
  gboolean known = kernel->occupancy.blocks > 0 && kernel->occupancy.threads == threads &&
                   kernel->occupancy.shared == shared;

  if (! known && ! ask_occupancy (gpu, kernel, threads, shared, error))
    return FALSE;
  *blocks = kernel->occupancy.blocks * gpu->processors;
  return TRUE;
}

gboolean
fx_gpu_launch (FxGpu *gpu, FxKernel *kernel, const FxLaunch *launch, void **args, GError **error)
{
  return allow (gpu, kernel, launch->threads, launch->shared, error) &&
         FX_GPU_CALL (gpu, error, cuLaunchKernel, kernel->function, launch->x, launch->y, 1,
                      launch->threads, 1, 1, (unsigned) launch->shared, gpu->stream, args, NULL);
}
