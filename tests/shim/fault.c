#include "fault.h"

#include "driver.h"
#include "stand-in.h"

#include <string.h>

#define NAME(call) #call,

/* test_faults.py has separate cases for functions that are called only after another failure. */
static const char *const cuda[] = { "g_module_open", "cudaDriverGetVersion", "cudaGetDeviceCount",
                                    "cudaGetDriverEntryPoint", FX_DRIVER_CALLS (NAME) NULL };
static const char *const nvrtc[] = { "dlopen", "dlsym", STAND_IN_NVRTC_CALLS (NAME) NULL };
static const char *const disk[] = { "open",  "openat",   "fstat",     "fstatat",  "read",
                                    "write", "fsync",    "close",     "renameat", "unlinkat",
                                    "mkdir", "futimens", "fdopendir", "readdir",  NULL };
static const char *const memory[] = { "posix_memalign",  "g_try_malloc",     "g_try_malloc_n",
                                      "g_try_malloc0_n", "g_thread_try_new", NULL };
static const char *const *const groups[FAULT_GROUPS] = { cuda, nvrtc, disk, memory };

static struct {
  GMutex lock;
  const char *point; /* NULL: no failure is ordered */
  guint left;        /* calls before the one that fails */
  gboolean came;
  FaultMode mode;
} order;

const char *const *
fault_get_points (FaultGroup group)
{
  return groups[group];
}

void
fault_order (const char *point, guint skip, FaultMode mode)
{
  g_mutex_lock (&order.lock);
  order.point = point;
  order.left = skip;
  order.came = FALSE;
  order.mode = mode;
  g_mutex_unlock (&order.lock);
}

gboolean
fault_came (void)
{
  gboolean came;

  g_mutex_lock (&order.lock);
  came = order.came;
  g_mutex_unlock (&order.lock);
  return came;
}

gboolean
fault_end (void)
{
  gboolean came = fault_came ();

  g_mutex_lock (&order.lock);
  order.point = NULL;
  g_mutex_unlock (&order.lock);
  return came;
}

static struct {
  const char *point; /* NULL: no calls are watched */
  void (*func) (void);
} watch;

void
fault_on_call (const char *point, void (*func) (void))
{
  g_mutex_lock (&order.lock);
  watch.point = func ? point : NULL;
  watch.func = func;
  g_mutex_unlock (&order.lock);
}

gboolean
fault_is_due (const char *point, FaultMode *mode)
{
  void (*func) (void);
  gboolean due;

  g_mutex_lock (&order.lock);
  func = watch.point && strcmp (point, watch.point) == 0 ? watch.func : NULL;
  g_mutex_unlock (&order.lock);
  if (func)
    func ();
  g_mutex_lock (&order.lock);
  due = order.point && strcmp (point, order.point) == 0 &&
        (order.came ? order.mode == FAULT_ALWAYS : order.left-- == 0);
  order.came |= due;
  *mode = order.mode;
  g_mutex_unlock (&order.lock);
  return due;
}
