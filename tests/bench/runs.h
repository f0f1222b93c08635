/* Our engine, over an image that lies in memory. */
#pragma once

#include "../lib/memory.h"
#include "engine.h"

/* Blurs memory with sigma on both axes, the kernel as large as that needs, a clamped edge and
 * linear light. milliseconds may be NULL: the wall clock's. report may be NULL. FALSE with error:
 * the result holds nothing of use. */
gboolean engine_blur (FxEngine *engine, FxDevice device, const Memory *memory, double sigma,
                      double *milliseconds, FxReport *report, GError **error);
