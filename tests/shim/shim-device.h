/* The shim's side of its own: what a test may do to the device. */
#ifndef SHIM_DEVICE_H
#define SHIM_DEVICE_H

#include "gpu.h"

G_BEGIN_DECLS

typedef enum {
  SHIM_PROGRAM,
  SHIM_BUFFER,
  SHIM_UPLOAD,
  SHIM_LAUNCH,
  SHIM_DOWNLOAD,
  SHIM_CALLS
} ShimCall;

/* The call that comes after skip others of its kind fails, with a FxError; and, if lost, so does
 * every call after it. */
void shim_fail (ShimCall call, int skip, int code, gboolean lost);

/* Takes that back. */
void shim_mend (void);

/* Whether what is compiled in the background is there when a run asks for it. At first it never
 * is. */
void shim_set_background (gboolean on);

/* Bytes of memory that a device says are free; 1 GB at first. */
void shim_set_free (gsize bytes);

/* Bytes of memory that the devices hold. */
gsize shim_get_memory (void);

/* Is called whenever a device opens, on the thread that opens it; NULL: nothing is. */
void shim_on_open (void (*func) (void));

/* What a run claims to cost; nothing at first. */
void shim_set_cost (const FxGpuCost *cost);

/* Samples times taps that a launch may cost; at first there is no limit. */
void shim_set_launch_limit (double limit);

/* Launches so far; is called at each, on the thread that makes it; NULL: nothing is. */
int shim_count_launches (void);
void shim_on_launch (void (*func) (void));

G_END_DECLS

#endif
