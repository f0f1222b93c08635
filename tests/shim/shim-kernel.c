#define _GNU_SOURCE /* for dl_iterate_phdr */

#include "shim-kernel.h"

#include "../lib/folder.h"
#include "fibers.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gmodule.h>
#include <link.h>
#include <string.h>
#include <sys/file.h>

#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(place, size)   ((void) (place), (void) (size))
#define ASAN_UNPOISON_MEMORY_REGION(place, size) ((void) (place), (void) (size))
#endif

#define THREADS_MAX 1024
#define PLACE_BYTES 32 /* of threadIdx and blockIdx in shim-end.h */

struct ShimKernel {
  GModule *module;
  void (*run) (void **args);
  void (*set_place) (unsigned thread, unsigned x, unsigned y);
  gpointer (*get_shared) (gsize *size);
  gboolean (*is_aligned) (void **args);
};

/* Compiling. */

static void
add_file (GChecksum *sum, const char *path)
{
  g_autofree char *text = NULL;
  gsize size;

  g_assert (g_file_get_contents (path, &text, &size, NULL));
  g_checksum_update (sum, (const guchar *) text, (gssize) size);
}

static const char *
get_compiler (void)
{
  return g_strcmp0 (g_getenv ("SHIM_KERNELS"), "plain") == 0 ? SHIM_PLAIN_COMPILER : SHIM_COMPILER;
}

/* Returns the path of the compiled file. Its name is a hash of everything that the result depends
 * on. */
static char *
get_path (const char *source, int n, const char *const *texts)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *name = NULL;

  g_assert (g_getenv ("SHIM_CACHE_DIR"));
  g_checksum_update (sum, (const guchar *) get_compiler (), -1);
  add_file (sum, SHIM_SOURCE_DIR "/shim.h");
  add_file (sum, SHIM_SOURCE_DIR "/shim-end.h");
  for (int i = 0; i < n; i++)
    g_checksum_update (sum, (const guchar *) texts[i], -1);
  g_checksum_update (sum, (const guchar *) source, -1);
  name = g_strconcat (g_checksum_get_string (sum), ".so", NULL);
  return g_build_filename (g_getenv ("SHIM_CACHE_DIR"), name, NULL);
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  g_assert (g_file_set_contents (path, text, -1, NULL));
}

/* Returns FALSE with the compiler's messages on failure. The compiler runs without the sanitizer
 * that Python is started with, and GLib does not copy this process if it closes no descriptors:
 * under the sanitizers either would take longer than compiling. ccache keeps nothing of what is
 * linked at once. */
static gboolean
compile (const char *folder, const char *path, GError **error)
{
  g_autofree char *to = g_strconcat (path, ".new", NULL);
  g_autofree char *command = g_strdup_printf ("%s -I%s -I" SHIM_SOURCE_DIR
                                              " -o %s %s/program.cc -lm",
                                              get_compiler (), folder, to, folder);
  g_auto (GStrv) variables = g_environ_setenv (g_environ_unsetenv (g_get_environ (), "LD_PRELOAD"),
                                               "CCACHE_DISABLE", "1", TRUE);
  g_auto (GStrv) words = NULL;
  g_autofree char *log = NULL;
  int status = 0;

  if (! g_shell_parse_argv (command, NULL, &words, error) ||
      ! g_spawn_sync (NULL, words, variables, G_SPAWN_SEARCH_PATH | G_SPAWN_LEAVE_DESCRIPTORS_OPEN,
                      NULL, NULL, NULL, &log, &status, error))
    return FALSE;
  if (status == 0 && g_rename (to, path) == 0)
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "The shim did not compile:\n%s", log);
  return FALSE;
}

static gboolean
compile_to (const char *path, const char *source, int n, const char *const *names,
            const char *const *texts, GError **error)
{
  g_autofree char *text = g_strdup_printf ("#include \"shim.h\"\n%s#include \"shim-end.h\"\n",
                                           source);
  g_autofree char *folder = g_dir_make_tmp ("cuda-blur-shim-XXXXXX", error);
  gboolean done;

  g_assert (folder);
  write_file (folder, "program.cc", text);
  for (int i = 0; i < n; i++)
    write_file (folder, names[i], texts[i]);
  done = compile (folder, path, error);
  folder_remove (folder);
  return done;
}

