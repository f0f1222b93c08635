/* Owns an engine's GPU: opens it, warms it up on another thread, and closes it when it is lost.
 * Serves one thread at a time. */
#ifndef FX_WARM_UP_H
#define FX_WARM_UP_H

#include "config.h"
#include "gpu.h"

G_BEGIN_DECLS

typedef struct FxWarmUp FxWarmUp;

/* Creates a warm-up without a GPU. Never returns NULL; free it with fx_warm_up_free. */
FxWarmUp *fx_warm_up_new (void);

/* Sets the configuration that the GPU is opened with from now on. Copies config. */
void fx_warm_up_set_config (FxWarmUp *warm_up, const FxConfig *config);

void fx_warm_up_free (FxWarmUp *warm_up); /* waits for a warm-up under way; NULL is legal */

/* Returns the GPU, and makes it this thread's current device. Opens it if needed, and waits for a
 * warm-up under way. Returns NULL with error on failure. The GPU belongs to warm_up. */
FxGpu *fx_warm_up_get_gpu (FxWarmUp *warm_up, GError **error);

/* Returns the GPU if it is open and no warm-up has it, else NULL. Does not take it back from a
 * finished warm-up: until another function does, fx_warm_up_is_running is TRUE, so that a view
 * rendered on the CPU until then counts as a draft. */
FxGpu *fx_warm_up_peek_gpu (FxWarmUp *warm_up);

/* Returns the GPU if it is ready for use without a delay, else NULL. Takes it back from a finished
 * warm-up. */
FxGpu *fx_warm_up_find_gpu (FxWarmUp *warm_up, const FxUse *use);

/* Starts warming the GPU up for use in the background, unless a warm-up is under way. Retries with
 * back-off after a failure, because memory may have been freed or a driver installed: each failure
 * doubles the number of calls that are skipped, up to 64, but none is after two minutes. The GPU is
 * not available to others until the warm-up ends, which holds a reference to the plan. Returns at
 * once: even loading the driver, which takes 200 ms the first time, happens on the other thread. */
void fx_warm_up_start (FxWarmUp *warm_up, const FxUse *use);

/* Returns whether a warm-up is under way, or has succeeded since the GPU was last looked for. */
gboolean fx_warm_up_is_running (const FxWarmUp *warm_up);

/* Waits for a warm-up under way. Returns the GPU, or NULL if none is open. */
FxGpu *fx_warm_up_wait (FxWarmUp *warm_up);

/* Returns the reason why no GPU is ready, as far as it is known; never NULL. The text belongs to
 * warm_up and is valid until the next call of another function. */
const char *fx_warm_up_get_reason (FxWarmUp *warm_up);

/* Call this after a failure: closes the GPU if it no longer responds, and says so in failure. */
void fx_warm_up_check_gpu (FxWarmUp *warm_up, GError **failure);

/* Returns whether the GPU stopped responding, or CUDA failed to open it, and it has not been opened
 * since. */
gboolean fx_warm_up_has_lost_gpu (const FxWarmUp *warm_up);

G_END_DECLS

#endif
