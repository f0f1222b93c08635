/* If SLOW_DRIVER_FOLDER names a folder, the driver makes a file "asked" there when it is called,
 * and returns once there is a file "go" as well. A file "cut" says that the process went through
 * exit() with a thread in the driver: in a real one that crashes. */
#include "slow-driver.h"

#include <pthread.h>
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

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int inside; /* threads that ask */
static int asked, let_go;

static void
get_path (char path[4096], const char *name)
{
  const char *folder = getenv ("SLOW_DRIVER_FOLDER");

  snprintf (path, 4096, "%s/%s", folder ? folder : "/nowhere", name);
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

__attribute__ ((destructor)) static void
end (void)
{
  if (inside > 0)
    make ("cut");
}

static void
set (int *flag)
{
  pthread_mutex_lock (&lock);
  *flag = 1;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
}

static void
wait_for (const int *flag)
{
  pthread_mutex_lock (&lock);
  while (! *flag)
    pthread_cond_wait (&changed, &lock);
  pthread_mutex_unlock (&lock);
}

void
slow_driver_wait (void)
{
  wait_for (&asked);
}

void
slow_driver_let_go (void)
{
  set (&let_go);
}

static void
take_long (void)
{
  __atomic_add_fetch (&inside, 1, __ATOMIC_SEQ_CST);
  set (&asked);
  if (getenv ("SLOW_DRIVER_FOLDER"))
    {
      make ("asked");
      while (! has ("go"))
        usleep (10000);
    }
  else
    wait_for (&let_go);
  __atomic_sub_fetch (&inside, 1, __ATOMIC_SEQ_CST);
}

/* The functions that the CUDA runtime calls. */

int
cuInit (unsigned flags)
{
  take_long ();
  return NO_DEVICE;
}

int
cuDriverGetVersion (int *version)
{
  take_long ();
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
