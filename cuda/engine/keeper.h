/* Owns an engine's GPU: opens it, warms it up on a thread of its own, and closes it when it is
 * lost. Serves one thread at a time. */
#ifndef FX_KEEPER_H
#define FX_KEEPER_H

#include "gpu.h"

G_BEGIN_DECLS

typedef struct FxKeeper FxKeeper;

/* Creates a keeper without a GPU. Never returns NULL; free it with fx_keeper_free. */
FxKeeper *fx_keeper_new (void);

/* Sets the configuration that the GPU is opened with from now on. Copies config. */
void fx_keeper_set_config (FxKeeper *keeper, const FxConfig *config);

void fx_keeper_free (FxKeeper *keeper); /* waits for a warm-up under way; NULL is legal */

/* The work that a GPU is to be ready for: runs of a plan or, if shows is set, views of an image
 * that is stored in format and filtered by the plan. */
typedef struct {
  FxPlan *plan;
  gboolean shows;
  FxFormat format;
  gboolean grown; /* the image is extended */
} FxUse;

/* Returns the GPU, and makes it this thread's current device. Opens it if needed, and waits for a
 * warm-up under way. Returns NULL with error on failure. The GPU belongs to keeper. */
FxGpu *fx_keeper_get (FxKeeper *keeper, GError **error);

/* Returns the GPU if it is open and no warm-up has it, else NULL. Does not take it back from a
 * finished warm-up: until another function does, fx_keeper_is_warming is TRUE, so that a view
 * rendered on the CPU meanwhile counts as a draft. */
FxGpu *fx_keeper_peek (FxKeeper *keeper);

/* Returns the GPU if it is ready for use without a delay, else NULL. Takes it back from a finished
 * warm-up. */
FxGpu *fx_keeper_find (FxKeeper *keeper, const FxUse *use);

/* Starts warming the GPU up for use in the background, unless a warm-up is under way. Retries with
 * back-off after a failure, because memory may have been freed or a driver installed: each failure
 * doubles the number of calls that are skipped, up to 64. The GPU is not available to others until
 * the warm-up ends. Returns at once: even loading the driver, which takes 200 ms the first time,
 * happens on the other thread. */
void fx_keeper_warm (FxKeeper *keeper, const FxUse *use);

/* Returns whether a warm-up is under way, or has succeeded since the GPU was last looked for. */
gboolean fx_keeper_is_warming (const FxKeeper *keeper);

/* Waits for a warm-up under way. Returns the GPU, or NULL if none is open. */
FxGpu *fx_keeper_wait (FxKeeper *keeper);

/* Returns why the last warm-up failed, or NULL if none is known to have failed. The error belongs
 * to keeper and is valid until the next call of another function. */
const GError *fx_keeper_get_reason (FxKeeper *keeper);

/* Call this after a failure: closes the GPU if it no longer answers. */
void fx_keeper_check (FxKeeper *keeper);

G_END_DECLS

#endif
