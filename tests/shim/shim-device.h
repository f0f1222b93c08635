/* Controls of the shim: its faults, its memory, its costs, and callbacks. */
#pragma once

#include "gpu.h"

typedef enum {
  SHIM_PROGRAM,
  SHIM_BUFFER,
  SHIM_UPLOAD,
  SHIM_LAUNCH,
  SHIM_DOWNLOAD,
  SHIM_CALLS
} ShimCall;

/* Makes a call of this kind fail with code, a FxError, after skip calls that succeed. If lost is
 * TRUE, every later call of any kind fails, too. */
void shim_fail (ShimCall call, int skip, int code, gboolean lost);

/* Cancels all requested failures. */
void shim_mend (void);

/* Sets whether programs compiled in the background are ready when a run asks for them. The default
 * is FALSE: they never are. */
void shim_set_background (gboolean on);

/* Sets the bytes of memory that a device reports as free. The default is 1 GB. */
void shim_set_free (gsize bytes);

/* Returns the bytes of memory that all devices hold. */
gsize shim_get_memory (void);

/* Sets a function to call whenever a device opens, on the thread that opens it. NULL: none. */
void shim_on_open (void (*func) (void));

/* Sets the costs that fx_gpu_get_cost returns. The default is 0 for all. */
void shim_set_cost (const FxGpuCost *cost);

/* Sets the limit of one launch in samples times taps. The default is no limit. */
void shim_set_launch_limit (double limit);

/* Return the number of launches so far, and set a function to call at each, on the thread that
 * launches. NULL: none. */
int shim_count_launches (void);
void shim_on_launch (void (*func) (void));
