/* A device that is the CPU: ../../cuda/device.h without CUDA. A program's source is what NVRTC
 * would get; the host's C++ compiler gets it instead, once, and keeps the result in SHIM_CACHE_DIR.
 *
 * SHIM_SHARED: bytes of shared memory that a block may have, and, after a comma, a multiprocessor,
 * if that has more; else as many as on an H100. */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "device.h"
#include "error.h"
#include "gpu-kernels.h"
#include "shim-device.h"
#include "fibers.h"
#include "team.h"
#include "threads.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <gmodule.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(place, size)   ((void) (place), (void) (size))
#define ASAN_UNPOISON_MEMORY_REGION(place, size) ((void) (place), (void) (size))
#endif

#define THREADS_MAX 512
#define PLACE_BYTES 24 /* of shim-end.h's threadIdx and blockIdx */
#define SHARED      232448
#define CAPACITY    3 /* blocks at a time: few, so that small images have several */

struct FxKernel {
  GModule *module;
  void (*run) (void **args);
  void (*set_place) (unsigned thread, unsigned x, unsigned y);
  gpointer (*get_shared) (gsize *size);
  gsize fixed; /* bytes of shared memory that it has of its own */
};

typedef struct {
  gpointer data;
  gsize size;
} Buffer;

struct FxGpu {
  FxTeam *team;        /* runs blocks */
  GHashTable *kernels; /* text -> FxKernel */
  char *folder;        /* with what programs may include */
  GChecksum *sum;      /* over the gpu room's files and the shim */
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
  FxKernel *kernel = data;

  g_module_close (kernel->module);
  g_free (kernel);
}

/* Adds to sum what a compiled program depends on. */
static void
add_file (GChecksum *sum, const char *path)
{
  g_autofree char *text = NULL;
  gsize size;

  g_assert (g_file_get_contents (path, &text, &size, NULL));
  g_checksum_update (sum, (const guchar *) text, (gssize) size);
}

static void
write_file (const char *path, GResource *room, const char *name)
{
  g_autofree char *from = g_strconcat (FX_PROGRAM_FILES, name, NULL);
  g_autoptr (GBytes)
    bytes = g_resource_lookup_data (room, from, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);

  g_assert (g_file_set_contents (path, g_bytes_get_data (bytes, NULL),
                                 (gssize) g_bytes_get_size (bytes), NULL));
}

/* Puts a room's files where the compiler finds them, and adds them to sum. */
static void
add_room (FxGpu *gpu, GResource *room, GChecksum *sum)
{
  g_auto (GStrv) names = g_resource_enumerate_children (room, FX_PROGRAM_FILES,
                                                        G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  int i;

  g_assert (names);
  for (i = 0; names[i]; i++)
    {
      g_autofree char *path = g_build_filename (gpu->folder, names[i], NULL);

      if (! g_file_test (path, G_FILE_TEST_EXISTS))
        write_file (path, room, names[i]);
      add_file (sum, path);
    }
}

static void
remove_folder (char *folder)
{
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_unlink (path);
    }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (folder);
  g_free (folder);
}

/* The name of what text is compiled to: a hash of all that it depends on. */
static char *
get_path (FxGpu *gpu, const FxProgram *program, const char *text)
{
  g_autoptr (GChecksum) sum = g_checksum_copy (gpu->sum);
  g_autofree char *name = NULL;

  g_assert (g_getenv ("SHIM_CACHE_DIR"));
  add_room (gpu, program->get_files (), sum);
  g_checksum_update (sum, (const guchar *) text, -1);
  name = g_strconcat (g_checksum_get_string (sum), ".so", NULL);
  return g_build_filename (g_getenv ("SHIM_CACHE_DIR"), name, NULL);
}

/* FALSE with the compiler's words. */
static gboolean
compile (FxGpu *gpu, const char *source, const char *path, GError **error)
{
  g_autofree char *text = g_strdup_printf ("#include \"shim.h\"\n%s#include \"shim-end.h\"\n",
                                           source);
  g_autofree char *from = g_build_filename (gpu->folder, "program.cc", NULL);
  g_autofree char *to = g_strconcat (path, ".new", NULL);
  g_autofree char *command = g_strdup_printf (SHIM_COMPILER " -I%s -I" SHIM_SOURCE_DIR " -o %s %s",
                                              gpu->folder, to, from);
  g_autofree char *log = NULL;
  int status = 0;

  if (! g_file_set_contents (from, text, -1, error) ||
      ! g_spawn_command_line_sync (command, NULL, &log, &status, error))
    return FALSE;
  if (status == 0 && g_rename (to, path) == 0)
    return TRUE;
  g_set_error (error, FX_ERROR, FX_ERROR_DEVICE, "The shim did not compile:\n%s", log);
  return FALSE;
}

/* Compiles what is not there yet. Tests that run side by side want the same programs at the same
 * time: one compiles and the others wait for it. */
