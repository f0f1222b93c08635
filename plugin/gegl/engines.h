/* The engines of this process.
 *
 * One engine, with its GPU, is reused for all calls. If it is busy, with a call on another thread
 * or with a call that contains this one, a call gets a new engine. The shared engine is freed, with
 * the GPU's memory, after CUDA_BLUR_IDLE_SECONDS (60) without a call, when GEGL ends, and when the
 * process ends. Freeing waits for work in the background: no thread may run in a library that is
 * being unloaded. */
#pragma once

#include "engine.h"

/* engines_borrow returns an engine, never NULL, and never waits for another call. Return it with
 * engines_return, on the same thread. Both may be called on any thread. */
FxEngine *engines_borrow (void);
void engines_return (FxEngine *engine);
