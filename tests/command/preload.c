/* Makes calls of the C library fail or come at a bad moment. LD_PRELOAD loads it into the command;
 * CUDA_BLUR_TEST_PRELOAD says what happens. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
wants (const char *what)
{
  const char *wanted = getenv ("CUDA_BLUR_TEST_PRELOAD");

  return wanted && strcmp (wanted, what) == 0;
}

/* "signal": SIGTERM comes while the temporary folder is removed at the end. The thread for signals
 * has to leave the batch alone, which is about to be freed. */

static volatile int removals;

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
  int (*next) (const char *, __nftw_func_t, int,
               int) = (int (*) (const char *, __nftw_func_t, int, int)) dlsym (RTLD_NEXT, "nftw");
  sigset_t pending;

  if (! wants ("signal"))
    return next (path, function, files, flags);
  if (removals++ > 0)
    pause (); /* this is the other thread */
  kill (getpid (), SIGTERM);
  do
    sigpending (&pending);
  while (sigismember (&pending, SIGTERM) || ! sleeps ());
  if (removals > 1)
    fputs ("cuda-blur: a batch that ends was used\n", stderr);
  return next (path, function, files, flags);
}
