/* A device that is the CPU: ../../cuda/gpu/include/device.h without CUDA. A program's source is
 * what NVRTC would get; shim-kernel.h's compiler gets it instead.
 *
 * SHIM_SHARED: bytes of shared memory that a block may have, and, after a comma, a multiprocessor,
 * if that has more; else as many as on an H100. */
#include "device.h"
#include "error.h"
#include "gpu-kernels.h"
#include "shim-device.h"
#include "shim-kernel.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

#define SHARED   232448
#define CAPACITY 3 /* blocks at a time: few, so that small images have several */

typedef struct {
  gpointer data;
  gsize size;
} Buffer;

struct FxGpu {
  FxTeam *team;        /* runs blocks */
  GHashTable *kernels; /* text -> FxKernel, a ShimKernel */
  Buffer buffers[FX_BUFFERS];
  gconstpointer owner;
  FxVersions versions;
};

static double launch_limit = G_MAXDOUBLE; /* samples times taps */

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

/* Failures on order. */

static struct {
  int left; /* calls until it fails; -1: never */
  int code;
  gboolean lost;
} orders[SHIM_CALLS] = { { -1 }, { -1 }, { -1 }, { -1 }, { -1 } };
static gboolean lost;
static gsize held; /* bytes in the buffers of all devices */

/* Whether this thread has made the device its current one. */
static _Thread_local gboolean in_use;

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
  int i;

  for (i = 0; i < SHIM_CALLS; i++)
    orders[i].left = -1;
  lost = FALSE;
}

static gboolean
is_fine (ShimCall call, GError **error)
{
  int code = FX_ERROR_DEVICE;

  if (! lost)
    {
      if (orders[call].left < 0 || orders[call].left-- > 0)
        return TRUE;
      code = orders[call].code;
      lost = orders[call].lost;
    }
  g_set_error (error, FX_ERROR, code, "Call %d failed, as the test wants", call);
  return FALSE;
}

/* Programs. */

static void
free_kernel (gpointer data)
{
  shim_kernel_free (data);
}

/* Adds a room's files to what a program may include. */
static void
add_room (GResource *room, GPtrArray *names, GPtrArray *texts)
{
  g_auto (GStrv) all = g_resource_enumerate_children (room, FX_PROGRAM_FILES,
                                                      G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  int i;

  g_assert (all);
  for (i = 0; all[i]; i++)
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

FxKernel *
fx_gpu_get_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *what, GError **error)
{
  g_autofree char *text = fx_program_get_text (program, what);
  FxKernel *kernel = g_hash_table_lookup (gpu->kernels, text);
  g_autofree char *path = NULL;

  g_assert (in_use);
  if (! is_fine (SHIM_PROGRAM, error))
    return NULL;
  if (kernel)
    return kernel;
  if (! (path = compile (program, text, error)))
    return NULL;
  kernel = (FxKernel *) shim_kernel_open (path);
  g_hash_table_insert (gpu->kernels, g_steal_pointer (&text), kernel);
  return kernel;
}

gboolean
fx_gpu_get_kernels (FxGpu *gpu, int n, const FxProgram *const *programs, const FxProgramCase *what,
                    FxKernel **kernels, GError **error)
{
  for (int i = 0; i < n; i++)
    if (! (kernels[i] = fx_gpu_get_kernel (gpu, programs[i], what, error)))
      return FALSE;
  return TRUE;
}

gboolean
fx_gpu_has_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *what)
{
  g_autofree char *text = fx_program_get_text (program, what);

  return g_hash_table_contains (gpu->kernels, text);
}

/* What it has is done at once, or never. */
static gboolean background;

void
shim_set_background (gboolean on)
{
  background = on;
}

FxKernel *
fx_gpu_find_kernel (FxGpu *gpu, const FxProgram *program, const FxProgramCase *what)
{
  return background ? fx_gpu_get_kernel (gpu, program, what, NULL) : NULL;
}

/* The device. */

static void (*on_open) (void);

void
shim_on_open (void (*func) (void))
{
  on_open = func;
}

/* None: the automatic choice takes it, unless a test wants otherwise. */
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

