/* What a device must do to blur one strip: the engine's side of gpu.c and cpu.c.
 *
 * A run takes source rows in order (push) and gives back result rows in order (pull). The engine
 * pushes, before it pulls row y, all rows that y reaches, and never more ahead than the ring holds;
 * or, of a plan that needs it, all of the strip's source before the first pull.
 */
#ifndef BLUR_BACKEND_H
#define BLUR_BACKEND_H

#include "plan.h"

G_BEGIN_DECLS

typedef struct BlurBackend BlurBackend;
typedef struct BlurRun BlurRun;

/* The head of a backend's own run. Both buffers hold strip.chunk_rows rows, without padding. */
struct BlurRun {
  const BlurBackend *backend;
  const BlurPlan *plan; /* outlives the run */
  BlurStrip strip;
  gpointer source; /* source_x1 - source_x0 pixels a row; the engine fills it before a push */
  gpointer result; /* x1 - x0 pixels a row; a pull fills it */
};

struct BlurBackend {
  /* Whether all of a strip's source must be there before any of its result. */
  gboolean (*needs_all) (const BlurPlan *plan);

  BlurStripBytes get_bytes;

  /* Starts a strip. NULL with error on failure. */
  BlurRun *(*begin) (gpointer device, const BlurPlan *plan, const BlurStrip *strip, GError **error);

  /* Takes in source, which holds rows y to y + rows - 1 of the image. */
  gboolean (*push) (BlurRun *run, int y, int rows, GError **error);

  /* Fills result with rows y to y + rows - 1 of the image. */
  gboolean (*pull) (BlurRun *run, int y, int rows, GError **error);

  /* Frees the run. */
  void (*end) (BlurRun *run);
};

/* The CPU: device is NULL. */
extern const BlurBackend blur_cpu_backend;

/* Threads that the CPU engine uses. */
int blur_cpu_get_threads (void);

G_END_DECLS

#endif
