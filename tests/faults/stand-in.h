/* CUDA without a GPU, and NVRTC without its library: the functions of the runtime, the driver and
 * the compiler that the engine calls, with the CPU as the device (shim/shim-kernel.h). The engine's
 * own device files run on it unchanged. Each function is a fault point. */
#pragma once

#include <glib.h>

/* The machine. By default, it has a device of compute capability 9.0, a driver for CUDA 13.0, and
 * NVRTC 13.0 with its builtins. */
typedef struct {
  int driver; /* as cudaDriverGetVersion returns it; 0: no driver */
  int devices;
  int arch;          /* of the device */
  const char *nvrtc; /* the installed versions of NVRTC: "11.8 12.4 13.0" */
  gboolean builtins; /* the builtins of each version are installed */
  const char *lib;   /* the folder of these; NULL: the loader finds them */
  gboolean shared;   /* another user in the process holds the device's context, until
                        stand_in_unshare */
  gsize free_bytes;  /* of the device's memory */
  gsize all_bytes;   /* of it; 0: those */
  int processors;    /* the device's multiprocessors */
  gboolean launches; /* kernels can start */
  gboolean compiles; /* programs can be compiled */
  gboolean crowded;  /* no block of a kernel fits on a multiprocessor */
  gboolean updated;  /* the driver's files are newer than its module, which runs */
} StandIn;

extern StandIn stand_in;

void stand_in_reset (void);

/* Fails the test if the process still holds the device's context, and destroys it. That is allowed
 * only if point, the call that was made to fail, is the one that releases it. */
void stand_in_check_clean (const char *point);

/* Restores a lost device. */
void stand_in_mend (void);

/* The other user in the process releases the context. */
void stand_in_unshare (void);

/* Sets a function to call at each compilation, on the thread that compiles. NULL: none. */
void stand_in_on_compile (void (*func) (const char *source));

/* The same before each release of a device's context. */
void stand_in_on_release (void (*func) (void));
