/* The system functions that the engine calls: the linker puts these in their place. */
#define _GNU_SOURCE

#include "fault.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/types.h>

static gboolean
fails (const char *point)
{
  FaultMode mode;

  return fault_is_due (point, &mode);
}

/* The disk. For each function: its type, its name in the object file, the point's name, the
 * arguments, and how it fails. */

#define WRAP(type, symbol, point, parameters, arguments, code, failure) \
  type __wrap_##symbol parameters;                                      \
  type __real_##symbol parameters;                                      \
  type __wrap_##symbol parameters                                       \
  {                                                                     \
    if (! fails (point))                                                \
      return __real_##symbol arguments;                                 \
    errno = code;                                                       \
    return failure;                                                     \
  }

WRAP (int, fstat64, "fstat", (int fd, struct stat64 *st), (fd, st), EIO, -1)
WRAP (int, fstatat64, "fstatat", (int fd, const char *name, struct stat64 *st, int flags),
      (fd, name, st, flags), EIO, -1)
WRAP (ssize_t, read, "read", (int fd, void *data, size_t size), (fd, data, size), EIO, -1)
WRAP (ssize_t, write, "write", (int fd, const void *data, size_t size), (fd, data, size), ENOSPC,
      -1)
WRAP (int, fsync, "fsync", (int fd), (fd), EIO, -1)
WRAP (int, renameat, "renameat", (int from, const char *a, int to, const char *b), (from, a, to, b),
      EIO, -1)
WRAP (int, unlinkat, "unlinkat", (int fd, const char *name, int flags), (fd, name, flags), EACCES,
      -1)
WRAP (int, futimens, "futimens", (int fd, const struct timespec times[2]), (fd, times), EROFS, -1)
WRAP (DIR *, fdopendir, "fdopendir", (int fd), (fd), ENOMEM, NULL)
WRAP (struct dirent64 *, readdir64, "readdir", (DIR * dir), (dir), EIO, NULL)
WRAP (int, g_mkdir_with_parents, "mkdir", (const char *name, int mode), (name, mode), EROFS, -1)

/* A failing close still frees the descriptor. */
int __wrap_close (int fd);
int __real_close (int fd);

int
__wrap_close (int fd)
{
  const int result = __real_close (fd);

  if (! fails ("close"))
    return result;
  errno = EIO;
  return -1;
}

int __wrap_open64 (const char *name, int flags, ...);
int __real_open64 (const char *name, int flags, ...);

int
__wrap_open64 (const char *name, int flags, ...)
{
  va_list arguments;
  mode_t mode;

  va_start (arguments, flags);
  mode = flags & O_CREAT ? va_arg (arguments, mode_t) : 0;
  va_end (arguments);
  if (! fails ("open"))
    return __real_open64 (name, flags, mode);
  errno = EMFILE;
  return -1;
}

int __wrap_openat64 (int dir, const char *name, int flags, ...);
int __real_openat64 (int dir, const char *name, int flags, ...);

int
__wrap_openat64 (int dir, const char *name, int flags, ...)
{
  va_list arguments;
  mode_t mode;

  va_start (arguments, flags);
  mode = flags & O_CREAT ? va_arg (arguments, mode_t) : 0;
  va_end (arguments);
  if (! fails ("openat"))
    return __real_openat64 (dir, name, flags, mode);
  errno = ENOSPC;
  return -1;
}

/* Memory, and threads, which need memory. */

int __wrap_posix_memalign (void **memory, size_t alignment, size_t size);
int __real_posix_memalign (void **memory, size_t alignment, size_t size);

int
__wrap_posix_memalign (void **memory, size_t alignment, size_t size)
{
  return fails ("posix_memalign") ? ENOMEM : __real_posix_memalign (memory, alignment, size);
}

WRAP (gpointer, g_try_malloc, "g_try_malloc", (gsize size), (size), ENOMEM, NULL)
WRAP (gpointer, g_try_malloc0, "g_try_malloc0", (gsize size), (size), ENOMEM, NULL)
WRAP (gpointer, g_try_malloc_n, "g_try_malloc_n", (gsize n, gsize size), (n, size), ENOMEM, NULL)
WRAP (gpointer, g_try_malloc0_n, "g_try_malloc0_n", (gsize n, gsize size), (n, size), ENOMEM, NULL)

GThread *__wrap_g_thread_try_new (const char *name, GThreadFunc func, gpointer data,
                                  GError **error);
GThread *__real_g_thread_try_new (const char *name, GThreadFunc func, gpointer data,
                                  GError **error);

GThread *
__wrap_g_thread_try_new (const char *name, GThreadFunc func, gpointer data, GError **error)
{
  if (! fails ("g_thread_try_new"))
    return __real_g_thread_try_new (name, func, data, error);
  g_set_error (error, G_THREAD_ERROR, G_THREAD_ERROR_AGAIN, "No thread, as the test wants");
  return NULL;
}
