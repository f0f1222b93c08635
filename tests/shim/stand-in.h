/* CUDA without a GPU: the functions of the runtime and the driver that the engine calls, with the
 * CPU as the device (shim-kernel.h). The engine's own device files run on it unchanged. Each
 * function is a fault point (fault.h). The driver refuses what CUDA's driver refuses
 * (driver-limits.h).
 *
 * Programs come from programs.c, or from the engine's own builder and NVRTC without its library
 * (../faults/nvrtc.c). */
#pragma once

#include "gpu.h"

#include <gmodule.h>

/* The machine. By default, it has a device of compute capability 9.0, a driver for CUDA 13.0, and
 * NVRTC 13.0 with its builtins. The device costs nothing, so that the automatic choice takes it. */
typedef struct {
  int driver; /* as cudaDriverGetVersion returns it; 0: no driver */
  int devices;
  int arch;          /* of the device */
  const char *nvrtc; /* the installed versions of NVRTC: "11.8 12.4 13.0" */
  gboolean builtins; /* the builtins of each version are installed */
  const char *lib;   /* the folder of these; NULL: the loader finds them */
  gboolean unsafe;   /* everybody may write there */
  gboolean shared;   /* another user in the process holds the device's context, until
                        stand_in_unshare */
  gsize free_bytes;  /* of the device's memory */
  gsize all_bytes;   /* of it; 0: those */
  int processors;    /* the device's multiprocessors */
  gboolean launches; /* kernels can start */
  gboolean compiles; /* programs can be compiled */
  gboolean crowded;  /* no block of a kernel fits on a multiprocessor */
  gboolean updated;  /* the driver's files are newer than its module, which runs */
  FxGpuCost cost;    /* as fx_gpu_get_cost returns it */
} StandIn;

extern StandIn stand_in;

void stand_in_reset (void);

/* Fails the test if the process still holds the device's context, and destroys it. That is allowed
 * only if point, the call that was made to fail, is the one that releases it. */
void stand_in_check_clean (const char *point);

/* Cancels the failure that was ordered, and restores a lost device. */
void stand_in_restore (void);

/* Returns the bytes of the device's memory that are in use. */
gsize stand_in_get_memory (void);

/* Fills what was allocated at data with what new memory has: NaN, and the largest finite values. */
void stand_in_poison_buffer (gpointer data);

/* The other user in the process releases the context. */
void stand_in_unshare (void);

/* The functions of NVRTC that the engine calls. */
#define STAND_IN_NVRTC_CALLS(call)                                                   \
  call (nvrtcVersion) call (nvrtcGetNumSupportedArchs) call (nvrtcGetSupportedArchs) \
    call (nvrtcCreateProgram) call (nvrtcDestroyProgram) call (nvrtcCompileProgram)  \
      call (nvrtcGetProgramLogSize) call (nvrtcGetProgramLog) call (nvrtcGetPTXSize) \
        call (nvrtcGetPTX) call (nvrtcGetCUBINSize) call (nvrtcGetCUBIN)             \
          call (nvrtcGetErrorString)

/* Only with nvrtc.c: opens a library as g_module_open does. */
GModule *stand_in_open_nvrtc (const char *path, GModuleFlags flags) __attribute__ ((weak));

/* Only with nvrtc.c: sets a function to call at each compilation, on the thread that compiles.
 * NULL: none. */
void stand_in_on_compile (void (*func) (const char *source));

/* Only with programs.c: fills all that gpu keeps for its next run so. NULL is legal. */
void stand_in_poison (FxGpu *gpu);

/* Only with programs.c: whether programs compiled in the background are ready when a run asks for
 * them, or never, the default; and the limit of one launch in samples times taps, which is none by
 * default. */
extern gboolean stand_in_background;
extern double stand_in_launch_limit;
