/* What a device must do to blur one strip: the engine's side of gpu.c and cpu.c.
 *
 * A run takes source rows in order (push) and gives back result rows in order (pull). The engine
 * pushes, before it pulls row y, all rows that y reaches, and never more ahead than the ring holds;
 * or, of a plan that needs it, all of the strip's source before the first pull.
 */
#ifndef FX_BACKEND_H
#define FX_BACKEND_H

#include "plan.h"

G_BEGIN_DECLS

typedef struct FxBackend FxBackend;
typedef struct FxRun FxRun;

/* The head of a backend's own run. */
struct FxRun {
  const FxBackend *backend;
  const BlurPlan *plan; /* outlives the run */
  FxStrip strip;

  /* Asked now and then by a run that takes long, once it has one; FALSE: the run is to end at once,
   * and push or pull returns FALSE with the error that it set, or none. */
  gboolean (*is_wanted) (gpointer data, GError **error);
  gpointer data;
};

struct FxBackend {
  /* Whether all of a strip's source must be there before any of its result. */
  gboolean (*needs_all) (const BlurPlan *plan);

  FxStripBytes get_bytes;

  /* Starts a strip. NULL with error on failure. */
  FxRun *(*begin) (gpointer device, const BlurPlan *plan, const FxStrip *strip, GError **error);

  /* Takes in source: rows y to y + rows - 1 of the image, source_x1 - source_x0 pixels each,
   * without padding. The caller may write to it again at once. */
  gboolean (*push) (FxRun *run, gconstpointer source, int y, int rows, GError **error);

  /* Fills result with rows y to y + rows - 1 of the image, x1 - x0 pixels each. */
  gboolean (*pull) (FxRun *run, gpointer result, int y, int rows, GError **error);

  /* Frees the run. */
  void (*end) (FxRun *run);
};

/* The CPU: device is NULL. */
extern const FxBackend fx_cpu_backend;

/* Threads that the CPU engine uses. */
int fx_cpu_get_threads (void);

/* Enters the CPU as what did a run. */
void fx_cpu_report (FxReport *report);

/* What a run over so many pixels costs, in milliseconds; measured, to a factor of two. */
double fx_cpu_get_cost (const BlurPlan *plan, double pixels);

G_END_DECLS

#endif