static gboolean
ensure (FxGpu *gpu, const char *source, const char *path, GError **error)
{
  g_autofree char *lock_path = g_strconcat (path, ".lock", NULL);
  gboolean there = g_file_test (path, G_FILE_TEST_EXISTS);
  int lock;

  if (there)
    return TRUE;
  g_mkdir_with_parents (g_getenv ("SHIM_CACHE_DIR"), 0700);
  lock = g_open (lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert (lock >= 0 && flock (lock, LOCK_EX) == 0);
  there = g_file_test (path, G_FILE_TEST_EXISTS) || compile (gpu, source, path, error);
  close (lock); /* which unlocks it */
  return there;
}

/* What a thread of a module has of its own is what its blocks share: one that is found is the
 * module's that has data, a program, in it. */
static int
find_thread_bytes (struct dl_phdr_info *info, size_t size, gpointer data)
{
  const gpointer *place = data;
  gsize bytes = 0;
  gboolean found = FALSE;

  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *header = &info->dlpi_phdr[i];
      const char *start = (const char *) info->dlpi_addr + header->p_vaddr;

      if (header->p_type == PT_TLS)
        bytes = header->p_memsz;
      else if (header->p_type == PT_LOAD && (const char *) *place >= start &&
               (const char *) *place < start + header->p_memsz)
        found = TRUE;
    }
  return found ? (int) bytes : 0;
}

static gsize
get_fixed (const FxKernel *kernel)
{
  gpointer place = (gpointer) kernel->run;
  gsize dynamic;

  kernel->get_shared (&dynamic);
  return (gsize) dl_iterate_phdr (find_thread_bytes, &place) - dynamic - PLACE_BYTES;
}

static FxKernel *
load (const char *path)
{
  FxKernel *kernel = g_new0 (FxKernel, 1);
  void (**sync) (void);

  kernel->module = g_module_open (path, G_MODULE_BIND_LOCAL);
  g_assert (kernel->module);
  g_assert (g_module_symbol (kernel->module, "shim_run", (gpointer *) &kernel->run));
  g_assert (g_module_symbol (kernel->module, "shim_set_place", (gpointer *) &kernel->set_place));
  g_assert (g_module_symbol (kernel->module, "shim_get_shared", (gpointer *) &kernel->get_shared));
  g_assert (g_module_symbol (kernel->module, "shim_sync", (gpointer *) &sync));
  *sync = fibers_wait;
  kernel->fixed = get_fixed (kernel);
  return kernel;
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
  path = get_path (gpu, program, text);
  if (! ensure (gpu, text, path, error))
    return NULL;
  kernel = load (path);
  g_hash_table_insert (gpu->kernels, g_steal_pointer (&text), kernel);
  return kernel;
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

gboolean
fx_gpu_has_driver (GError **error)
{
  return TRUE;
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
  gpu->sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_checksum_update (gpu->sum, (const guchar *) SHIM_COMPILER, -1);
  add_file (gpu->sum, SHIM_SOURCE_DIR "/shim.h");
  add_file (gpu->sum, SHIM_SOURCE_DIR "/shim-end.h");
  gpu->folder = g_dir_make_tmp ("cuda-blur-shim-XXXXXX", NULL);
  g_assert (gpu->folder);
  add_room (gpu, fx_gpu_kernels_get_resource (), gpu->sum);
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
  remove_folder (gpu->folder);
  g_checksum_free (gpu->sum);
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

static void
free_fibers (gpointer fibers)
{
  fibers_free (fibers);
}

/* This thread's, for as long as it lives: new ones a launch would have to have their stacks
 * cleared. */
static Fibers *
get_fibers (void)
{
  static GPrivate all = G_PRIVATE_INIT (free_fibers);
  Fibers *fibers = g_private_get (&all);

  if (! fibers)
    g_private_set (&all, fibers = fibers_new (THREADS_MAX));
  return fibers;
}

typedef struct {
  FxKernel *kernel;
  unsigned x, y;
  void **args;
} Block;

static void
enter (gpointer data, int i)
{
  Block *block = data;

  block->kernel->set_place ((unsigned) i, block->x, block->y);
}

static void
run_thread (gpointer data)
{
  Block *block = data;

  block->kernel->run (block->args);
}

static void
run_block (Block *block, const FxLaunch *launch, Fibers *fibers)
{
  gsize size;
  char *shared = block->kernel->get_shared (&size);

  g_assert (launch->shared <= size);
  memset (shared, 0xff, launch->shared);
  ASAN_POISON_MEMORY_REGION (shared + launch->shared, size - launch->shared);
  fibers_run (fibers, (int) launch->threads, enter, run_thread, block);
  ASAN_UNPOISON_MEMORY_REGION (shared + launch->shared, size - launch->shared);
}

typedef struct {
  FxKernel *kernel;
  const FxLaunch *launch;
  void **args;
} Work;

static void
run_blocks (gpointer data, int first, int end, int thread)
{
  const Work *work = data;
  int i;

  for (i = first; i < end; i++)
    {
      Block block = { work->kernel, (unsigned) i % work->launch->x, (unsigned) i / work->launch->x,
                      work->args };

      run_block (&block, work->launch, get_fibers ());
    }
}

gboolean
fx_gpu_launch (FxGpu *gpu, FxKernel *kernel, const FxLaunch *launch, void **args, GError **error)
{
  Work work = { kernel, launch, args };
  gsize most, processor;

  fx_gpu_get_shared (gpu, &most, &processor);
  g_assert (launch->shared + kernel->fixed <= most);
  if (! is_fine (SHIM_LAUNCH, error))
    return FALSE;
  launches++;
  if (on_launch)
    on_launch ();
  fx_team_run (gpu->team, (int) (launch->x * launch->y), 1, run_blocks, &work);
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
