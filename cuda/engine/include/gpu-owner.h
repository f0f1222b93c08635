/* Owns an engine's GPU: opens it, warms it up on another thread, and closes it when it is lost.
 * Serves one thread at a time. */
#pragma once

#include "config.h"
#include "gpu.h"

typedef struct FxGpuOwner FxGpuOwner;

/* Creates an owner without a GPU. Never returns NULL; free it with fx_gpu_owner_free. */
FxGpuOwner *fx_gpu_owner_new (void);

/* Sets the configuration that the GPU is opened with from now on. Copies config. */
void fx_gpu_owner_set_config (FxGpuOwner *owner, const FxConfig *config);

void fx_gpu_owner_free (FxGpuOwner *owner); /* waits for a warm-up under way; NULL is legal */

/* Returns the GPU, and makes it this thread's current device. Opens it if needed, and waits for a
 * warm-up under way. Returns NULL with error on failure. The GPU belongs to owner. */
FxGpu *fx_gpu_owner_get_gpu (FxGpuOwner *owner, GError **error);

/* Returns the GPU if it is open and no warm-up has it, else NULL. Does not take it back from a
 * finished warm-up: until another function does, fx_gpu_owner_is_warming_up is TRUE, so that a view
 * rendered on the CPU until then counts as a draft. */
FxGpu *fx_gpu_owner_peek_gpu (FxGpuOwner *owner);

/* Returns the GPU if it is ready for use without a delay, else NULL. Takes it back from a finished
 * warm-up. */
FxGpu *fx_gpu_owner_find_gpu (FxGpuOwner *owner, const FxUse *use);

/* Starts warming the GPU up for use in the background, unless a warm-up is under way. Retries with
 * back-off after a failure, because memory may have been freed or a driver installed: each failure
 * doubles the number of calls that are skipped, up to 64, but none is after two minutes. The GPU is
 * not available to others until the warm-up ends, which holds a reference to the plan. Returns at
 * once: even loading the driver, which takes 200 ms the first time, happens on the other thread. */
void fx_gpu_owner_warm_up (FxGpuOwner *owner, const FxUse *use);

/* Returns whether a warm-up is under way, or has succeeded since the GPU was last looked for. */
gboolean fx_gpu_owner_is_warming_up (const FxGpuOwner *owner);

/* Waits for a warm-up under way. Returns the GPU, or NULL if none is open. */
FxGpu *fx_gpu_owner_wait (FxGpuOwner *owner);

/* Returns the reason why no GPU is ready, as far as it is known; never NULL. The text belongs to
 * owner and is valid until the next call of another function. */
const char *fx_gpu_owner_get_reason (FxGpuOwner *owner);

/* Call this after a failure: closes the GPU if it no longer responds, and says so in failure. */
void fx_gpu_owner_check_gpu (FxGpuOwner *owner, GError **failure);

/* Returns whether the GPU stopped responding, or CUDA failed to open it, and it has not been opened
 * since. */
gboolean fx_gpu_owner_has_lost_gpu (const FxGpuOwner *owner);
