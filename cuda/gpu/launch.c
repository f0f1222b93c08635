/* Programs that are loaded, and launches of their kernels. */
#include "device-private.h"
#include "trace.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PROGRAMS_MAX   64    /* loaded at a time; the least recently used goes first */
#define SHARED_DEFAULT 49152 /* bytes of shared memory that a block may have unasked */

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

/* Loading. */

static void
unload_program (FxGpu *gpu, FxProgram *program)
{
  if (program->module)
    gpu->driver.cuModuleUnload (program->module);
  g_free (program->source);
  g_free (program);
}

void
fx_gpu_free_programs (FxGpu *gpu)
{
  FxProgram *program;

  while ((program = g_queue_pop_head (&gpu->programs)))
    unload_program (gpu, program);
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

  if (! fx_gpu_check (gpu,
                      gpu->driver.cuModuleLoadData (&program->module,
                                                    g_bytes_get_data (code, NULL)),
                      _("load a program"), error) ||
      ! fx_gpu_check (gpu,
                      gpu->driver.cuModuleGetFunction (&program->kernel, program->module,
                                                       FX_PROGRAM_KERNEL),
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

/* Launching. */

void
fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor)
{
  *block = gpu->shared_block;
  *processor = gpu->shared_processor;
}

/* Shared memory beyond the default must be asked for, once. */
static gboolean
allow_shared (FxGpu *gpu, FxProgram *program, gsize shared, GError **error)
{
  if (shared <= MAX (program->allowed, SHARED_DEFAULT))
    return TRUE;
  if (! fx_gpu_check (gpu,
                      gpu->driver.cuFuncSetAttribute (
                        program->kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
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
      ! fx_gpu_check (gpu,
                      gpu->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor (&blocks,
                                                                               program->kernel,
                                                                               (int) threads,
                                                                               shared),
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

gboolean
fx_gpu_launch (FxGpu *gpu, FxProgram *program, const FxLaunch *launch, void **args, GError **error)
{
  return allow_shared (gpu, program, launch->shared, error) &&
         fx_gpu_check (gpu,
                       gpu->driver.cuLaunchKernel (program->kernel, launch->x, launch->y, 1,
                                                   launch->threads, 1, 1, (unsigned) launch->shared,
                                                   gpu->stream, args, NULL),
                       _("start a kernel"), error);
}
