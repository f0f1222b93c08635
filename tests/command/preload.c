/* Makes calls of the C library fail or come at a bad moment. LD_PRELOAD loads it into the command;
 * CUDA_BLUR_TEST_PRELOAD says what happens. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static int
wants (const char *what)
{
  const char *wanted = getenv ("CUDA_BLUR_TEST_PRELOAD");

  return wanted && strcmp (wanted, what) == 0;
}

/* "signal": SIGTERM comes while the temporary folder is removed at the end. The thread for signals
 * has to leave the batch alone, which is about to be freed. */

static volatile pid_t remover;
static volatile int is_late;

/* Returns whether the thread for signals sleeps, be it in sigwait or on a lock. */
static int
sleeps (void)
{
  DIR *tasks = opendir ("/proc/self/task");
  struct dirent *entry;
  char path[300], name[32] = "", state = '?';

  while ((entry = readdir (tasks)) && strcmp (name, "signals") != 0)
    {
      FILE *file;

      snprintf (path, sizeof path, "/proc/self/task/%s/stat", entry->d_name);
      file = fopen (path, "r");
      if (file && fscanf (file, "%*d (%31[^)]) %c", name, &state) != 2)
        *name = '\0';
      if (file)
        fclose (file);
    }
  closedir (tasks);
  return strcmp (name, "signals") == 0 && state == 'S';
}

int
nftw (const char *path, __nftw_func_t function, int files, int flags)
{
  typeof (nftw) *next = dlsym (RTLD_NEXT, "nftw");
  sigset_t pending;

  if (wants ("keep"))
    return 0;
  if (! wants ("signal") || remover == gettid ())
    return next (path, function, files, flags);
  is_late = remover != 0;
  if (is_late) /* this is the other thread */
    pause ();
  remover = gettid ();
  kill (getpid (), SIGTERM);
  do
    sigpending (&pending);
  while (sigismember (&pending, SIGTERM) || ! sleeps ());
  if (is_late)
    fputs ("cuda-blur: a batch that ends was used\n", stderr);
  return next (path, function, files, flags);
}

/* "full": folders have no room left. "keep": the temporary folder stays. "sync": the disk cannot be
 * written to in the end. */

int
statvfs (const char *path, struct statvfs *status)
{
  typeof (statvfs) *next = dlsym (RTLD_NEXT, "statvfs");
  int result = next (path, status);

  if (wants ("full"))
    status->f_bavail = 0;
  return result;
}

int
fsync (int file)
{
  typeof (fsync) *next = dlsym (RTLD_NEXT, "fsync");

  if (! wants ("sync"))
    return next (file);
  errno = EIO;
  return -1;
}

/* "shorten": a file named short.png loses its second half when it has been opened. */
FILE *
fopen (const char *path, const char *mode)
{
  typeof (fopen) *next = dlsym (RTLD_NEXT, "fopen");
  FILE *file = next (path, mode);
  struct stat status;

  if (wants ("shorten") && file && strstr (path, "short.png") && stat (path, &status) == 0 &&
      truncate (path, status.st_size / 2) != 0)
    abort ();
  return file;
}

/* "hold": the result of a file named 3.jpg gets its name when the test lets it: the folder
 * CUDA_BLUR_TEST_HOLD gets the file reached, and its FIFO hold a line. */
int
rename (const char *from, const char *to)
{
  typeof (rename) *next = dlsym (RTLD_NEXT, "rename");
  const char *end = strrchr (to, '/'), *folder = getenv ("CUDA_BLUR_TEST_HOLD");
  char path[4096];
  FILE *file;

  if (! wants ("hold") || ! end || strcmp (end, "/3.jpg") != 0)
    return next (from, to);
  snprintf (path, sizeof path, "%s/reached", folder);
  file = fopen (path, "w");
  fclose (file);
  snprintf (path, sizeof path, "%s/hold", folder);
  file = fopen (path, "r");
  fgetc (file);
  fclose (file);
  return next (from, to);
}
