/* Keeps an engine's GPU: opens it, gets it ready on a thread of its own, closes it when it
   is lost. */
#ifndef FX_KEEPER_H
#define FX_KEEPER_H

#include "gpu.h"

G_BEGIN_DECLS

typedef struct FxKeeper FxKeeper;

FxKeeper *fx_keeper_new (void);

/* What the GPU is opened with from now on. */
void fx_keeper_set_config (FxKeeper *keeper, const FxConfig *config);

void fx_keeper_free (FxKeeper *keeper); /* waits for a thread under way; NULL is legal */

/* What a GPU is to be ready for: runs of a plan or, where shows is set, views of an image that is
 * stored in format, as the plan leaves it. */
typedef struct {
  FxPlan *plan;
  gboolean shows;
  FxFormat format;
  gboolean grown; /* the image is enlarged */
} FxUse;

/* The GPU, opened if it must be, and waited for. NULL with error on failure. */
FxGpu *fx_keeper_get (FxKeeper *keeper, GError **error);

/* The GPU, where it is open and at hand, or NULL. What is got ready on the side stays there: a view
 * that the CPU does meanwhile is known to be a draft. */
FxGpu *fx_keeper_peek (FxKeeper *keeper);

/* The GPU, where it is ready for use at once, or NULL. */
FxGpu *fx_keeper_find (FxKeeper *keeper, const FxUse *use);

/* Has the GPU got ready for use, unless that is under way, or failed before: what failed may go
 * well later, when another has given memory back or a driver is there, and is tried again, ever
 * more rarely. Until it is done the GPU is not at hand. Nothing of it is done on this thread: to
 * load the driver takes 200 ms the first time. */
void fx_keeper_warm (FxKeeper *keeper, const FxUse *use);

/* Whether that is under way, or has come to a good end since the GPU was last looked for. */
gboolean fx_keeper_is_warming (const FxKeeper *keeper);

/* Waits until it is no more. NULL if there is no GPU, or none yet. */
FxGpu *fx_keeper_wait (FxKeeper *keeper);

/* Why there is no GPU ready, as far as that is known by now; NULL: there may be one. Owned by
 * keeper. */
const GError *fx_keeper_get_reason (FxKeeper *keeper);

/* After a failure: closes the GPU if it does not answer. */
void fx_keeper_check (FxKeeper *keeper);

G_END_DECLS

#endif
