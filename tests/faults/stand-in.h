/* CUDA without a GPU, and NVRTC without its library: what of the runtime, the driver and the
 * compiler the engine calls, with the CPU as the device (shim/shim-kernel.h). The engine's own
 * files for the device run on it as they are. Each call is a fault point. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <glib.h>

G_BEGIN_DECLS

/* The machine; at first it has a device of compute capability 9.0, a driver for CUDA 13.0, and
 * NVRTC 13.0 with its builtins. */
typedef struct {
  int driver; /* as cudaDriverGetVersion says it; 0: none */
  int devices;
  int arch;          /* of the device */
  const char *nvrtc; /* the names of the versions of NVRTC that are there: "11.8 12.4 13.0" */
  gboolean builtins; /* are there, for each of them */
  gboolean shared;   /* somebody else of the process holds the device's context, for good */
  gsize free_bytes;  /* of the device's memory */
  int processors;    /* the device's multiprocessors */
  gboolean launches; /* kernels start at all */
  gboolean compiles; /* programs compile at all */
  gboolean crowded;  /* no block of a kernel has room on a multiprocessor */
} StandIn;

extern StandIn stand_in;

void stand_in_reset (void);

/* Fails the test where the process has something left of the device: a context, and what is in it,
 * unless that is because point failed, which releases it. Afterwards there is nothing. */
void stand_in_check_clean (const char *point);

/* Brings back a device that was lost. */
void stand_in_mend (void);

/* The other one of the process lets go of the context. */
void stand_in_unshare (void);

/* Is called at each of NVRTC's compilations, on the thread that compiles; NULL: nothing is. */
void stand_in_on_compile (void (*func) (const char *source));

G_END_DECLS

#endif
