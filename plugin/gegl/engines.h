/* The engines of this process.
 *
 * One is kept from call to call, with its GPU; another is made for a call that comes while that one
 * is at work, be it on another thread or from within. After CUDA_BLUR_IDLE_SECONDS (60) without a
 * call the kept one is given back, the GPU's memory with it; and so it is when GEGL ends, or the
 * process, which waits for what is then under way on the side: no thread is to be in a library that
 * goes. */
#ifndef ENGINES_H
#define ENGINES_H

#include "engine.h"

G_BEGIN_DECLS

/* Never NULL, never waits. To be returned on the same thread. */
FxEngine *engines_borrow (void);
void engines_return (FxEngine *engine);

G_END_DECLS

#endif
