/* The fault points: each kind of call that the engine makes of CUDA, of NVRTC, of the disk and of
 * memory, by its name, and which of them is to fail. The linker puts them in the calls' places:
 * they are in the tests alone, and what is installed has none. */
#ifndef FAULT_H
#define FAULT_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum { FAULT_CUDA, FAULT_NVRTC, FAULT_DISK, FAULT_MEMORY, FAULT_GROUPS } FaultGroup;

typedef enum {
  FAULT_ONCE,   /* that call alone */
  FAULT_STICKY, /* and every call of CUDA's within the same context, as after an illegal address */
  FAULT_LOST,   /* and the device is gone */
  FAULT_ALWAYS, /* and every call of the same point after it */
} FaultMode;

/* The names of a group, ended by NULL. */
const char *const *fault_get_points (FaultGroup group);

/* The call of point that comes after skip others fails. */
void fault_order (const char *point, guint skip, FaultMode mode);

/* Whether that call came; the same, and takes the order back. */
gboolean fault_came (void);
gboolean fault_end (void);

/* Of a point: whether this call is to fail, and how. */
gboolean fault_is_due (const char *point, FaultMode *mode);

G_END_DECLS

#endif
