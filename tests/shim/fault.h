/* The fault points. Each is a function that the engine calls for CUDA, NVRTC, the disk or memory; a
 * test chooses the call that fails. The linker puts the points in place of these functions, in the
 * tests only: the installed program has none. */
#pragma once

#include <glib.h>

typedef enum { FAULT_CUDA, FAULT_NVRTC, FAULT_DISK, FAULT_MEMORY, FAULT_GROUPS } FaultGroup;

typedef enum {
  FAULT_ONCE,   /* only that call */
  FAULT_STICKY, /* also every later CUDA call in the same context, as after an illegal address */
  FAULT_LOST,   /* the same, and the device is lost */
  FAULT_ALWAYS, /* also every later call of the same point */
} FaultMode;

/* Returns the names of a group's points, NULL-terminated. */
const char *const *fault_get_points (FaultGroup group);

/* Makes a call of point fail, after skip calls that succeed. Replaces the previous order. */
void fault_order (const char *point, guint skip, FaultMode mode);

/* Return whether that call was made; fault_end also cancels the order. */
gboolean fault_came (void);
gboolean fault_end (void);

/* Sets a function to call before each call of point, on the thread that makes it. NULL: none. */
void fault_on_call (const char *point, void (*func) (void));

/* For the points only: returns whether this call must fail, and sets mode to how. */
gboolean fault_is_due (const char *point, FaultMode *mode);
