/* The driver's library, whose initialisation makes a file "asked" in the folder SLOW_DRIVER_FOLDER,
 * and returns once there is a file "go" as well. A file "cut" says that exit() called the library's
 * handler with a thread in it: in a real one that crashes. It registers the handler when it is
 * loaded, as the real one does, and once more when it is initialised, as NVRTC does when it first
 * compiles. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From cuda.h, whose declarations of these functions differ from version to version. */
#define SUCCESS   0
#define NO_DEVICE 100

#define VERSION 99000 /* later than any runtime */

int cuInit (unsigned flags);
int cuDriverGetVersion (int *version);
int cuGetProcAddress (const char *name, void **entry, int version, uint64_t flags);
int cuGetProcAddress_v2 (const char *name, void **entry, int version, uint64_t flags, int *found);

static int inside; /* threads that ask */

static void
get_path (char path[4096], const char *name)
{
  snprintf (path, 4096, "%s/%s", getenv ("SLOW_DRIVER_FOLDER"), name);
}

static void
make (const char *name)
{
  char path[4096];
  FILE *file;

  get_path (path, name);
  file = fopen (path, "w");
  if (file)
    fclose (file);
}

static int
has (const char *name)
{
  char path[4096];

  get_path (path, name);
  return access (path, F_OK) == 0;
}

static void
end (void)
{
  if (inside > 0)
    make ("cut");
}

__attribute__ ((constructor)) static void
begin (void)
{
  atexit (end);
}

/* The functions that the CUDA runtime calls. */

int
cuInit (unsigned flags)
{
  __atomic_add_fetch (&inside, 1, __ATOMIC_SEQ_CST);
  atexit (end);
  make ("asked");
  while (! has ("go"))
    usleep (10000);
  __atomic_sub_fetch (&inside, 1, __ATOMIC_SEQ_CST);
  return NO_DEVICE;
}

int
cuDriverGetVersion (int *version)
{
  *version = VERSION;
  return SUCCESS;
}

static int
refuse (void)
{
  return NO_DEVICE;
}

int
cuGetProcAddress_v2 (const char *name, void **entry, int version, uint64_t flags, int *found)
{
  *entry = strcmp (name, "cuInit") == 0               ? (void *) cuInit
           : strcmp (name, "cuDriverGetVersion") == 0 ? (void *) cuDriverGetVersion
           : strcmp (name, "cuGetProcAddress") == 0   ? (void *) cuGetProcAddress_v2
                                                      : (void *) refuse;
  if (found)
    *found = 0;
  return SUCCESS;
}

int
cuGetProcAddress (const char *name, void **entry, int version, uint64_t flags)
{
  return cuGetProcAddress_v2 (name, entry, version, flags, NULL);
}