FxGpu *
fx_gpu_open (const FxConfig *config, GError **error)
{
  FxGpu *gpu = g_new0 (FxGpu, 1);

  gpu->versions = config->versions;
  in_use = TRUE;
  if (on_open)
    on_open ();
  gpu->team = fx_team_new (fx_threads_get_default ());
  gpu->kernels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_kernel);
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
  fx_gpu_free_buffer (gpu, FX_BUFFER_OWNED_0);
  fx_gpu_free_buffer (gpu, FX_BUFFER_OWNED_1);
  fx_team_free (gpu->team);
  g_hash_table_unref (gpu->kernels);
  g_free (gpu);
}

const char *
fx_gpu_get_name (FxGpu *gpu)
{
  return "Shim";
}

gboolean
fx_gpu_use (FxGpu *gpu, GError **error)
{
  in_use = TRUE;
  return TRUE;
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
  int i;

  for (i = 0; i < FX_BUFFERS_OWNED; i++)
    fx_gpu_free_buffer (gpu, (FxBufferName) i);
}

void
fx_gpu_free_buffer (FxGpu *gpu, FxBufferName name)
{
  g_clear_pointer (&gpu->buffers[name].data, free);
  held -= gpu->buffers[name].size;
  gpu->buffers[name].size = 0;
}

gsize
fx_gpu_get_held_memory (FxGpu *gpu)
{
  return gpu->buffers[FX_BUFFER_OWNED_0].size + gpu->buffers[FX_BUFFER_OWNED_1].size;
}

gsize
shim_get_memory (void)
{
  return held;
}

gconstpointer
fx_gpu_get_owner (FxGpu *gpu)
{
  return gpu->owner;
}

void
fx_gpu_set_owner (FxGpu *gpu, gconstpointer owner)
{
  gpu->owner = owner;
}

void
fx_gpu_get_shared (FxGpu *gpu, gsize *block, gsize *processor)
{
  const char *value = g_getenv ("SHIM_SHARED");
  const char *comma = value ? strchr (value, ',') : NULL;

  *block = value ? (gsize) g_ascii_strtoull (value, NULL, 10) : SHARED;
  *processor = comma ? (gsize) g_ascii_strtoull (comma + 1, NULL, 10) : *block;
}

double
fx_gpu_get_launch_limit (FxGpu *gpu)
{
  return launch_limit;
}

gboolean
fx_gpu_get_capacity (FxGpu *gpu, FxKernel *kernel, unsigned threads, gsize shared, int *blocks,
                     GError **error)
{
  *blocks = CAPACITY;
  return TRUE;
}

/* Memory holds NaN, or what comes close to it, until it is written. */
gpointer
fx_gpu_get_buffer (FxGpu *gpu, FxBufferName name, gsize size, GError **error)
{
  Buffer *buffer = &gpu->buffers[name];

  if (! is_fine (SHIM_BUFFER, error))
    return NULL;
  if (buffer->size < size)
    {
      fx_gpu_free_buffer (gpu, name);
      held += buffer->size = size;
      buffer->data = aligned_alloc (256, (size + 255) / 256 * 256);
      g_assert (buffer->data);
      memset (buffer->data, 0xff, size);
    }
  return buffer->data;
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

/* Launches. */

gboolean
fx_gpu_launch (FxGpu *gpu, FxKernel *kernel, const FxLaunch *launch, void **args, GError **error)
{
  const ShimLaunch how = { launch->x, launch->y, launch->threads, launch->shared };
  gsize most, processor;

  fx_gpu_get_shared (gpu, &most, &processor);
  g_assert (launch->shared + shim_kernel_get_fixed ((ShimKernel *) kernel) <= most);
  if (! is_fine (SHIM_LAUNCH, error))
    return FALSE;
  launches++;
  if (on_launch)
    on_launch ();
  shim_kernel_launch ((ShimKernel *) kernel, gpu->team, &how, args);
  return TRUE;
}

/* Nothing measures the shim. */

gboolean
fx_gpu_mark (FxGpu *gpu, guint n, GError **error)
{
  return TRUE;
}

gboolean
fx_gpu_get_time (FxGpu *gpu, guint n, double *milliseconds, GError **error)
{
  *milliseconds = 0.0;
  return TRUE;
}