/* Tests that run in parallel need the same programs at the same time: one of them compiles while
 * the others wait. */
char *
shim_compile (const char *source, int n, const char *const *names, const char *const *texts,
              GError **error)
{
  g_autofree char *path = get_path (source, n, texts);
  g_autofree char *lock_path = g_strconcat (path, ".lock", NULL);
  gboolean there = g_file_test (path, G_FILE_TEST_EXISTS);
  int lock;

  if (there)
    return g_steal_pointer (&path);
  g_mkdir_with_parents (g_getenv ("SHIM_CACHE_DIR"), 0700);
  lock = g_open (lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert (lock >= 0 && flock (lock, LOCK_EX) == 0);
  there = g_file_test (path, G_FILE_TEST_EXISTS) ||
          compile_to (path, source, n, names, texts, error);
  g_close (lock, NULL); /* this unlocks it */
  return there ? g_steal_pointer (&path) : NULL;
}

/* Loading. */

/* Returns the thread-local bytes of a loaded module, or 0 if *data, an address in a program, is not
 * in this module. A program's thread-local memory is the shared memory of its blocks. */
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

ShimKernel *
shim_kernel_open (const char *path)
{
  ShimKernel *kernel = g_new0 (ShimKernel, 1);
  void (**sync) (void);

  kernel->module = g_module_open (path, G_MODULE_BIND_LOCAL);
  g_assert (kernel->module);
  g_assert (g_module_symbol (kernel->module, "shim_run", (gpointer *) &kernel->run));
  g_assert (g_module_symbol (kernel->module, "shim_set_place", (gpointer *) &kernel->set_place));
  g_assert (g_module_symbol (kernel->module, "shim_get_shared", (gpointer *) &kernel->get_shared));
  g_assert (g_module_symbol (kernel->module, "shim_is_aligned", (gpointer *) &kernel->is_aligned));
  g_assert (g_module_symbol (kernel->module, "shim_sync", (gpointer *) &sync));
  *sync = fibers_wait;
  return kernel;
}

void
shim_kernel_free (ShimKernel *kernel)
{
  g_module_close (kernel->module);
  g_free (kernel);
}

int
shim_kernel_get_static (const ShimKernel *kernel)
{
  gpointer place = (gpointer) kernel->run;
  gsize dynamic;

  kernel->get_shared (&dynamic);
  return dl_iterate_phdr (find_thread_bytes, &place) - (int) dynamic - PLACE_BYTES;
}

gpointer
shim_kernel_get_global (ShimKernel *kernel, const char *name)
{
  gpointer place;

  g_assert (g_module_symbol (kernel->module, name, &place));
  return place;
}

gboolean
shim_kernel_is_aligned (const ShimKernel *kernel, void **args)
{
  return kernel->is_aligned (args);
}

/* Launches. */

static void
free_fibers (gpointer fibers)
{
  fibers_free (fibers);
}

/* Returns this thread's fibers, which are kept until it ends: new ones at each launch would need
 * cleared stacks. */
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
  ShimKernel *kernel;
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
run_block (Block *block, const ShimLaunch *launch, Fibers *fibers)
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
  ShimKernel *kernel;
  const ShimLaunch *launch;
  void **args;
} Work;

static void
run_blocks (gpointer data, int first, int end, int thread)
{
  const Work *work = data;

  for (int i = first; i < end; i++)
    {
      Block block = { work->kernel, (unsigned) i % work->launch->x, (unsigned) i / work->launch->x,
                      work->args };

      run_block (&block, work->launch, get_fibers ());
    }
}

void
shim_kernel_launch (ShimKernel *kernel, FxTeam *team, const ShimLaunch *launch, void **args)
{
  Work work = { kernel, launch, args };

  fx_team_run (team, (int) (launch->x * launch->y), 1, run_blocks, &work);
}
