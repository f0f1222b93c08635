/* The lights that codes begin at. */
#ifndef SELECTIVE_CODES_H
#define SELECTIVE_CODES_H

#include "format.h"

G_BEGIN_DECLS

/* Returns the SELECTIVE_LIGHTS lights of trc (selective-args.h): the same pointer for the same
 * curve. They are never freed: each curve that a process meets takes 1 MB. Returns NULL with
 * FX_ERROR_MEMORY. May be called from any thread. */
const float *selective_codes_get (const FxTrc *trc, GError **error);

G_END_DECLS

#endif
