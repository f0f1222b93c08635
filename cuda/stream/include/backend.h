/* What a device must do to run a plan over one strip: the engine's side of a way.
 *
 * A run takes source rows in order (push) and gives back result rows in order (pull). The engine
 * pushes, before it pulls row y, all rows that y reaches, and never more ahead than the ring holds;
 * or, of a plan that needs it, all of the strip's source before the first pull. */
#ifndef FX_BACKEND_H
#define FX_BACKEND_H

#include "strip.h"

G_BEGIN_DECLS

typedef struct FxRun FxRun;

/* The head of a backend's own run. */
struct FxRun {
  const FxBackend *backend;
  const FxPlan *plan; /* outlives the run */
  FxStrip strip;

  /* Asked now and then by a run that takes long, once it has one; FALSE: the run is to end at once,
   * and push or pull returns FALSE with the error that it set, or none. */
  gboolean (*is_wanted) (gpointer data, GError **error);
  gpointer data;
};

struct FxBackend {
  /* Whether all of a strip's source must be there before any of its result. */
  gboolean (*needs_all) (const FxPlan *plan);

  /* Bytes that a run of a strip takes. device: as begin gets it; of a GPU it may be NULL. */
  gsize (*get_bytes) (gconstpointer device, const FxPlan *plan, const FxStrip *strip);

  /* Starts a strip. NULL with error on failure. */
  FxRun *(*begin) (gpointer device, const FxPlan *plan, const FxStrip *strip, GError **error);

  /* Takes in source: rows y to y + rows - 1 of the image, source_x1 - source_x0 pixels each, or
   * width where the backend keeps whole rows, without padding; NULL: those that it has kept. The
   * caller may write to it again at once. */
  gboolean (*push) (FxRun *run, gconstpointer source, int y, int rows, GError **error);

  /* Fills result with rows y to y + rows - 1 of the image, x1 - x0 pixels each. */
  gboolean (*pull) (FxRun *run, gpointer result, int y, int rows, GError **error);

  /* Frees the run. */
  void (*end) (FxRun *run);
};

/* As fx_layout_new, for what the backend takes on device. */
FxLayout fx_backend_get_layout (const FxBackend *backend, gconstpointer device, const FxPlan *plan,
                                const FxImage *image, gsize limit);

/* Up to which row the source must be in before the result is complete up to row end. */
int fx_run_get_need (const FxRun *run, int end);

G_END_DECLS

#endif
